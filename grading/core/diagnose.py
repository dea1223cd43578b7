"""Why a reply is wrong, decided by the engines and never by its words.

What a reply states is an assignment of values to variables. The clues, the rules, the distractors
and the bridges are constraints. Every finding is a question about the two, put to the constraints
themselves or to the DPLL engine; nothing here looks at the text of a reply.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from grading.core.score import AnswerKey, Grade, Verdict, is_action
from worlds.core.constraints import Constraint, Equality, Value
from worlds.core.engines import Answer as Satisfiable
from worlds.core.engines import problem_of
from worlds.core.engines.dpll import Dpll
from worlds.core.model import World
from worlds.core.policy import Rule, resolve

__all__ = ["Diagnosis", "Finding", "Kind", "diagnose"]


class Kind(StrEnum):
    """What can be said of a reply that is no task success."""

    UNREADABLE = "unreadable"
    """Nothing in it could be read as an answer."""

    PARTIAL_WORLD = "partial-world"
    """Some mark is left without a value."""

    FOLLOWED_PROVISIONAL = "followed-provisional"
    """The action is what the superseded rule requires, of the true world or of the stated one."""

    STOPPED_AT_APPARENT_GOAL = "stopped-at-apparent-goal"
    """The apparent objective is answered rightly and no action is stated."""

    ADOPTED_DISTRACTOR = "adopted-distractor"
    """The stated facts make a false report true."""

    MISSED_BRIDGE = "missed-bridge"
    """The stated facts satisfy every clue as soon as a bridge is given a wrong answer."""

    RIGHT_WORLD_WRONG_ACTION = "right-world-wrong-action"
    """The world is exact and the action is not the one required."""

    LUCKY_ACTION = "lucky-action"
    """The action is the one required and the world is not exact."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found; `unit` is the distractor or bridge that it is about."""

    kind: Kind
    unit: str | None = None

    def __str__(self) -> str:
        return self.kind.value if self.unit is None else f"{self.kind.value} {self.unit}"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Everything found in one reply; a task success has neither findings nor contradictions.

    `contradicted` lists the clues that no completion of the stated facts satisfies.
    """

    findings: tuple[Finding, ...] = ()
    contradicted: tuple[str, ...] = ()

    def payload(self) -> dict[str, Any]:
        """Its JSON shape."""
        return {
            "findings": [{"kind": f.kind.value, "unit": f.unit} for f in self.findings],
            "contradicted": list(self.contradicted),
        }


def diagnose(key: AnswerKey, found: Grade) -> Diagnosis:
    """Explain a grade. Asks the engine only about replies that state a wrong fact."""
    if found.task_success:
        return Diagnosis()
    if not found.readable:
        return Diagnosis((Finding(Kind.UNREADABLE),))
    stated = found.stated_world
    astray = any(stated[term] != key.world.solution[term] for term in stated)
    findings = [*_about_world(key, found, stated, astray), *_about_action(key, found, stated)]
    return Diagnosis(
        findings=tuple(findings),
        contradicted=_contradicted(key.world, stated) if astray else (),
    )


def _about_world(
    key: AnswerKey, found: Grade, stated: Mapping[str, Value], astray: bool
) -> list[Finding]:
    findings = []
    if any(verdict.verdict is Verdict.UNSTATED for verdict in found.verdicts):
        findings.append(Finding(Kind.PARTIAL_WORLD))
    if astray:
        findings += _adopted(key.world, stated)
        findings += _missed(key, stated)
    return findings


def _about_action(key: AnswerKey, found: Grade, stated: Mapping[str, Value]) -> list[Finding]:
    world = key.world
    findings = []
    if found.world_exact and not found.action_correct:
        findings.append(Finding(Kind.RIGHT_WORLD_WRONG_ACTION))
    if found.action_correct:
        findings.append(Finding(Kind.LUCKY_ACTION))
    elif _follows(key, found, world.solution) or _follows(key, found, stated):
        findings.append(Finding(Kind.FOLLOWED_PROVISIONAL))
    if found.action_count == 0 and stated.get(world.apparent) == world.solution[world.apparent]:
        findings.append(Finding(Kind.STOPPED_AT_APPARENT_GOAL))
    return findings


def _follows(key: AnswerKey, found: Grade, facts: Mapping[str, Value]) -> bool:
    """Whether the stated action is what the provisional rule requires on these facts."""
    rule: Rule = key.world.policy.provisional
    if found.claim is None or any(literal.term not in facts for literal in rule.condition):
        return False
    branch = rule.live(facts)
    if branch.party not in facts:
        return False
    return is_action(found.claim, resolve(branch, facts, key.world.mark_of))


def _adopted(world: World, stated: Mapping[str, Value]) -> list[Finding]:
    """False reports that the stated facts make true; all they speak of must be stated."""
    known = {**world.knowledge, **stated}
    return [
        Finding(Kind.ADOPTED_DISTRACTOR, unit.id)
        for unit in world.distractors
        if unit.hypothesis is not None
        and not unit.hypothesis.holds(world.truth)
        and all(term in known for term in unit.hypothesis.scope)
        and unit.hypothesis.holds(known)
    ]


def _missed(key: AnswerKey, stated: Mapping[str, Value]) -> list[Finding]:
    """Bridges that, answered wrongly, leave every clue consistent with the stated facts.

    The stated facts are not those of the true world, so with the right answers there is none.
    """
    world, engine = key.world, _engine(key)
    evidence = [unit.id for unit in world.clues]
    evidence += [_fact(term, value) for term, value in stated.items()]
    findings = []
    for bridge in world.bridges:
        others = [one.id for one in world.bridges if one is not bridge]
        if bridge.role == "essential":
            outcome = engine.solve([*evidence, *others])
            if outcome.answer is Satisfiable.SAT:
                findings.append(Finding(Kind.MISSED_BRIDGE, bridge.id))
    return findings


@lru_cache(maxsize=256)
def _engine(key: AnswerKey) -> Dpll:
    """An engine that knows a world's clues, its bridges' answers and every possible fact."""
    problem = problem_of(key.world)
    engine = Dpll(problem.domains)
    for label, constraint in problem.constraints.items():
        engine.add(label, constraint)
    for variable in key.world.variables:
        for value in problem.domains[variable.id]:
            engine.add(_fact(variable.id, value), Equality(variable.id, value=value))
    return engine


def _fact(term: str, value: Value) -> str:
    """The label of a fact."""
    return f"{term} = {value}"


def _contradicted(world: World, stated: Mapping[str, Value]) -> tuple[str, ...]:
    """The clues that are false of the stated facts, however the rest is filled in."""
    known = {**world.knowledge, **stated}
    return tuple(
        unit.id
        for unit in world.clues
        if unit.constraint is not None and _is_contradicted(world, unit.constraint, known)
    )


def _is_contradicted(world: World, constraint: Constraint, known: Mapping[str, Value]) -> bool:
    scope = constraint.scope
    told = [term for term in scope if term in known]
    if len(told) == len(scope):
        return not constraint.holds(known)
    if not told:
        return False
    engine = Dpll({term: world.term_values[term] for term in scope})
    engine.add("clue", constraint)
    for term in told:
        engine.add(term, Equality(term, value=known[term]))
    return engine.solve(["clue", *told]).answer is Satisfiable.UNSAT
