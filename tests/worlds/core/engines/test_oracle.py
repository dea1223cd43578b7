"""The oracle counts exactly, each constraint's absence too, and gives up beyond its width."""

from __future__ import annotations

from hypothesis import given, settings

from tests.worlds.core.engines.problems import Small, models, small_problems
from worlds.core.constraints import AllDifferent, Equality, Inequality
from worlds.core.engines.oracle import Oracle, count, count_without


def test_a_term_in_no_constraint_counts_with_all_its_values() -> None:
    assert count({"V0": ("a", "b", "c"), "V1": (1, 2)}, [Equality("V1", value=1)]) == 3


def test_no_terms_have_one_model_and_a_term_without_values_none() -> None:
    assert count({}, []) == 1
    assert count({"V0": ("a", "b"), "V1": ()}, []) == 0


def test_counts_are_exact_beyond_floating_point() -> None:
    domains = {f"V{i}": tuple(range(7)) for i in range(40)}
    assert count(domains, []) == 7**40
    assert count(domains, [Inequality("<", "V0", right="V1")]) == 21 * 7**38


def test_more_different_terms_than_values_have_no_model() -> None:
    assert count(dict.fromkeys(("V0", "V1", "V2"), (1, 2)), [AllDifferent(("V0", "V1", "V2"))]) == 0


def test_all_different_of_many_terms_is_the_falling_factorial() -> None:
    terms = tuple(f"V{i}" for i in range(6))
    assert count({term: tuple(range(8)) for term in terms}, [AllDifferent(terms)]) == 20160


def test_a_join_beyond_the_width_is_not_counted() -> None:
    terms = tuple(f"V{i}" for i in range(6))
    domains = {term: tuple(range(8)) for term in terms}
    everything = {"E1": AllDifferent(terms)}
    assert count(domains, everything.values(), width=1000) is None
    assert count_without(domains, everything, width=1000) is None


@settings(max_examples=300, deadline=None)
@given(small_problems)
def test_two_passes_give_what_separate_counts_give(problem: Small) -> None:
    census = Oracle(problem.domains).census(problem.constraints)
    assert census is not None
    assert census.models == len(models(problem.domains, problem.constraints.values()))
    assert census.without == count_without(problem.domains, problem.constraints)
    for label in problem.constraints:
        others = [each for other, each in problem.constraints.items() if other != label]
        assert census.without[label] == count(problem.domains, others)
        assert census.without[label] == len(models(problem.domains, others))


@settings(max_examples=200, deadline=None)
@given(small_problems, small_problems)
def test_one_more_constraint_is_counted_beside_the_others(problem: Small, more: Small) -> None:
    known = {
        label: each
        for label, each in more.constraints.items()
        if set(each.scope) <= set(problem.domains)
    }
    census = Oracle(problem.domains).census(problem.constraints, known)
    assert census is not None
    for label, each in known.items():
        assert census.with_also[label] == len(
            models(problem.domains, [*problem.constraints.values(), each])
        )


@settings(max_examples=200, deadline=None)
@given(small_problems)
def test_models_without_a_pin_are_told_apart_by_its_value(problem: Small) -> None:
    term = next(iter(problem.domains))
    everything = {**problem.constraints, "pin": Equality(term, value=problem.domains[term][0])}
    census = Oracle(problem.domains).census(everything)
    assert census is not None
    every = models(problem.domains, problem.constraints.values())
    assert census.by_value["pin"] == {
        value: sum(model[term] == value for model in every) for value in problem.domains[term]
    }


def test_one_oracle_counts_again_and_again() -> None:
    oracle = Oracle({"V0": ("a", "b"), "V1": ("a", "b")})
    same = Equality("V0", right="V1")
    assert [oracle.count(each) for each in ([same], [], [same], [same, same])] == [2, 4, 2, 2]


@settings(max_examples=100, deadline=None)
@given(small_problems, small_problems)
def test_beside_an_only_world_one_more_holds_or_leaves_none(problem: Small, more: Small) -> None:
    world = {term: values[-1] for term, values in problem.domains.items()}
    pinned = {term: Equality(term, value=value) for term, value in world.items()}
    known = {
        label: each
        for label, each in more.constraints.items()
        if set(each.scope) <= set(problem.domains)
    }
    census = Oracle(problem.domains).census(pinned, known)
    assert census is not None
    assert census.models == 1
    assert census.with_also == {label: int(each.holds(world)) for label, each in known.items()}
