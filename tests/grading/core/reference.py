"""Grading and diagnosis straight from their definitions, with nothing remembered and no short cut.

What `score` and `diagnose` say is compared with this. Slow, and meant to be read beside metrics.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grading.core.answers import Answer, Claim, Reading
from grading.core.normal import normalise, storable, value_key
from worlds.core.constraints import Constraint, Equality, Value
from worlds.core.engines import Answer as Satisfiable
from worlds.core.engines import problem_of
from worlds.core.engines.dpll import Dpll
from worlds.core.model import Unit, World
from worlds.core.policy import Action, Rule, resolve

__all__ = ["expected"]

_Facts = Mapping[str, Value]


def expected(world: World, reading: Reading) -> tuple[dict[str, Any], dict[str, Any]]:
    """The payloads of the grade and of the diagnosis that a reading deserves."""
    claims = list(reading.facts) if isinstance(reading, Answer) else []
    actions = list(reading.actions) if isinstance(reading, Answer) else []
    by_mark: dict[str, list[Claim]] = {}
    for claim in claims:
        if claim.value is not None:
            by_mark.setdefault(normalise(claim.mark), []).append(claim)
    verdicts, stated = [], {}
    for variable in world.variables:
        said = by_mark.get(normalise(variable.mark), [])
        value = _agreed(world, variable.id, said)
        if value is not None:
            stated[variable.id] = value
        right = value is not None and value == world.solution[variable.id]
        verdict = "right" if right else "wrong" if said else "unstated"
        told = list(dict.fromkeys(claim.shown for claim in said))
        verdicts.append(
            {"variable": variable.id, "mark": variable.mark, "verdict": verdict, "stated": told}
        )
    known_marks = {normalise(variable.mark) for variable in world.variables}
    unknown = [storable(c[0].mark) for mark, c in by_mark.items() if mark not in known_marks]
    different = {_written(claim): claim for claim in actions}
    single = next(iter(different.values())) if len(different) == 1 else None
    tp = sum(verdict["verdict"] == "right" for verdict in verdicts)
    exact = tp == len(verdicts) == len(by_mark)
    correct = single is not None and _is(single, world.action)
    required = single and _required(world, world.policy.rule, stated)
    grade = {
        "facts": {"n": len(verdicts), "stated": len(by_mark), "tp": tp},
        "verdicts": verdicts,
        "unknown": unknown,
        "action": single
        and {
            "verb": storable(single.word),
            "item": storable(single.mark),
            "party": single.shown,
        },
        "action_count": len(different),
        "action_correct": correct,
        "policy_consistent": _is(single, required) if single and required else None,
        "readable": isinstance(reading, Answer),
        "world_exact": exact,
        "task_success": exact and correct,
    }
    return grade, _diagnosis(world, grade, stated, single)


def _agreed(world: World, variable: str, said: list[Claim]) -> Value | None:
    domain = world.term_values[variable]
    ordinal = all(isinstance(value, int) for value in domain)
    keys = {value_key(claim.value, ordinal) for claim in said}
    if len(keys) != 1:
        return None
    key = keys.pop()
    return next((v for v in domain if key is not None and value_key(v, ordinal) == key), None)


def _written(claim: Claim) -> tuple[object, ...]:
    number, name = value_key(claim.value, ordinal=True), value_key(claim.value, ordinal=False)
    party = number if number is not None else name
    compared = ("shown", claim.shown) if party is None else ("value", repr(party))
    return (normalise(claim.word), normalise(claim.mark), *compared)


def _is(claim: Claim, action: Action) -> bool:
    ordinal = isinstance(action.party, int)
    party = value_key(claim.value, ordinal)
    return (
        normalise(claim.word) == normalise(action.verb)
        and normalise(claim.mark) == normalise(action.item)
        and party is not None
        and party == value_key(action.party, ordinal)
    )


def _required(world: World, rule: Rule, facts: _Facts) -> Action | None:
    if any(literal.term not in facts for literal in rule.condition):
        return None
    branch = rule.live(facts)
    return resolve(branch, facts, world.mark_of) if branch.party in facts else None


def _diagnosis(
    world: World, grade: Mapping[str, Any], stated: _Facts, action: Claim | None
) -> dict[str, Any]:
    if grade["task_success"]:
        return {"findings": [], "contradicted": []}
    if not grade["readable"]:
        return {"findings": [{"kind": "unreadable", "unit": None}], "contradicted": []}
    found: list[tuple[str, str | None]] = []
    contradicted: list[str] = []
    if any(verdict["verdict"] == "unstated" for verdict in grade["verdicts"]):
        found.append(("partial-world", None))
    if any(value != world.solution[term] for term, value in stated.items()):
        known = {**world.knowledge, **stated}
        contradicted = [u.id for u in world.clues if _contradicted(world, u.constraint, known)]
        found += [("adopted-distractor", unit.id) for unit in _adopted(world, known)]
        essential = [bridge.id for bridge in world.bridges if bridge.role == "essential"]
        found += [("missed-bridge", each) for each in essential if _fits(world, stated, each)]
    if grade["world_exact"] and not grade["action_correct"]:
        found.append(("right-world-wrong-action", None))
    provisional = [_required(world, world.policy.provisional, f) for f in (world.solution, stated)]
    if grade["action_correct"]:
        found.append(("lucky-action", None))
    elif action is not None and any(p is not None and _is(action, p) for p in provisional):
        found.append(("followed-provisional", None))
    goal = world.apparent
    if grade["action_count"] == 0 and stated.get(goal) == world.solution[goal]:
        found.append(("stopped-at-apparent-goal", None))
    findings = [{"kind": kind, "unit": unit} for kind, unit in found]
    return {"findings": findings, "contradicted": contradicted}


def _adopted(world: World, known: _Facts) -> list[Unit]:
    return [
        unit
        for unit in world.distractors
        if unit.hypothesis is not None
        and not unit.hypothesis.holds(world.truth)
        and all(term in known for term in unit.hypothesis.scope)
        and unit.hypothesis.holds(known)
    ]


def _contradicted(world: World, clue: Constraint | None, known: _Facts) -> bool:
    assert clue is not None
    told = [term for term in clue.scope if term in known]
    engine = Dpll({term: world.term_values[term] for term in clue.scope})
    engine.add("clue", clue)
    for term in told:
        engine.add(term, Equality(term, value=known[term]))
    return bool(told) and engine.solve(["clue", *told]).answer is Satisfiable.UNSAT


def _fits(world: World, stated: _Facts, bridge: str) -> bool:
    """Whether the stated facts meet every clue when nothing is said of the bridge's answer."""
    problem = problem_of(world)
    engine = Dpll(problem.domains)
    constraints = dict(problem.constraints)
    del constraints[bridge]
    constraints |= {f"stated {t}": Equality(t, value=value) for t, value in stated.items()}
    for label, constraint in constraints.items():
        engine.add(label, constraint)
    return engine.solve(list(constraints)).answer is Satisfiable.SAT
