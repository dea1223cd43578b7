"""Three engines and two enumerations, which share no code, agree on small problems."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import pytest
import z3
from hypothesis import given, settings

from tests.worlds.core.engines.problems import (
    CLASSES,
    Small,
    models,
    of_class,
    random_problem,
    small_problems,
)
from worlds.core.constraints import (
    AllDifferent,
    Arithmetic,
    Constraint,
    Equality,
    ExactlyOne,
    Implication,
    Inequality,
    Literal,
    Value,
)
from worlds.core.engines import Answer, z3_check
from worlds.core.engines.dpll import Dpll
from worlds.core.engines.enumeration import Enumeration, enumerate_models
from worlds.core.engines.oracle import Oracle

_MOST = 400
"""How many models one after the other an engine is asked for; 99 problems in 100 have fewer."""


def _engine(problem: Small) -> Dpll:
    engine = Dpll(problem.domains)
    for label, constraint in problem.constraints.items():
        engine.add(label, constraint)
    return engine


def _models_by_dpll(problem: Small) -> list[Mapping[str, Value]]:
    """All models, or the first, found by banning one after the other."""
    engine = _engine(problem)
    active = list(problem.constraints)
    found: list[Mapping[str, Value]] = []
    while len(found) < _MOST:
        outcome = engine.solve(active)
        if outcome.model is None:
            assert outcome.answer is Answer.UNSAT
            break
        found.append(outcome.model)
        active.append(f"ban {len(found)}")
        engine.ban(active[-1], outcome.model)
    return found


@cache
def _context() -> Any:
    """One context for all problems: making it costs more than most of them."""
    return z3.Context()


def _models_by_z3(problem: Small) -> list[Mapping[str, Value]]:
    """All models, or the first, in the encoding of the third opinion."""
    encoding = z3_check.Encoding(problem.domains, _context())
    solver = z3.SolverFor("QF_LIA", ctx=_context())
    solver.add(*encoding.bounds())
    solver.add(*(encoding.formula(each) for each in problem.constraints.values()))
    found: list[Mapping[str, Value]] = []
    while len(found) < _MOST and (verdict := solver.check()) != z3.unsat:
        assert verdict == z3.sat
        found.append(encoding.read(solver.model()))
        solver.add(encoding.differs(found[-1]))
    return found


def _assert_same_models(problem: Small) -> None:
    """The models that a plain product finds are DPLL's, and as many as the counters count."""
    constraints = problem.constraints.values()
    expected = models(problem.domains, constraints)
    _assert_found(_models_by_dpll(problem), expected)
    assert Oracle(problem.domains).count(constraints) == len(expected)
    assert Enumeration(problem.domains).count(constraints) == len(expected)
    assert enumerate_models(problem.domains, constraints) == expected


def _assert_found(found: list[Mapping[str, Value]], expected: list[dict[str, Value]]) -> None:
    """As a set, what was found is what was expected, or as much of it as was asked for."""
    assert all(model in expected for model in found)
    assert len({tuple(sorted(model.items())) for model in found}) == len(found)
    assert len(found) == min(len(expected), _MOST)


def _assert_z3_agrees(problem: Small) -> None:
    expected = models(problem.domains, problem.constraints.values())
    _assert_found(_models_by_z3(problem), expected)


def _assert_z3_answers(problem: Small) -> None:
    """As certification asks it: is there a model, and is there one beside this one."""
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
    _assert_z3_answers(problem)


@pytest.mark.parametrize("kind", CLASSES)
def test_each_class_alone(kind: str) -> None:
    stream = random.Random(kind)
    for round_ in range(60):
        domains = random_problem(stream, clues=(0, 0)).domains
        problem = Small(domains, {"E0": of_class(kind, domains, stream)})
        _assert_same_models(problem)
        if round_ < 15:
            _assert_z3_agrees(problem)


@pytest.mark.parametrize(("one", "other"), list(combinations_with_replacement(CLASSES, 2)))
def test_each_pair_of_classes(one: str, other: str) -> None:
    stream = random.Random(f"{one} {other}")
    for round_ in range(25):
        domains = random_problem(stream, clues=(0, 0)).domains
        pair = {"E0": of_class(one, domains, stream), "E1": of_class(other, domains, stream)}
        problem = Small(domains, pair)
        _assert_same_models(problem)
        if round_ < 8:
            _assert_z3_agrees(problem)


_ABC = ("ash", "bay", "cob")
_DOMAINS: dict[str, tuple[Value, ...]] = {"N": _ABC, "O": (1, 2, 3), "P": (3, 4), "S": ("ash",)}
_ALL = 18
_DEGENERATE: dict[str, tuple[Constraint, int]] = {
    "equal to itself": (Equality("N", right="N"), _ALL),
    "different from itself": (Inequality("!=", "N", right="N"), 0),
    "lower than itself": (Inequality("<", "O", right="O"), 0),
    "itself and none": (Arithmetic("offset", "O", "O", 0), _ALL),
    "itself and one": (Arithmetic("offset", "O", "O", 1), 0),
    "twice itself": (Arithmetic("sum", "O", "O", 4), 6),
    "less itself": (Arithmetic("difference", "O", "O", 0), _ALL),
    "one term, all different": (AllDifferent(("N", "N")), 0),
    "more terms than values": (AllDifferent(("O", "P", "O")), 0),
    "one value each, the same": (AllDifferent(("S", "S")), 0),
    "names and numbers": (AllDifferent(("N", "O")), _ALL),
    "exactly one of one": (ExactlyOne((Literal("N", "=", "bay"),)), 6),
    "exactly one of one twice": (ExactlyOne((Literal("N", "=", "bay"),) * 2), 0),
    "exactly one of both": (ExactlyOne((Literal("O", "<", 2), Literal("O", ">", 1))), _ALL),
    "exactly one, none possible": (ExactlyOne((Literal("N", "=", "nobody"),)), 0),
    "itself follows": (Implication.of(Literal("N", "=", "bay"), Literal("N", "=", "bay")), _ALL),
    "never itself": (Implication.of(Literal("N", "=", "bay"), Literal("N", "!=", "bay")), 12),
    "nothing follows": (Implication.of(Literal("S", "=", "ash"), Literal("N", "=", "none")), 0),
    "the only value": (Equality("S", value="ash"), _ALL),
    "not the only value": (Inequality("!=", "S", value="ash"), 0),
    "a value outside": (Equality("O", value=9), 0),
    "not a value outside": (Inequality("!=", "O", value=9), _ALL),
    "a name against a number": (Equality("N", right="O"), 0),
    "a name below a number": (Inequality("<", "N", right="O"), 0),
    "a sum of names": (Arithmetic("sum", "N", "N", 2), 0),
    "a step outside": (Arithmetic("offset", "O", "P", 5), 0),
    "domains that overlap": (Equality("O", right="P"), 3),
}


@pytest.mark.parametrize("name", _DEGENERATE)
def test_degenerate_constraints_mean_the_same_to_all(name: str) -> None:
    # The other terms are in no constraint and free.
    constraint, count = _DEGENERATE[name]
    problem = Small(_DOMAINS, {"E0": constraint})
    assert len(models(_DOMAINS, [constraint])) == count
    _assert_same_models(problem)
    _assert_z3_agrees(problem)


@pytest.mark.parametrize(
    "domains", [{}, {"V0": ("ash",)}, {"V0": ()}, {"V0": (1, 2), "V1": ()}], ids=str
)
def test_problems_without_a_constraint(domains: dict[str, tuple[Value, ...]]) -> None:
    _assert_same_models(Small(domains, {}))
    _assert_z3_agrees(Small(domains, {}))


_PARTS = 4
_WORLDS = 10_000


def _worlds(part: int) -> Iterator[Small]:
    """A share of the random worlds; every other one has a model planted."""
    stream = random.Random(f"ten thousand, part {part}")
    for round_ in range(_WORLDS // _PARTS):
        yield random_problem(stream, planted=round_ % 2 == 1)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(_PARTS))
def test_ten_thousand_random_worlds(part: int) -> None:
    for number, problem in enumerate(_worlds(part)):
        _assert_same_models(problem)
        _assert_z3_agrees(problem)
        if number % 10 == 0:
            _assert_z3_answers(problem)


def _kinds_of(problem: Small) -> Iterator[str]:
    """What a random world is an example of."""
    for values in problem.domains.values():
        yield f"{len(values)} values"
    kinds = sorted(constraint.kind for constraint in problem.constraints.values())
    for index, kind in enumerate(kinds):
        yield kind
        yield from (f"{kind} and {other}" for other in kinds[index + 1 :])
    used: set[str] = set()
    for constraint in problem.constraints.values():
        used |= set(constraint.scope)
        yield f"arity {len(set(constraint.scope))}"
        match constraint:
            case AllDifferent(terms):
                yield f"all different: {len(terms)} terms"
                values = {value for term in terms for value in problem.domains[term]}
                if len(values) < len(terms):
                    yield "more terms than values"
                if len(set(terms)) < len(terms):
                    yield "a term twice"
            case ExactlyOne(literals):
                yield f"exactly one of {len(literals)}"
            case Equality(left, str() as right, _) | Inequality(_, left, str() as right, _):
                if left == right:
                    yield "a term against itself"
            case Arithmetic(_, left, right, _) if left == right:
                yield "a sum with itself"
    if set(problem.domains) - used:
        yield "a term in no constraint"


_WANTED = {
    *(f"{size} values" for size in range(1, 6)),
    *(f"arity {size}" for size in range(1, 6)),
    *(f"all different: {size} terms" for size in range(2, 6)),
    *(f"exactly one of {size}" for size in range(1, 6)),
    *CLASSES,
    *(" and ".join(pair) for pair in combinations_with_replacement(sorted(CLASSES), 2)),
    *("more terms than values", "a term twice", "a term against itself", "a sum with itself"),
    "a term in no constraint",
}


def test_the_random_worlds_are_examples_of_everything() -> None:
    seen = Counter(kind for problem in _worlds(0) for kind in set(_kinds_of(problem)))
    assert set(seen) >= _WANTED
    assert min(seen[kind] for kind in _WANTED) >= 20


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
