"""Constraints over marks that make a pack say each of its forms, kind by kind."""

from __future__ import annotations

from collections.abc import Iterator

from tests.worlds.core.prose.mill import URANUS
from worlds.core.constraints import (
    AllDifferent,
    Arithmetic,
    Constraint,
    Equality,
    ExactlyOne,
    Implication,
    Inequality,
    Literal,
)
from worlds.core.lexicon import Kind, Measure, PersonRole
from worlds.core.packs import Pack, Wording
from worlds.core.prose.forms import Env, phrasings
from worlds.core.prose.grammar import Grammar, literal_slots

__all__ = ["Sayings", "kind_sets"]

CHANNELS = ("letter", "telegram", "ledger")


def kind_sets(pack: Pack) -> Iterator[tuple[list[PersonRole], Measure]]:
    """Roles of one roster, no letter twice, until every role was in a set; with a measure each."""
    measures = list(pack.lexicon.measures)
    turn = 0
    for roster in pack.lexicon.rosters:
        waiting = [role for role in pack.lexicon.roles if role.roster == roster.key]
        while waiting:
            measure = measures[turn % len(measures)]
            turn += 1
            chosen: list[PersonRole] = []
            for role in waiting:
                if role.letter not in {measure.letter, *(other.letter for other in chosen)}:
                    chosen.append(role)
            if not chosen:
                continue
            waiting = [role for role in waiting if role not in chosen]
            yield chosen, measure


class Sayings:
    """Everything that one grammar can say about a few marks of its kinds."""

    def __init__(self, pack: Pack, roles: list[PersonRole], measure: Measure) -> None:
        self.pack = pack
        kinds: list[Kind] = [*roles, measure]
        self.grammar = Grammar(pack, kinds, pack.lexicon.names, (URANUS,))
        self._roles = roles
        self._times = [f"{measure.letter}-{n}" for n in (18, 57, 95)]
        self._names = pack.lexicon.names

    def all(self) -> Iterator[tuple[str, Wording, str, Constraint]]:
        """Channel, wording, text and constraint, for every wording and every role at its turn."""
        for i in range(len(self._roles)):
            marks = [
                f"{self._roles[(i + turn) % len(self._roles)].letter}-{21 + turn}"
                for turn in range(4)
            ]
            for constraint in self._constraints(marks, i):
                for channel in CHANNELS:
                    for wording, text in self._texts(constraint, channel):
                        yield channel, wording, text, constraint

    def _texts(self, constraint: Constraint, channel: str) -> Iterator[tuple[Wording, str]]:
        for form, env in phrasings(constraint, self.grammar.plain):
            for wording in self.pack.clauses_of(form, channel):
                yield from ((wording, text) for text in self._said(wording, dict(env), channel))

    def _said(self, wording: Wording, env: Env, channel: str) -> Iterator[str]:
        """The wording once; with literals, once for each wording of its first and last literal."""
        slots = literal_slots(env)
        if not slots:
            yield self.grammar.render(wording, env, channel)
            return
        ways = {slot: self.grammar.literal_wordings(env[slot], channel) for slot in slots}
        for turn in range(max(map(len, ways.values()))):
            for slot in slots:
                literal, way = env[slot], ways[slot][turn % len(ways[slot])]
                said = {"a": literal.term, "v": literal.value}
                env[f"{slot}.text"] = self.grammar.render(way, said, channel)
            yield self.grammar.render(wording, env, channel)

    def _constraints(self, marks: list[str], turn: int) -> Iterator[Constraint]:
        one, other, third, fourth = marks
        early, late, last = self._times
        name, second = (self._names[(turn + k) % len(self._names)] for k in range(2))
        yield Equality(one, value=name)
        yield Equality(one, right=other)
        yield Inequality("!=", one, value=name)
        yield Inequality("!=", other, right=third)
        yield AllDifferent((one, other, third, fourth))
        yield AllDifferent((third, one))
        yield self._table(one)
        literals = [
            Literal(one, "=", name),
            Literal(other, "!=", second),
            Literal(early, "=", 1),
            Literal(late, "!=", 2),
            Literal(last, "<", 3),
            Literal(late, ">", 2),
        ]
        yield Implication.of(literals[turn % 6], literals[(turn + 1) % 6])
        yield Implication.of(literals[(turn + 3) % 6], literals[(turn + 5) % 6])
        yield from (ExactlyOne(tuple(literals[:size])) for size in (2, 3))
        yield ExactlyOne(tuple(literals[2:]))
        if turn == 0:
            yield from self._ordinal(early, late, last)

    def _ordinal(self, early: str, late: str, last: str) -> Iterator[Constraint]:
        for value in (1, 2, 11):
            yield Equality(early, value=value)
            yield Inequality("!=", early, value=value)
            yield Inequality("<", late, value=value)
            yield Inequality(">", late, value=value)
        for op in ("!=", "<", ">"):
            yield Inequality(op, early, right=late)
        yield Equality(early, right=late)
        yield AllDifferent((late, early, last))
        for k in (-2, -1, 1, 3):
            yield Arithmetic("offset", early, late, k)
        yield Arithmetic("sum", early, late, 5)
        yield Arithmetic("difference", late, early, 1)
        yield Arithmetic("difference", late, early, 2)

    def _table(self, mark: str) -> Implication:
        options = (URANUS.answer, *URANUS.alternatives[:3])
        return Implication(
            tuple(
                (Literal(URANUS.key, "=", option), Literal(mark, "=", name))
                for option, name in zip(options, self._names, strict=False)
            ),
            is_table=True,
        )
