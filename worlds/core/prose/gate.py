"""The gate: a record is let through only if it reads back as exactly its world.

Extraction over every paper must find each unit where its span says, with its meaning, and nothing
else. Around that stand the rules that a program can check: no mark or slot name outside a unit, no
action verb outside an order, ends of scales, dates, three outcomes, at most three units a paper,
and the grammar lint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from worlds.core.bridges import BridgeFact
from worlds.core.errors import GateRejected
from worlds.core.instance import Document
from worlds.core.model import UnitRole, World
from worlds.core.packs.lint import lint
from worlds.core.packs.model import MONTHS, Pack, style_of
from worlds.core.policy import resolve
from worlds.core.prose.compiler import MOST_UNITS
from worlds.core.prose.extract import Order, Statement, extract
from worlds.core.prose.grammar import Grammar
from worlds.core.prose.meaning import meanings
from worlds.core.prose.notices import ORDER_ROLES, dates_said
from worlds.core.prose.scan import MARK

__all__ = ["Gate", "check_record"]

_DATED = re.compile(rf", ([0-9]{{1,2}}) ({'|'.join(MONTHS)})$")
_WORD = re.compile(r"[^\W\d_]+")


def check_record(
    world: World, pack: Pack, facts: Sequence[BridgeFact], documents: Sequence[Document]
) -> None:
    """Raise GateRejected with every finding, unless the papers say exactly what the world is."""
    found = tuple(Gate(world, pack, facts).findings(documents))
    if found:
        raise GateRejected(found)


class Gate:
    """Reads papers against one world; every finding is one sentence that names the paper."""

    def __init__(self, world: World, pack: Pack, facts: Sequence[BridgeFact]) -> None:
        self._world = world
        self._expected = meanings(world, pack, facts)
        self._roles = {unit.id: unit.role for unit in world.units}
        self._names = frozenset(pack.lexicon.names)
        rules = (world.policy.rule, world.policy.provisional)
        self._verbs = frozenset(b.verb for rule in rules for b in (rule.then, rule.otherwise))
        self.grammar = Grammar.of_world(world, pack, facts)

    def findings(self, documents: Sequence[Document]) -> Iterator[str]:
        """What is wrong with a whole record; nothing when it may pass."""
        yield from _span_findings(self._roles, documents)
        for document in documents:
            yield from self.paper_findings(document)
        yield from self._order_findings(documents)
        yield from _outcome_findings(self._world)

    def paper_findings(self, document: Document) -> Iterator[str]:
        """What is wrong with one paper."""
        statements = extract(document.text, document.channel, self.grammar)
        yield from self._statement_findings(document, statements)
        yield from self._loose_findings(document, statements)
        for found in lint(document.text, loud=style_of(document.channel) == "wire"):
            yield f"{document.id}: {found}"

    def _statement_findings(
        self, document: Document, statements: Sequence[Statement]
    ) -> Iterator[str]:
        """Statements and spans of one paper, matched by place."""
        by_place: dict[tuple[int, int], list[Statement]] = {}
        for statement in statements:
            by_place.setdefault((statement.start, statement.end), []).append(statement)
        for span in document.spans:
            here = by_place.pop((span.start, span.end), [])
            if len(here) != 1:
                clause = document.text[span.start : span.end]
                told = "has two readings" if here else "does not read back"
                yield f"{document.id}: unit {span.unit} {told}: {clause!r}"
            elif span.unit not in self._expected:
                yield f"{document.id}: {span.unit} is no unit of the world"
            elif not self._says(here[0], span.unit):
                yield f"{document.id}: unit {span.unit} reads as something else: {here[0].meaning}"
        for start, end in sorted(by_place):
            yield f"{document.id}: {document.text[start:end]!r} states what no unit says"

    def _says(self, statement: Statement, unit: str) -> bool:
        """Whether a statement is a unit's: in its role, with its meaning (dates apart)."""
        meaning = statement.meaning
        if isinstance(meaning, Order):
            meaning = replace(meaning, replaces="")
        return statement.role == self._roles[unit] and meaning == self._expected[unit]

    def _loose_findings(self, document: Document, statements: Sequence[Statement]) -> Iterator[str]:
        """Marks, names and action verbs that stand outside what may carry them."""
        for found in MARK.finditer(document.text):
            if not _inside(found.start(), statements):
                yield f"{document.id}: mark {found[0]} stands outside every unit"
        loud = style_of(document.channel) == "wire"
        names = {name.upper() for name in self._names} if loud else self._names
        orders = [s for s in statements if s.role in ("provisional", "policy")]
        for word in _WORD.finditer(document.text):
            if word[0] in names and not _inside(word.start(), statements):
                yield f"{document.id}: the name {word[0]} stands outside every unit"
            if word[0].lower() in self._verbs and not _inside(word.start(), orders):
                yield f"{document.id}: the action verb {word[0]!r} stands outside every order"

    def _order_findings(self, documents: Sequence[Document]) -> Iterator[str]:
        """Dates ascend, and the order in force retires all before it."""
        dated = [
            (self._roles[span.unit], document)
            for document in documents
            for span in document.spans
            if self._roles.get(span.unit) in ORDER_ROLES
        ]
        if [role for role, _ in dated] != list(ORDER_ROLES):
            yield "orders do not stand in order of date"
            return
        found = [_DATED.search(document.heading) for _, document in dated]
        days = [int(date[1]) for date in found if date]
        months = {date[2] for date in found if date}
        if len(days) != len(dated) or days != sorted(set(days)) or len(months) != 1:
            yield f"the orders' dates {days} do not ascend within one month"
            return
        last = dated[-1][1]
        retired = dates_said(days[:-1], months.pop())
        for statement in extract(last.text, last.channel, self.grammar):
            if isinstance(statement.meaning, Order) and statement.meaning.replaces != retired:
                yield f"{last.id} retires {statement.meaning.replaces!r}, not {retired!r}"


def _span_findings(roles: Mapping[str, UnitRole], documents: Sequence[Document]) -> Iterator[str]:
    spans = [span.unit for document in documents for span in document.spans]
    for unit in roles:
        if spans.count(unit) != 1:
            yield f"unit {unit} has {spans.count(unit)} spans instead of one"
    numbers = [document.number for document in documents]
    if numbers != list(range(1, len(documents) + 1)):
        yield "papers are not numbered from 1 in their order"
    for document in documents:
        held = [s for s in document.spans if roles.get(s.unit) in ("clue", "distractor")]
        if len(held) > MOST_UNITS:
            yield f"{document.id} holds {len(held)} evidence units, more than {MOST_UNITS}"


def _outcome_findings(world: World) -> Iterator[str]:
    """A failure can be told from its action only if both branches and the old rule differ."""
    rule, truth = world.policy.rule, world.truth
    branches = (rule.live(truth), rule.dead(truth), world.policy.provisional.live(truth))
    if len({resolve(branch, truth, world.mark_of) for branch in branches}) != len(branches):
        yield "the two branches and the provisional order do not lead to three actions"


def _inside(at: int, statements: Sequence[Statement]) -> bool:
    return any(statement.start <= at < statement.end for statement in statements)
