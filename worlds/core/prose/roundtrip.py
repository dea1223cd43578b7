"""Say everything that a pack can say, and read it back: the round trip over wordings and lexicon.

Constraints are made up kind by kind, so that every wording meets every role and measure; each text
stands in the middle of a sentence and must read as its constraint, and as nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from worlds.core.bridges import BridgeFact
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
from worlds.core.lexicon import Measure, PersonRole
from worlds.core.packs.findings import Finding
from worlds.core.packs.lint import lint
from worlds.core.packs.model import Pack, Wording, style_of
from worlds.core.packs.template import capitalised
from worlds.core.prose.forms import Env, phrasings
from worlds.core.prose.grammar import Grammar, literal_slots
from worlds.core.prose.normal import normal

__all__ = ["Saying", "kind_sets", "roundtrip_findings", "sayings"]

_CHANNELS = ("letter", "telegram", "ledger")
"""One channel of each style."""
_FEW = 3


@dataclass(frozen=True, slots=True)
class Saying:
    """One constraint in one wording, as a channel prints it."""

    channel: str
    wording: Wording
    text: str
    constraint: Constraint

    def misread(self, grammar: Grammar) -> str:
        """What the text reads as if not as its constraint alone; empty when all is well."""
        context = f"Well: {self.text}; so much for that."
        readings = grammar.parse(context, self.channel)
        here = [r.constraint for r in readings if context[r.start : r.end] == self.text]
        wider = [context[r.start : r.end] for r in readings if r.end - r.start > len(self.text)]
        if wider:
            return f"{self.text!r} reads with what stands around it: {wider[0]!r}"
        if here == [normal(self.constraint)]:
            return ""
        if not here:
            return f"{self.text!r} does not read back"
        return f"{self.text!r} reads as {' and as '.join(c.describe(str) for c in here)}"

    def unsound(self) -> str:
        """What is wrong with the text as a sentence of its own; empty when nothing is."""
        found = lint(f"{capitalised(self.text)}.", loud=style_of(self.channel) == "wire")
        return "; ".join(found)


def roundtrip_findings(
    pack: Pack, fact: BridgeFact, *, every_entry: bool = True
) -> Iterator[Finding]:
    """Every wording that does not read back as itself, or is no sound English with some entry.

    Each is told once, with the text that shows it.

    `fact` is what tables turn on. A full pack takes half a minute; without `every_entry` each
    wording is tried with a few roles and one measure, in a second or two.
    """
    told: set[str] = set()
    for roles, measure in kind_sets(pack):
        grammar = Grammar(pack, [*roles, measure], pack.lexicon.names, (fact,))
        for saying in sayings(grammar, roles if every_entry else roles[:_FEW], measure, fact):
            where = f"clauses.toml {saying.wording.form} {saying.wording.text!r}"
            if where in told:
                continue
            for rule, what in (
                ("round trip", saying.misread(grammar)),
                ("lint", saying.unsound()),
            ):
                if what:
                    told.add(where)
                    yield Finding(rule, where, what)
        if not every_entry:
            return


def kind_sets(pack: Pack) -> Iterator[tuple[list[PersonRole], Measure]]:
    """Roles of one roster, no letter twice, with a measure: every role and every measure once."""
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
    for measure in measures[turn:]:
        roles = {role.letter: role for role in pack.lexicon.roles if role.letter != measure.letter}
        first = next(iter(roles.values()))
        yield [role for role in roles.values() if role.roster == first.roster][:_FEW], measure


def sayings(
    grammar: Grammar, roles: Sequence[PersonRole], measure: Measure, fact: BridgeFact
) -> Iterator[Saying]:
    """Everything that a grammar can say about a few marks, with every role at its turn."""
    names = grammar.pack.lexicon.names
    for turn in range(len(roles)):
        marks = [f"{roles[(turn + i) % len(roles)].letter}-{21 + i}" for i in range(4)]
        times = [f"{measure.letter}-{number}" for number in (18, 57, 95)]
        for constraint in _constraints(marks, times, names, turn, fact):
            for channel in _CHANNELS:
                for wording, text in _texts(grammar, constraint, channel):
                    yield Saying(channel, wording, text, constraint)


def _texts(grammar: Grammar, constraint: Constraint, channel: str) -> Iterator[tuple[Wording, str]]:
    for form, env in phrasings(constraint, grammar.plain):
        for wording in grammar.pack.clauses_of(form, channel):
            yield from ((wording, text) for text in _said(grammar, wording, dict(env), channel))


def _said(grammar: Grammar, wording: Wording, env: Env, channel: str) -> Iterator[str]:
    """The wording once; with literals, until each wording of each literal had its turn."""
    slots = literal_slots(env)
    if not slots:
        yield grammar.render(wording, env, channel)
        return
    ways = {slot: grammar.literal_wordings(env[slot], channel) for slot in slots}
    for turn in range(max(map(len, ways.values()))):
        for slot in slots:
            literal, way = env[slot], ways[slot][turn % len(ways[slot])]
            said = {"a": literal.term, "v": literal.value}
            env[f"{slot}.text"] = grammar.render(way, said, channel)
        yield grammar.render(wording, env, channel)


def _constraints(
    marks: Sequence[str], times: Sequence[str], names: Sequence[str], turn: int, fact: BridgeFact
) -> Iterator[Constraint]:
    one, other, third, fourth = marks
    early, late, last = times
    name, second = (names[(turn + i) % len(names)] for i in range(2))
    yield Equality(one, value=name)
    yield Equality(one, right=other)
    yield Inequality("!=", one, value=name)
    yield Inequality("!=", other, right=third)
    yield AllDifferent((one, other, third, fourth))
    yield AllDifferent((third, one))
    yield _table(one, names, fact)
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
        yield from _ordinal(early, late, last)


def _ordinal(early: str, late: str, last: str) -> Iterator[Constraint]:
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


def _table(mark: str, names: Sequence[str], fact: BridgeFact) -> Implication:
    options = (fact.answer, *fact.alternatives[:3])
    return Implication(
        tuple(
            (Literal(fact.key, "=", option), Literal(mark, "=", name))
            for option, name in zip(options, names, strict=False)
        ),
        is_table=True,
    )
