"""The DPLL engine: labels, budgets, cores, leave-one-out queries, and no leftovers."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worlds.core.engines.problems import Small, models, random_problem, small_problems
from worlds.core.constraints import (
    AllDifferent,
    Arithmetic,
    Constraint,
    Equality,
    Implication,
    Inequality,
    Literal,
)
from worlds.core.engines import Answer
from worlds.core.engines.dpll import Dpll


def _engine(problem: Small, budget: int = 10_000) -> Dpll:
    engine = Dpll(problem.domains, budget=budget)
    for label, constraint in problem.constraints.items():
        engine.add(label, constraint)
    return engine


def _pigeons(count: int) -> Small:
    """All different, with a value too few: hard for clauses, so that a budget can run out."""
    terms = tuple(f"V{i}" for i in range(count))
    return Small({term: tuple(range(count - 1)) for term in terms}, {"E1": AllDifferent(terms)})


def _chain(length: int) -> Small:
    domains = {f"V{i}": tuple(range(length)) for i in range(length)}
    constraints: dict[str, Constraint] = {"E0": Equality("V0", value=0)}
    for i in range(1, length):
        constraints[f"E{i}"] = Arithmetic("offset", f"V{i}", f"V{i - 1}", 1)
    return Small(domains, constraints)


def test_labels_that_are_off_say_nothing() -> None:
    engine = _engine(Small({"V0": ("a", "b")}, {"E1": Equality("V0", value="a")}))
    engine.add("E2", Equality("V0", value="b"))
    assert engine.solve(["E1"]).model == {"V0": "a"}
    assert engine.solve(["E2"]).model == {"V0": "b"}
    assert engine.solve(["E1", "E2"]).answer is Answer.UNSAT
    assert engine.solve([]).answer is Answer.SAT


def test_a_label_in_use_is_refused() -> None:
    engine = _engine(Small({"V0": ("a",)}, {"E1": Equality("V0", value="a")}))
    with pytest.raises(ValueError, match="E1 is in use"):
        engine.ban("E1", {"V0": "a"})


def test_a_ban_on_some_terms_leaves_the_others_free() -> None:
    engine = Dpll({"V0": ("a", "b"), "V1": (1, 2)})
    engine.ban("ban", {"V0": "a"})
    outcome = engine.solve(["ban"])
    assert outcome.model is not None
    assert outcome.model["V0"] == "b"
    assert set(outcome.model) == {"V0", "V1"}


def test_a_ban_on_a_value_outside_the_domain_bans_nothing() -> None:
    engine = Dpll({"V0": ("a",)})
    engine.ban("ban", {"V0": "z"})
    assert engine.solve(["ban"]).answer is Answer.SAT


def test_a_term_without_values_has_no_model() -> None:
    engine = Dpll({"V0": (), "V1": ("a",)})
    engine.add("E1", Equality("V1", value="a"))
    assert engine.solve(["E1"]).answer is Answer.UNSAT
    assert engine.solve([]).answer is Answer.UNSAT
    assert engine.propagate([]).conflict


def test_no_terms_at_all_have_one_empty_model() -> None:
    assert Dpll({}).solve([]).model == {}


def test_a_budget_that_runs_out_is_unknown_and_repeats() -> None:
    answers = [_engine(_pigeons(9), budget=500).solve(["E1"]) for _ in range(2)]
    assert answers[0].answer is Answer.UNKNOWN
    assert answers[0].model is None
    assert answers[0] == answers[1]


def test_a_core_within_a_budget_that_runs_out_is_none() -> None:
    assert _engine(_pigeons(9), budget=500).core(["E1"]) is None


def test_a_long_chain_needs_no_recursion() -> None:
    problem = _chain(300)
    outcome = _engine(problem, budget=10**6).solve(problem.constraints)
    assert outcome.model == {f"V{i}": i for i in range(300)}
    assert outcome.decisions == 0


@settings(max_examples=200, deadline=None)
@given(small_problems, st.booleans(), st.integers(0, 2**20))
def test_without_each_agrees_with_queries_one_by_one(
    problem: Small, wished: bool, seed: int
) -> None:
    stream = random.Random(seed)
    near = {term: stream.choice(values) for term, values in problem.domains.items()}
    labels = list(problem.constraints)
    outcomes = _engine(problem).without_each(
        labels,
        [],
        near=near if wished else None,
        away={label: each.scope for label, each in problem.constraints.items()},
    )
    assert list(outcomes) == labels
    for label, outcome in outcomes.items():
        others = [each for other, each in problem.constraints.items() if other != label]
        expected = models(problem.domains, others)
        assert (outcome.answer is Answer.SAT) == bool(expected)
        assert outcome.model is None or outcome.model in expected


@settings(max_examples=200, deadline=None)
@given(small_problems, st.booleans(), st.booleans())
def test_a_core_is_refuted_and_minimal(problem: Small, guided: bool, wished: bool) -> None:
    near = {term: values[0] for term, values in problem.domains.items()} if wished else None
    labels = list(problem.constraints)
    always, active = labels[:1], labels[1:]
    core = _engine(problem).core(active, given=always, near=near, guided=guided)
    if models(problem.domains, problem.constraints.values()):
        assert core is None
        return
    assert core is not None
    kept = [problem.constraints[label] for label in [*always, *core]]
    assert not models(problem.domains, kept)
    for label in core:
        assert models(problem.domains, [c for c in kept if c is not problem.constraints[label]])


def test_an_unguided_core_keeps_the_labels_in_front() -> None:
    pins = {f"E{i}": Equality("V0", value="b") for i in range(6)}
    engine = _engine(Small({"V0": ("a", "b")}, pins))
    engine.ban("ban", {"V0": "b"})
    assert engine.core(list(pins), given=["ban"], guided=False) == ("E0",)


@settings(max_examples=100, deadline=None)
@given(small_problems, st.integers(0, 2**20))
def test_queries_in_any_order_leave_nothing_behind(problem: Small, seed: int) -> None:
    # A solver that keeps its ban clauses would call later queries unsatisfiable (case C14).
    stream = random.Random(seed)
    engine = _engine(problem)
    everything = models(problem.domains, problem.constraints.values())
    if everything:
        engine.ban("ban", everything[0])
    for _ in range(6):
        labels = [label for label in problem.constraints if stream.random() < 0.7]
        query = stream.choice(["solve", "core", "without_each", "propagate"])
        if query == "solve":
            engine.solve([*labels, "ban"] if everything else labels, given=labels[:1])
        elif query == "core":
            engine.core(labels)
        elif query == "without_each":
            engine.without_each(labels, ["ban"] if everything else [])
        else:
            engine.propagate(labels)
        outcome = engine.solve(problem.constraints)
        assert (outcome.answer is Answer.SAT) == bool(everything)
        again = engine.solve([*problem.constraints, "ban"]) if everything else outcome
        assert (again.answer is Answer.SAT) == (len(everything) > 1)


def test_the_same_engine_built_twice_gives_the_same_outcomes() -> None:
    problem = random_problem(random.Random(5), terms=(8, 8), clues=(8, 8))
    first, second = _engine(problem), _engine(problem)
    labels = list(problem.constraints)
    assert first.without_each(labels, []) == second.without_each(labels, [])
    assert first.solve(labels) == second.solve(labels)


def test_rounds_count_the_links_of_a_chain() -> None:
    domains = {f"V{i}": ("a", "b", "c") for i in range(5)}
    links = {f"E{i}": Equality(f"V{i}", right=f"V{i - 1}") for i in range(4, 0, -1)}
    problem = Small(domains, {**links, "E0": Equality("V0", value="b")})
    found = _engine(problem).propagate(problem.constraints)
    assert found.facts == dict.fromkeys(domains, "b")
    assert found.round_of == {f"V{i}": i + 1 for i in range(5)}
    assert found.rounds == 5
    assert not found.conflict


def test_exactly_one_value_costs_no_round() -> None:
    engine = Dpll({"V0": ("a", "b", "c")})
    engine.add("E1", Inequality("!=", "V0", value="a"))
    engine.add("E2", Inequality("!=", "V0", value="b"))
    found = engine.propagate(["E1", "E2"])
    assert (found.facts, found.round_of) == ({"V0": "c"}, {"V0": 1})


def test_a_domain_of_one_value_is_a_fact_of_round_zero() -> None:
    found = Dpll({"V0": ("a",)}).propagate([])
    assert (found.facts, found.rounds) == ({"V0": "a"}, 0)


def test_propagation_takes_the_earliest_way() -> None:
    engine = Dpll({"V0": ("a", "b"), "V1": ("a", "b"), "V2": ("a", "b")})
    engine.add("E1", Equality("V0", value="a"))
    engine.add("E2", Equality("V1", right="V0"))
    engine.add("E3", Implication.of(Literal("V1", "=", "a"), Literal("V2", "=", "b")))
    engine.add("E4", Implication.of(Literal("V0", "=", "a"), Literal("V2", "=", "b")))
    assert engine.propagate(["E1", "E2", "E3", "E4"]).round_of == {"V0": 1, "V1": 2, "V2": 2}


def test_propagation_does_not_depend_on_what_was_learned() -> None:
    problem = random_problem(random.Random(11), terms=(9, 9), clues=(9, 9))
    engine = _engine(problem)
    before = engine.propagate(problem.constraints)
    engine.without_each(list(problem.constraints), [])
    engine.core(list(problem.constraints))
    assert engine.propagate(problem.constraints) == before


@settings(max_examples=200, deadline=None)
@given(small_problems)
def test_propagated_facts_are_in_every_model(problem: Small) -> None:
    found = _engine(problem).propagate(problem.constraints)
    every = models(problem.domains, problem.constraints.values())
    assert not (found.conflict and every)
    if not found.conflict:
        assert set(found.facts) == set(found.round_of)
        assert all(model[term] == v for model in every for term, v in found.facts.items())
