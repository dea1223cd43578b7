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
from worlds.core.packs.model import Pack, style_of
from worlds.core.policy import resolve
from worlds.core.prose.compiler import MOST_UNITS
from worlds.core.prose.extract import Meaning, Order, Statement, extract
from worlds.core.prose.grammar import Grammar
from worlds.core.packs.lint import lint
from worlds.core.prose.meaning import meanings
from worlds.core.prose.notices import ORDER_ROLES, dates_said
from worlds.core.prose.papers import MONTHS
from worlds.core.prose.scan import MARK

__all__ = ["check_record", "findings"]

_DATED = re.compile(rf", ([0-9]{{1,2}}) ({'|'.join(MONTHS)})$")
_LOOSE = re.compile(r"[^\W\d_]+")


def check_record(
    world: World, pack: Pack, facts: Sequence[BridgeFact], documents: Sequence[Document]
) -> None:
    """Raise GateRejected with every finding, unless the papers say exactly what the world is."""
    found = tuple(findings(world, pack, facts, documents))
    if found:
        raise GateRejected(found)


def findings(
    world: World, pack: Pack, facts: Sequence[BridgeFact], documents: Sequence[Document]
) -> Iterator[str]:
    """What is wrong with a record, one sentence each; nothing when it may pass."""
    roles = {unit.id: unit.role for unit in world.units}
    expected = meanings(world, pack, facts)
    grammar = Grammar.of_world(world, pack, facts)
    yield from _span_findings(roles, documents)
    for document in documents:
        statements = extract(document.text, document.channel, grammar)
        yield from _statement_findings(document, statements, expected, roles)
        yield from _loose_findings(document, statements, world, pack)
        for found in lint(document.text, loud=style_of(document.channel) == "wire"):
            yield f"{document.id}: {found}"
    yield from _order_findings(world, documents, roles, grammar)


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


def _statement_findings(
    document: Document,
    statements: Sequence[Statement],
    expected: Mapping[str, Meaning],
    roles: Mapping[str, UnitRole],
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
        elif span.unit not in expected:
            yield f"{document.id}: {span.unit} is no unit of the world"
        elif (here[0].role, _undated(here[0].meaning)) != (roles[span.unit], expected[span.unit]):
            yield f"{document.id}: unit {span.unit} reads as something else: {here[0].meaning}"
    for start, end in sorted(by_place):
        yield f"{document.id}: {document.text[start:end]!r} states what no unit says"


def _loose_findings(
    document: Document, statements: Sequence[Statement], world: World, pack: Pack
) -> Iterator[str]:
    """Marks, names and action verbs that stand outside what may carry them."""
    for found in MARK.finditer(document.text):
        if not _inside(found.start(), statements):
            yield f"{document.id}: mark {found[0]} stands outside every unit"
    say = str.upper if style_of(document.channel) == "wire" else str
    names = {say(name) for name in pack.lexicon.names}
    rules = (world.policy.rule, world.policy.provisional)
    verbs = {branch.verb for rule in rules for branch in (rule.then, rule.otherwise)}
    orders = [s for s in statements if s.role in ("provisional", "policy")]
    for word in _LOOSE.finditer(document.text):
        if word[0] in names and not _inside(word.start(), statements):
            yield f"{document.id}: the name {word[0]} stands outside every unit"
        if word[0].lower() in verbs and not _inside(word.start(), orders):
            yield f"{document.id}: the action verb {word[0]!r} stands outside every order"


def _order_findings(
    world: World,
    documents: Sequence[Document],
    roles: Mapping[str, UnitRole],
    grammar: Grammar,
) -> Iterator[str]:
    """Dates ascend, the order in force retires all before it, and three outcomes differ."""
    dated = [
        (roles[span.unit], document)
        for document in documents
        for span in document.spans
        if roles.get(span.unit) in ORDER_ROLES
    ]
    if [role for role, _ in dated] != list(ORDER_ROLES):
        yield "orders do not stand in order of date"
        return
    days, months = [], set()
    for _, document in dated:
        found = _DATED.search(document.heading)
        if found is None:
            yield f"{document.id} has no date in its heading {document.heading!r}"
            return
        days.append(int(found[1]))
        months.add(found[2])
    if days != sorted(set(days)) or len(months) != 1:
        yield f"the orders' dates {days} do not ascend within one month"
    last = dated[-1][1]
    replaced = dates_said(days[:2], months.pop())
    for statement in extract(last.text, last.channel, grammar):
        if isinstance(statement.meaning, Order) and statement.meaning.replaces != replaced:
            yield f"{last.id} retires {statement.meaning.replaces!r}, not {replaced!r}"
    outcomes = {
        resolve(branch, world.truth, world.mark_of)
        for branch in (
            world.policy.rule.live(world.truth),
            world.policy.rule.dead(world.truth),
            world.policy.provisional.live(world.truth),
        )
    }
    if len(outcomes) != 3:
        yield "the two branches and the provisional order do not lead to three actions"


def _undated(meaning: Meaning) -> Meaning:
    return replace(meaning, replaces="") if isinstance(meaning, Order) else meaning


def _inside(at: int, statements: Sequence[Statement]) -> bool:
    return any(statement.start <= at < statement.end for statement in statements)
