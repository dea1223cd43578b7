"""Stage what the record is for: apparent goal, rule in force, provisional rule.

The two branches of the live rule and the result of the provisional rule are three different
actions, so that a failure can be told from its action. Every condition stands on facts that the
clues force, and can be false once some clue is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from worlds.core.constraints import Constraint, Literal, Value, opposite
from worlds.core.engines import Answer
from worlds.core.engines.dpll import Dpll
from worlds.core.errors import NotProved
from worlds.core.forge.derive import Deriver
from worlds.core.forge.sample import Draft
from worlds.core.policy import Branch, Policy, Rule
from worlds.core.seeds import Stream

__all__ = ["stage_policy"]

_TRIES = 60


def stage_policy(
    draft: Draft,
    depth: Mapping[str, int],
    clues: Mapping[str, Constraint],
    engine: Dpll,
    active: Sequence[str],
    verbs: tuple[str, str],
    stream: Stream,
) -> tuple[Policy, str]:
    """A policy over deep facts, and the variable of the apparent goal.

    `engine` holds the evidence under `active` labels. Of the two verbs the first is required; which
    branch is live is a fair coin. Raises NotProved when no staging fits this world.
    """
    deriver = Deriver(draft.values, draft.domain_names)
    required, other = verbs
    met = stream.chance(0.5)
    for _ in range(_TRIES):
        persons = _deep(_persons(draft), depth, stream)
        parties = _distinct(persons, draft.solution)
        if len(parties) < 3:
            break
        item = stream.choice([term for term in persons if term not in parties[:1]])
        condition = _condition(deriver, draft, depth, met, item, stream)
        if not all(_can_fail(literal, draft, clues, engine, active) for literal in condition):
            continue
        live, dead = Branch(required, item, parties[0]), Branch(other, item, parties[1])
        rule = Rule(condition, live, dead) if met else Rule(condition, dead, live)
        provisional = _provisional(deriver, draft, depth, verbs, item, parties, stream)
        apparent = stream.choice([term for term in persons + _ordinals(draft) if term != item])
        return Policy(rule, provisional), apparent
    raise NotProved("policy", "refuted", "no rule with three different outcomes fits this world")


def _persons(draft: Draft) -> list[str]:
    ordinal = {domain.name for domain in draft.domains if domain.is_ordinal}
    return [v.id for v in draft.variables if v.domain not in ordinal]


def _ordinals(draft: Draft) -> list[str]:
    persons = set(_persons(draft))
    return [v.id for v in draft.variables if v.id not in persons]


def _deep(terms: Sequence[str], depth: Mapping[str, int], stream: Stream) -> list[str]:
    """The terms in random order, deep ones more likely in front."""
    keys = {term: stream.random() * (1 + depth[term]) for term in terms}
    return sorted(terms, key=lambda term: -keys[term])


def _distinct(terms: Sequence[str], solution: Mapping[str, Value]) -> list[str]:
    """The terms whose value none before them has."""
    seen: set[Value] = set()
    chosen = []
    for term in terms:
        if solution[term] not in seen:
            seen.add(solution[term])
            chosen.append(term)
    return chosen


def _condition(
    deriver: Deriver,
    draft: Draft,
    depth: Mapping[str, int],
    met: bool,
    item: str,
    stream: Stream,
) -> tuple[Literal, ...]:
    """Two literals over two deep variables: both true if `met`, else one or both false."""
    chosen = [t for t in _deep([v.id for v in draft.variables], depth, stream) if t != item][:2]
    truths = [True, True]
    if not met:
        truths = stream.choice([[True, False], [False, True], [False, False]])
    return tuple(
        deriver.literal(term, draft.solution, truth, stream)
        for term, truth in zip(chosen, truths, strict=True)
    )


def _provisional(
    deriver: Deriver,
    draft: Draft,
    depth: Mapping[str, int],
    verbs: tuple[str, str],
    item: str,
    parties: Sequence[str],
    stream: Stream,
) -> Rule:
    """A superseded rule whose live branch names the third party, with either verb."""
    wanted, spare = verbs if stream.chance(0.5) else verbs[::-1]
    met = stream.chance(0.5)
    terms = [t for t in _deep([v.id for v in draft.variables], depth, stream) if t != item]
    literal = deriver.literal(terms[0], draft.solution, met, stream)
    live, dead = Branch(wanted, item, parties[2]), Branch(spare, item, stream.choice(parties[:2]))
    return Rule((literal,), live, dead) if met else Rule((literal,), dead, live)


def _can_fail(
    literal: Literal,
    draft: Draft,
    clues: Mapping[str, Constraint],
    engine: Dpll,
    active: Sequence[str],
) -> bool:
    """Whether dropping one clue that speaks of the literal's term lets its truth change."""
    label = f"flip {literal.payload()}"
    if not engine.knows(label):
        held = literal.holds(draft.solution)
        flipped = opposite(literal, draft.values[literal.term], truth=held)
        if flipped is None:
            return False
        engine.add(label, flipped)
    for clue, constraint in clues.items():
        if literal.term in constraint.scope:
            rest = [other for other in active if other != clue]
            if engine.solve([label], given=rest, near=draft.solution).answer is Answer.SAT:
                return True
    return False
