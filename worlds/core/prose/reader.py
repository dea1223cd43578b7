"""Read a record from its prompt alone: domains, evidence, questions and rules over marks.

Nothing here has seen the world. The frame says which kinds of jobs and scales are in play and who
can have done them; the grammar of exactly those then reads every paper. What is asked in the
explicit condition is not read: the record requires it anyway.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from worlds.core.bridges import BridgeFact
from worlds.core.constraints import Constraint, Implication, Value
from worlds.core.errors import Unreadable
from worlds.core.lexicon import Kind, Measure
from worlds.core.model import UnitRole
from worlds.core.packs.model import Pack
from worlds.core.policy import Rule
from worlds.core.prose.conditions import CONTRACT, OPENING, QUESTION, RECORD
from worlds.core.prose.extract import Closure, Order, Scale, Statement, extract, read_frames
from worlds.core.prose.formal import HEADLINE
from worlds.core.prose.formal_reader import read_formal
from worlds.core.prose.grammar import Grammar
from worlds.core.prose.lexis import Lexis
from worlds.core.prose.record import ReadRecord
from worlds.core.prose.scan import MARK
from worlds.core.prose.story.plan import CHANNEL

__all__ = ["read_prompt"]

_HEAD = re.compile(r"([1-9][0-9]*)\. (.+)")


def read_prompt(prompt: str, pack: Pack, facts: Sequence[BridgeFact]) -> ReadRecord:
    """The record in a prompt of any condition and realization, with or without its contract.

    Raises Unreadable that says what is missing.
    """
    if prompt.startswith(HEADLINE):
        return read_formal(prompt)
    papers = _papers(prompt, pack)
    notices = [text for channel, text in papers if channel == "notice"]
    lexis = Lexis.of_frames(pack.lexicon)
    frames = [s.meaning for text in notices for s in read_frames(text, pack, lexis)]
    closures = [m for m in frames if isinstance(m, Closure)]
    scales = [m for m in frames if isinstance(m, Scale)]
    if not closures:
        raise Unreadable("no notice closes a roster")
    kinds = _kinds(closures, scales, pack)
    names = [name for closure in closures for name in closure.names]
    grammar = Grammar(pack, kinds, names, facts)
    statements = [s for channel, text in papers for s in extract(text, channel, grammar)]
    return _record(statements, closures, scales, kinds, facts)


def _papers(prompt: str, pack: Pack) -> list[tuple[str, str]]:
    """Channel and text of every paper; a heading tells its channel, an unknown one is a notice."""
    channels = {shape.heading: shape.channel for shape in pack.shapes}
    papers = []
    for block in prompt.split("\n\n"):
        head, _, text = block.partition("\n")
        found = _HEAD.fullmatch(head)
        if found and text and not block.startswith((QUESTION, CONTRACT)):
            papers.append((channels.get(found[2], "notice"), text))
    return papers or _story(prompt)


def _story(prompt: str) -> list[tuple[str, str]]:
    """The one text of a story: what stands between the opening and the question or contract."""
    opening, *blocks = prompt.split("\n\n")
    told = [block for block in blocks if not block.startswith((QUESTION, CONTRACT))]
    if len(told) != 1 or opening not in (OPENING, RECORD):
        raise Unreadable("the prompt holds no numbered papers, and no story either")
    return [(CHANNEL, told[0])]


def _kinds(closures: Iterable[Closure], scales: Iterable[Scale], pack: Pack) -> list[Kind]:
    keys = {key for closure in closures for key in closure.kinds}
    measures = {scale.measure for scale in scales}
    kinds: list[Kind] = [role for role in pack.lexicon.roles if role.key in keys]
    kinds += [measure for measure in pack.lexicon.measures if measure.key in measures]
    return kinds


def _record(
    statements: Sequence[Statement],
    closures: Sequence[Closure],
    scales: Sequence[Scale],
    kinds: Sequence[Kind],
    facts: Sequence[BridgeFact],
) -> ReadRecord:
    domains: dict[str, tuple[Value, ...]] = {c.roster: c.names for c in closures}
    domains.update({s.measure: tuple(range(s.low, s.high + 1)) for s in scales})
    clues = _constraints(statements, "clue")
    tables = {c.rows[0][0].term: c for c in clues if isinstance(c, Implication) and c.is_table}
    questions = {fact.key: fact.question for fact in facts if fact.key in tables}
    return ReadRecord(
        domains=domains,
        variables=_variables(statements, kinds),
        clues=clues,
        reports=_constraints(statements, "distractor"),
        questions=questions,
        options={
            term: tuple(str(premise.value) for premise, _ in table.rows)
            for term, table in tables.items()
        },
        rule=_rule(statements, "policy"),
        provisional=_rule(statements, "provisional"),
        apparent=next((str(s.meaning) for s in statements if s.role == "objective"), None),
    )


def _constraints(statements: Sequence[Statement], role: UnitRole) -> tuple[Constraint, ...]:
    return tuple(
        s.meaning  # type: ignore[misc]
        for s in statements
        if s.role == role
    )


def _rule(statements: Sequence[Statement], role: UnitRole) -> Rule:
    rules = [s.meaning.rule for s in statements if s.role == role and isinstance(s.meaning, Order)]
    if len(rules) != 1:
        raise Unreadable(f"the record holds {len(rules)} orders of role {role} instead of one")
    return rules[0]


def _variables(statements: Sequence[Statement], kinds: Sequence[Kind]) -> dict[str, str]:
    """Every mark that a statement speaks of, with its domain."""
    domains = {
        kind.letter: kind.key if isinstance(kind, Measure) else kind.roster for kind in kinds
    }
    marks: set[str] = set()
    for statement in statements:
        marks.update(_marks(statement))
    return {mark: domains[mark[0]] for mark in sorted(marks)}


def _marks(statement: Statement) -> list[str]:
    match statement.meaning:
        case Order(rule=rule):
            named = [*rule.scope, rule.then.item, rule.otherwise.item]
        case str() as mark:
            named = [mark]
        case Closure() | Scale():
            named = []
        case meaning:
            named = list(getattr(meaning, "scope", ()))
    return [term for term in named if MARK.fullmatch(term)]
