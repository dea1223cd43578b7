"""Compile a world into the papers of a record, with a span for every unit.

Units are spread over channels and papers (none to three a paper), each said in a wording that the
record has used least; frames, dated orders and papers of pure colour go between them. All choices
come from one stream: the same stream gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from worlds.core.bridges import BridgeFact
from worlds.core.errors import Unrenderable
from worlds.core.instance import Document
from worlds.core.model import CHANNELS, Unit, World
from worlds.core.packs.model import Pack
from worlds.core.prose.extract import Meaning
from worlds.core.prose.grammar import Grammar
from worlds.core.prose.meaning import constraints, meanings
from worlds.core.prose.notices import ORDER_ROLES, write_frames, write_orders
from worlds.core.prose.papers import Paper, Said, Stationer
from worlds.core.prose.phrasing import Phraser
from worlds.core.seeds import Stream

__all__ = ["MOST_UNITS", "compile_record"]

MOST_UNITS = 3
"""The most evidence units that one paper holds."""

# The most units that a paper of a channel has room for, and how common its papers are.
_ROOM = {
    "letter": 3,
    "receipt": 1,
    "ledger": 3,
    "logbook": 3,
    "telegram": 2,
    "photograph": 1,
    "testimony": 3,
    "notice": 2,
    "margin": 1,
}
_SHARE = {
    "letter": 5.0,
    "receipt": 1.5,
    "ledger": 3.0,
    "logbook": 4.0,
    "telegram": 2.5,
    "photograph": 1.0,
    "testimony": 3.0,
    "notice": 1.0,
    "margin": 2.0,
}
# How many units a paper holds; then one paper of colour alone for every so many units.
_SIZES, _SIZE_WEIGHTS = (1, 2, 3), (5.0, 4.0, 2.0)
_COLOUR_PER_UNITS = 12
_COLOUR_CHANNELS = ("letter", "receipt", "logbook", "telegram", "notice")
_NOTE_CHANNELS = ("letter", "logbook", "margin", "photograph", "testimony")
_FRAME_FIRST = 0.6


@dataclass
class _Plan:
    """A paper to be written: its channel, how many units it may hold, and those it has."""

    channel: str
    room: int
    units: list[str]


def compile_record(
    world: World, pack: Pack, facts: Sequence[BridgeFact], stream: Stream
) -> tuple[Document, ...]:
    """The papers of one realization, numbered from 1; raises Unrenderable for a gap in the pack."""
    return _Compiler(world, pack, facts, stream).record()


class _Compiler:
    def __init__(
        self, world: World, pack: Pack, facts: Sequence[BridgeFact], stream: Stream
    ) -> None:
        self._world = world
        self._stream = stream
        self._pack = pack
        self._constraints = constraints(world, facts)
        self._meanings = meanings(world, pack, facts)
        self._grammar = Grammar.of_world(world, pack, facts)
        self._phraser = Phraser(self._grammar, stream)
        self._stationer = Stationer(pack, stream)
        self._units = {unit.id: unit for unit in world.units}

    def record(self) -> tuple[Document, ...]:
        """All papers in their order."""
        plans = self._assigned(self._plans())
        papers = [self._paper(plan) for plan in plans]
        frames = write_frames(
            self._of_role("frame"), self._pack, self._stream, self._phraser, self._stationer
        )
        orders = write_orders(
            {role: self._of_role(role)[0] for role in ORDER_ROLES},
            self._pack,
            self._grammar,
            self._phraser,
            self._stationer,
            self._stream,
        )
        return _numbered(self._arranged(papers, frames, orders))

    def _of_role(self, role: str) -> list[tuple[str, Meaning]]:
        return [(u.id, self._meanings[u.id]) for u in self._world.units if u.role == role]

    # Which paper holds what.

    def _plans(self) -> list[_Plan]:
        """Papers with room for all evidence, every channel first once as far as units reach."""
        evidence = len(self._world.clues) + len(self._world.distractors)
        notes = len(self._of_role("bridge-note"))
        channels = self._stream.shuffled([c for c in CHANNELS if c != "notice"])
        plans: list[_Plan] = []
        room = 0
        while room < evidence:
            if channels:
                channel = channels.pop()
            else:
                channel = self._stream.weighted(CHANNELS, [_SHARE[c] for c in CHANNELS])
            size = min(_ROOM[channel], self._stream.weighted(_SIZES, _SIZE_WEIGHTS))
            plans.append(_Plan(channel, size, []))
            room += size
        coloured = 1 + evidence // _COLOUR_PER_UNITS
        for offered, units, count in ((_NOTE_CHANNELS, 1, notes), (_COLOUR_CHANNELS, 0, coloured)):
            plans += [_Plan(self._stream.choice(offered), units, []) for _ in range(count)]
        return plans

    def _assigned(self, plans: list[_Plan]) -> list[_Plan]:
        """Every unit in a paper that can say it, the most particular units first."""
        evidence = [u for u in self._world.units if u.constraint or u.hypothesis]
        notes = [u for u in self._world.units if u.role == "bridge-note"]
        fitting = {u.id: self._channels(u) for u in evidence}
        order = self._stream.shuffled(evidence)
        order.sort(key=lambda unit: len(fitting[unit.id]))
        for unit in order:
            self._place(unit, fitting[unit.id], plans)
        for unit in notes:
            self._place(unit, _NOTE_CHANNELS, plans)
        for plan in plans:
            plan.units = self._stream.shuffled(plan.units)
        return [plan for plan in plans if plan.units or plan.room == 0]

    def _channels(self, unit: Unit) -> tuple[str, ...]:
        constraint = self._constraints[unit.id]
        return tuple(
            channel
            for channel in CHANNELS
            if self._phraser.can_say(constraint, channel, unit.role == "distractor")
        )

    def _place(self, unit: Unit, channels: Sequence[str], plans: list[_Plan]) -> None:
        """Put a unit into a paper: an empty one if there is, else one with room, else any."""
        if not channels:
            raise Unrenderable(f"no channel can say unit {unit.id}")
        fitting = [p for p in plans if p.channel in channels and p.room > len(p.units)]
        free = [p for p in fitting if not p.units] or fitting
        if not free:
            # Sizes were drawn before it was known which unit fits where.
            free = [
                p for p in plans if p.channel in channels and 0 < len(p.units) < _ROOM[p.channel]
            ]
        if not free:
            free = [_Plan(self._stream.choice(channels), 1, [])]
            plans += free
        self._stream.choice(free).units.append(unit.id)

    # What a paper says.

    def _paper(self, plan: _Plan) -> Paper:
        cast = self._stationer.cast()
        names = iter(cast.hedges)
        said = [self._say(self._units[unit], plan.channel, names) for unit in plan.units]
        return self._stationer.lay_out(self._stationer.shape(plan.channel), cast, said)

    def _say(self, unit: Unit, channel: str, names: Iterator[Mapping[str, str]]) -> Said:
        """A unit in the words of a channel; a report takes the next people to quote."""
        if unit.role == "bridge-note":
            wording = self._phraser.choose(self._pack.orders.notes)
            note = self._grammar.render(wording, {"fact": self._meanings[unit.id]}, channel)
            return Said(unit.id, note, carried=False)
        hedged = unit.role == "distractor"
        text = self._phraser.clause(self._constraints[unit.id], channel, hedged)
        if hedged:
            text = self._phraser.hedge(text, channel, next(names))
        return Said(unit.id, text)

    def _arranged(
        self, papers: list[Paper], frames: list[Paper], orders: list[Paper]
    ) -> list[Paper]:
        """All papers in a new order; the frame mostly first, orders in order of date."""
        row = self._stream.shuffled(papers)
        places = sorted(self._stream.below(len(row) + 1) for _ in orders)
        for place, order in reversed(list(zip(places, orders, strict=True))):
            row.insert(place, order)
        first = 0 if self._stream.chance(_FRAME_FIRST) else self._stream.below(1 + len(row) // 3)
        row.insert(first, frames[0])
        for frame in frames[1:]:
            row.insert(first + 1 + self._stream.below(len(row) - first), frame)
        return row


def _numbered(papers: Sequence[Paper]) -> tuple[Document, ...]:
    return tuple(
        Document(f"D{n}", n, paper.channel, paper.heading, paper.text, paper.spans)
        for n, paper in enumerate(papers, start=1)
    )
