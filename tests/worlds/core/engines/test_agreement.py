"""Three engines and two enumerations, which share no code, agree on small problems."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings

from tests.worlds.core.engines.problems import (
    CLASSES,
    Small,
    models,
    of_class,
    random_problem,
    small_problems,
)
from worlds.core.constraints import Value
from worlds.core.engines import Answer, z3_check
from worlds.core.engines.dpll import Dpll
from worlds.core.engines.enumeration import Enumeration, enumerate_models
from worlds.core.engines.oracle import Oracle


def _engine(problem: Small) -> Dpll:
    engine = Dpll(problem.domains)
    for label, constraint in problem.constraints.items():
        engine.add(label, constraint)
    return engine


def _models_by_dpll(problem: Small, most: int = 60) -> list[dict[str, Value]]:
    """All models, or the first, found by banning one after the other."""
    engine = _engine(problem)
    active = list(problem.constraints)
    found: list[dict[str, Value]] = []
    while len(found) < most:
        outcome = engine.solve(active)
        if outcome.model is None:
            assert outcome.answer is Answer.UNSAT
            break
        found.append(dict(outcome.model))
        active.append(f"ban {len(found)}")
        engine.ban(active[-1], outcome.model)
    return found


def _assert_same_models(problem: Small) -> None:
    expected = models(problem.domains, problem.constraints.values())
    found = _models_by_dpll(problem)
    assert all(model in expected for model in found)
    assert len({tuple(model.items()) for model in found}) == len(found)
    assert len(found) == min(len(expected), 60)
    assert Oracle(problem.domains).count(problem.constraints.values()) == len(expected)
    assert Enumeration(problem.domains).count(problem.constraints.values()) == len(expected)
    assert enumerate_models(problem.domains, problem.constraints.values()) == expected


def _assert_z3_agrees(problem: Small) -> None:
    expected = models(problem.domains, problem.constraints.values())
    outcome = z3_check.check(problem.domains, problem.constraints.values())
    assert outcome.answer == (Answer.SAT if expected else Answer.UNSAT)
    assert outcome.model is None or outcome.model in expected
    if expected:
        banned = z3_check.check(problem.domains, problem.constraints.values(), banned=expected[0])
        assert banned.answer == (Answer.SAT if len(expected) > 1 else Answer.UNSAT)
        assert banned.model is None or banned.model in expected[1:]


@settings(max_examples=400, deadline=None)
@given(small_problems)
def test_native_engines_have_the_same_models(problem: Small) -> None:
    _assert_same_models(problem)


@settings(max_examples=100, deadline=None)
@given(small_problems)
def test_z3_agrees(problem: Small) -> None:
    _assert_z3_agrees(problem)


@pytest.mark.parametrize("kind", CLASSES)
def test_each_class_alone(kind: str) -> None:
    stream = random.Random(kind)
    for round_ in range(60):
        domains = random_problem(stream, clues=(0, 0)).domains
        problem = Small(domains, {"E0": of_class(kind, domains, stream)})
        _assert_same_models(problem)
        if round_ < 20:
            _assert_z3_agrees(problem)


@pytest.mark.parametrize(("one", "other"), list(combinations_with_replacement(CLASSES, 2)))
def test_each_pair_of_classes(one: str, other: str) -> None:
    stream = random.Random(f"{one} {other}")
    for round_ in range(25):
        domains = random_problem(stream, clues=(0, 0)).domains
        pair = {"E0": of_class(one, domains, stream), "E1": of_class(other, domains, stream)}
        problem = Small(domains, pair)
        _assert_same_models(problem)
        if round_ < 5:
            _assert_z3_agrees(problem)


@pytest.mark.slow
def test_ten_thousand_random_worlds() -> None:
    stream = random.Random("ten thousand")
    for round_ in range(10_000):
        problem = random_problem(stream)
        _assert_same_models(problem)
        if round_ % 5 == 0:
            _assert_z3_agrees(problem)


def test_larger_problems_agree_with_the_count() -> None:
    # Here the search learns, backjumps and wakes learned clauses, as it hardly does on small ones.
    stream = random.Random("larger")
    decisions = 0
    for _ in range(60):
        problem = random_problem(stream, terms=(8, 12), clues=(9, 16))
        engine, oracle = _engine(problem), Oracle(problem.domains)
        for _ in range(10):
            active = [label for label in problem.constraints if stream.random() < 0.8]
            chosen = [problem.constraints[label] for label in active]
            outcome = engine.solve(active)
            count = oracle.count(chosen)
            assert (outcome.answer is Answer.SAT) == bool(count)
            assert outcome.model is None or all(c.holds(outcome.model) for c in chosen)
            decisions += outcome.decisions
    assert decisions > 0
