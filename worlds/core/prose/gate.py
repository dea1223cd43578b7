"""The gate: a record is let through only if it reads back as exactly its world.

Extraction over every paper must find each unit where its span says, with its meaning, and nothing
else. Around that stand the rules that a program can check, named in `RULES`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from worlds.core.bridges import BridgeFact
from worlds.core.errors import GateRejected
from worlds.core.instance import Document
from worlds.core.model import UnitRole, World
from worlds.core.packs.check_voice import sounds_like_hearsay
from worlds.core.packs.lint import lint
from worlds.core.packs.model import MONTHS, Pack, style_of
from worlds.core.policy import resolve
from worlds.core.prose.compiler import MOST_UNITS
from worlds.core.prose.extract import Order, Scale, Statement, extract
from worlds.core.prose.grammar import Grammar
from worlds.core.prose.meaning import fact_of, meanings
from worlds.core.prose.notices import ORDER_ROLES, dates_said
from worlds.core.prose.scan import MARK

__all__ = ["RULES", "Breach", "Gate", "check_record"]

RULES = {
    "round trip": "Every unit stands once, reads back as itself, and nothing else is stated.",
    "scales": "Every scale says its range, its ends and which end is up.",
    "voice": "No clue sounds like what others say.",
    "loose ends": "Marks and names stand inside units only.",
    "verbs": "An action verb stands inside an order only.",
    "labels": "No heading uses a mark, a marked noun or a name; marks have two digits or more.",
    "papers": "A paper holds no, one, two or three units of evidence.",
    "dates": "The orders ascend by date, and the last one retires all before it.",
    "conditions": "Every condition of a rule is about a fact and can be true or false.",
    "outcomes": "Both branches and the order that was superseded lead to three actions.",
    "grammar": "Articles, capitals, blanks and doubled words.",
}
"""The rules of a record that the gate checks, by name."""

_DATED = re.compile(rf", ([0-9]{{1,2}}) ({'|'.join(MONTHS)})$")
_WORD = re.compile(r"[^\W\d_]+")
_TWO_DIGITS = re.compile(r"[A-Z]-[0-9]{2,}")


def check_record(
    world: World, pack: Pack, facts: Sequence[BridgeFact], documents: Sequence[Document]
) -> None:
    """Raise GateRejected with every finding, unless the papers say exactly what the world is."""
    found = tuple(Gate(world, pack, facts).findings(documents))
    if found:
        raise GateRejected(tuple(map(str, found)))


@dataclass(frozen=True, slots=True)
class Breach:
    """One thing that is wrong with a record: a rule of `RULES`, and a sentence that says where."""

    rule: str
    told: str

    def __str__(self) -> str:
        return self.told


class Gate:
    """Reads papers against one world."""

    def __init__(self, world: World, pack: Pack, facts: Sequence[BridgeFact]) -> None:
        self._world = world
        self._expected = meanings(world, pack, facts)
        self._roles = {unit.id: unit.role for unit in world.units}
        self._names = frozenset(pack.lexicon.names)
        self._subjects = [fact_of(bridge, facts).subject for bridge in world.bridges]
        rules = (world.policy.rule, world.policy.provisional)
        self._verbs = frozenset(b.verb for rule in rules for b in (rule.then, rule.otherwise))
        self.grammar = Grammar.of_world(world, pack, facts)

    def findings(self, documents: Sequence[Document]) -> Iterator[Breach]:
        """What is wrong with a whole record; nothing when it may pass."""
        yield from _span_findings(self._roles, documents)
        for document in documents:
            yield from self.paper_findings(document)
        yield from self._order_findings(documents)
        yield from _world_findings(self._world)

    def paper_findings(self, document: Document) -> Iterator[Breach]:
        """What is wrong with one paper."""
        statements = extract(document.text, document.channel, self.grammar)
        yield from self._statement_findings(document, statements)
        yield from self._wording_findings(document)
        yield from self._loose_findings(document, statements)
        yield from self._heading_findings(document)
        for found in lint(document.text, loud=style_of(document.channel) == "wire"):
            yield Breach("grammar", f"{document.id}: {found}")

    def _statement_findings(
        self, document: Document, statements: Sequence[Statement]
    ) -> Iterator[Breach]:
        """Statements and spans of one paper, matched by place."""
        rule = "round trip"
        by_place: dict[tuple[int, int], list[Statement]] = {}
        for statement in statements:
            by_place.setdefault((statement.start, statement.end), []).append(statement)
        for span in document.spans:
            here = by_place.pop((span.start, span.end), [])
            unit = f"{document.id}: unit {span.unit}"
            if len(here) != 1:
                clause = document.text[span.start : span.end]
                told = "has two readings" if here else "does not read back"
                yield Breach(rule, f"{unit} {told}: {clause!r}")
            elif span.unit not in self._expected:
                yield Breach(rule, f"{document.id}: {span.unit} is no unit of the world")
            elif not self._says(here[0], span.unit):
                yield Breach(rule, f"{unit} reads as something else: {here[0].meaning}")
        for start, end in sorted(by_place):
            clause = document.text[start:end]
            yield Breach(rule, f"{document.id}: {clause!r} states what no unit says")

    def _says(self, statement: Statement, unit: str) -> bool:
        """Whether a statement is a unit's: in its role, with its meaning (dates apart)."""
        meaning = statement.meaning
        if isinstance(meaning, Order):
            meaning = replace(meaning, replaces="")
        return statement.role == self._roles[unit] and meaning == self._expected[unit]

    def _wording_findings(self, document: Document) -> Iterator[Breach]:
        """How units are worded: clues in the writer's own voice, scales with their ends."""
        for span in document.spans:
            text = document.text[span.start : span.end]
            unit = f"{document.id}: unit {span.unit}"
            if self._roles.get(span.unit) == "clue":
                for subject in self._subjects:
                    text = text.replace(subject, "")
                if sounds_like_hearsay(text):
                    yield Breach("voice", f"{unit} sounds like hearsay: {text!r}")
            if isinstance(self._expected.get(span.unit), Scale) and not (
                "lowest" in text and "highest" in text
            ):
                yield Breach("scales", f"{unit} does not say which end is the lowest: {text!r}")

    def _loose_findings(
        self, document: Document, statements: Sequence[Statement]
    ) -> Iterator[Breach]:
        """Marks, names and action verbs that stand outside what may carry them."""
        rule = "loose ends"
        for found in MARK.finditer(document.text):
            if not _inside(found.start(), statements):
                yield Breach(rule, f"{document.id}: mark {found[0]} stands outside every unit")
        loud = style_of(document.channel) == "wire"
        names = {name.upper() for name in self._names} if loud else self._names
        orders = [s for s in statements if s.role in ("provisional", "policy")]
        for word in _WORD.finditer(document.text):
            at = word.start()
            if word[0] in names and not _inside(at, statements):
                yield Breach(rule, f"{document.id}: the name {word[0]} stands outside every unit")
            if word[0].lower() in self._verbs and not _inside(at, orders):
                told = f"{document.id}: the action verb {word[0]!r} stands outside every order"
                yield Breach("verbs", told)

    def _heading_findings(self, document: Document) -> Iterator[Breach]:
        """A heading is a label, and no label may be taken for a mark, a marked thing or a name."""
        heading = document.heading
        taken = {kind.noun for kind in self.grammar.plain.persons}
        taken |= {measure.occasion for measure in self.grammar.plain.measures}
        for word in sorted(taken | self._names):
            if re.search(rf"\b{re.escape(word)}\b", heading, re.IGNORECASE):
                yield Breach("labels", f"{document.id}: its heading uses {word!r}: {heading!r}")
        if MARK.search(heading):
            yield Breach("labels", f"{document.id}: its heading holds a mark: {heading!r}")

    def _order_findings(self, documents: Sequence[Document]) -> Iterator[Breach]:
        """Dates ascend, and the order in force retires all before it."""
        dated = [
            (self._roles[span.unit], document)
            for document in documents
            for span in document.spans
            if self._roles.get(span.unit) in ORDER_ROLES
        ]
        if [role for role, _ in dated] != list(ORDER_ROLES):
            yield Breach("dates", "orders do not stand in order of date")
            return
        found = [_DATED.search(document.heading) for _, document in dated]
        days = [int(date[1]) for date in found if date]
        months = {date[2] for date in found if date}
        if len(days) != len(dated) or days != sorted(set(days)) or len(months) != 1:
            yield Breach("dates", f"the orders' dates {days} do not ascend within one month")
            return
        last = dated[-1][1]
        retired = dates_said(days[:-1], months.pop())
        for statement in extract(last.text, last.channel, self.grammar):
            meaning = statement.meaning
            if isinstance(meaning, Order) and meaning.replaces != retired:
                told = f"{last.id} retires {meaning.replaces!r}, not {retired!r}"
                yield Breach("dates", told)


def _span_findings(
    roles: Mapping[str, UnitRole], documents: Sequence[Document]
) -> Iterator[Breach]:
    spans = [span.unit for document in documents for span in document.spans]
    for unit in roles:
        if spans.count(unit) != 1:
            told = f"unit {unit} has {spans.count(unit)} spans instead of one"
            yield Breach("round trip", told)
    numbers = [document.number for document in documents]
    if numbers != list(range(1, len(documents) + 1)):
        yield Breach("labels", "papers are not numbered from 1 in their order")
    for document in documents:
        held = [s for s in document.spans if roles.get(s.unit) in ("clue", "distractor")]
        if len(held) > MOST_UNITS:
            told = f"{document.id} holds {len(held)} evidence units, more than {MOST_UNITS}"
            yield Breach("papers", told)


def _world_findings(world: World) -> Iterator[Breach]:
    """What no wording can mend: marks and names that collide, rules that decide nothing."""
    for variable in world.variables:
        if not _TWO_DIGITS.fullmatch(variable.mark):
            yield Breach("labels", f"mark {variable.mark} is not a letter and two digits or more")
    names = [name for domain in world.domains for name in domain.values if isinstance(name, str)]
    for one, other in permutations(names, 2):
        if one.casefold() in other.casefold():
            yield Breach("labels", f"the name {one} stands inside the name {other}")
    rule, provisional, truth = world.policy.rule, world.policy.provisional, world.truth
    for literal in (*rule.condition, *provisional.condition):
        values = world.term_values[literal.term] if literal.term in world.solution else ()
        if not 0 < len(literal.true_values(values)) < len(values):
            told = f"the condition {literal.describe(world.mark_of)} cannot be both true and false"
            yield Breach("conditions", told)
    # A failure can be told from its action only if both branches and the old rule differ.
    branches = (rule.live(truth), rule.dead(truth), provisional.live(truth))
    if len({resolve(branch, truth, world.mark_of) for branch in branches}) != len(branches):
        told = "the two branches and the provisional order do not lead to three actions"
        yield Breach("outcomes", told)


def _inside(at: int, statements: Sequence[Statement]) -> bool:
    return any(statement.start <= at < statement.end for statement in statements)
