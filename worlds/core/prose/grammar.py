"""The clause grammar of one record: `render` a constraint over marks, `parse` a text back.

A grammar is a pack narrowed to what one record has in play: its kinds by letter, the names that
fill slots, the bank's facts. It speaks two voices: plain, and in capitals for telegrams.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from worlds.core.bridges import BridgeFact
from worlds.core.constraints import Constraint, Literal
from worlds.core.errors import Unrenderable
from worlds.core.lexicon import Kind
from worlds.core.model import World
from worlds.core.packs.model import Pack, Wording, fits, style_of
from worlds.core.packs.template import Template, template_of
from worlds.core.prose.forms import LITERAL_SLOTS, Env, build, build_literal, literal_form
from worlds.core.prose.lexis import Lexis
from worlds.core.prose.matching import Matcher, may_stand
from worlds.core.prose.normal import normal
from worlds.core.prose.saying import say
from worlds.core.prose.scan import Found, Scan

__all__ = ["Grammar", "Reading", "kinds_of", "literal_slots"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What one stretch of text says: a constraint over marks, and whether only others say it."""

    start: int
    end: int
    form: str
    constraint: Constraint
    hedged: bool = False


@dataclass(frozen=True, slots=True)
class _Compiled:
    """The wordings of one channel with their templates."""

    literals: Sequence[tuple[Wording, Template]]
    clauses: Sequence[tuple[Wording, Template]]
    hedges: Sequence[tuple[Wording, Template]]


class Grammar:
    """Renders and parses the clauses of one record."""

    def __init__(
        self,
        pack: Pack,
        kinds: Iterable[Kind],
        names: Iterable[str],
        facts: Sequence[BridgeFact] = (),
    ) -> None:
        self.pack = pack
        kinds, names = tuple(kinds), tuple(names)
        verbs = [verb for pair in pack.lexicon.verbs for verb in pair]
        plain, loud = (
            Lexis(
                kinds,
                names,
                facts,
                bystanders=pack.bystanders,
                verbs=verbs,
                rosters=pack.lexicon.rosters,
                lists=pack.lists,
                loud=capitals,
            )
            for capitals in (False, True)
        )
        self.plain = plain
        self._loud = loud
        self.frames = Lexis.of_frames(pack.lexicon)
        self._by_channel: dict[str, _Compiled] = {}

    @classmethod
    def of_world(cls, world: World, pack: Pack, facts: Sequence[BridgeFact]) -> Grammar:
        """The grammar of a world's record."""
        names = [v for d in world.domains for v in d.values if isinstance(v, str)]
        return cls(pack, kinds_of(world, pack), names, facts)

    def lexis(self, channel: str) -> Lexis:
        """The voice of a channel."""
        return self._loud if style_of(channel) == "wire" else self.plain

    def render(self, wording: Wording, env: Env, channel: str) -> str:
        """A clause, literal, hedge or order in words; its literals' texts are in the bindings."""
        return say(template_of(wording), env, self.lexis(channel), wording.row)

    def parse(self, text: str, channel: str) -> tuple[Reading, ...]:
        """Every reading of every stretch of a text, hedged ones included, in order of place.

        Readings may nest: an implication holds what looks like a pin. Choosing among them is
        `extract`'s affair.
        """
        scan = self.scan(text, channel)
        found = [
            Reading(start, clause.end, clause.form, clause.constraint)
            for start, clauses in scan.clauses.items()
            for clause in clauses
        ]
        found += self._hedged(scan, channel)
        return tuple(sorted(found, key=lambda r: (r.start, r.end, r.hedged, r.form)))

    def scan(self, text: str, channel: str) -> Scan:
        """A text with its literals and clauses found."""
        scan = Scan(text, self.lexis(channel))
        if scan.things["mark"]:
            self._find_literals(scan, channel)
            self._find_clauses(scan, channel)
        return scan

    def _find_literals(self, scan: Scan, channel: str) -> None:
        for wording, start, end, env in _matches(scan, self._compiled(channel).literals):
            entry = end, build_literal(wording.form, env)
            here = scan.literals.setdefault(start, [])
            if entry not in here:
                here.append(entry)

    def _find_clauses(self, scan: Scan, channel: str) -> None:
        for wording, start, end, env in _matches(scan, self._compiled(channel).clauses):
            constraint = build(wording.form, env, scan.lexis)
            if constraint is None:
                continue
            found = Found(end, wording.form, normal(constraint), wording.hedgeable)
            here = scan.clauses.setdefault(start, [])
            if found not in here:
                here.append(found)

    def _hedged(self, scan: Scan, channel: str) -> list[Reading]:
        if not scan.clauses:
            return []
        found = []
        for _, start, end, env in _matches(scan, self._compiled(channel).hedges):
            clause: Found = env["clause"]
            found.append(Reading(start, end, clause.form, clause.constraint, hedged=True))
        return found

    def _compiled(self, channel: str) -> _Compiled:
        """The pack's wordings that may stand in a channel, with their templates."""
        known = self._by_channel.get(channel)
        if known is None:
            pack = self.pack
            literals = [w for w in pack.literals if fits(w, channel) or w.style == "prose"]
            clauses = [w for w in pack.clauses if fits(w, channel)]
            hedges = pack.hedges_of(channel)
            known = _Compiled(*(_templates(group) for group in (literals, clauses, hedges)))
            self._by_channel[channel] = known
        return known

    def literal_wordings(self, literal: Literal, channel: str) -> tuple[Wording, ...]:
        """The ways to say a literal inside a clause of a channel."""
        return self.pack.literals_of(literal_form(literal), channel)


def _templates(wordings: Iterable[Wording]) -> tuple[tuple[Wording, Template], ...]:
    return tuple((wording, template_of(wording)) for wording in wordings)


def _matches(
    scan: Scan, compiled: Iterable[tuple[Wording, Template]]
) -> Iterator[tuple[Wording, int, int, Env]]:
    """Every wording that stands in a text, with its place and its bindings."""
    for wording, template in compiled:
        if may_stand(template, scan):
            for match in Matcher(scan, wording.form, wording.row).matches(template):
                yield wording, *match


def literal_slots(env: Env) -> tuple[str, ...]:
    """The slots of these bindings that hold literals."""
    return tuple(slot for slot in LITERAL_SLOTS if slot in env)


def kinds_of(world: World, pack: Pack) -> tuple[Kind, ...]:
    """The kinds that a world's marks have, each once, in order of first mark."""
    lexicon = pack.lexicon
    every: tuple[Kind, ...] = (*lexicon.roles, *lexicon.measures)
    by_phrase = {kind.role: kind for kind in every}
    kinds: dict[str, Kind] = {}
    for variable in world.variables:
        kind = by_phrase.get(variable.role.replace(variable.mark, "{mark}"))
        if kind is None:
            raise Unrenderable(f"{pack.genre} has no role {variable.role!r}")
        kinds.setdefault(kind.key, kind)
    return tuple(kinds.values())
