"""Plain enumeration, one by one and side by side."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.worlds.core.engines.problems import Small, models, small_problems
from worlds.core.constraints import Equality
from worlds.core.engines.enumeration import LIMIT, Enumeration, enumerate_models


def test_the_first_models_come_in_lexical_order() -> None:
    domains = {"V0": ("a", "b"), "V1": (1, 2)}
    assert enumerate_models(domains, [], limit=3) == [
        {"V0": "a", "V1": 1},
        {"V0": "a", "V1": 2},
        {"V0": "b", "V1": 1},
    ]


def test_too_many_assignments_are_refused() -> None:
    domains = {f"V{i}": tuple(range(10)) for i in range(7)}
    assert not Enumeration.fits(domains)
    with pytest.raises(ValueError, match=f"at most {LIMIT}"):
        Enumeration(domains)


def test_a_term_without_values_has_no_model() -> None:
    assert Enumeration({"V0": ("a",), "V1": ()}).count([Equality("V0", value="a")]) == 0


@settings(max_examples=200, deadline=None)
@given(small_problems)
def test_side_by_side_counts_what_one_by_one_finds(problem: Small) -> None:
    enumeration = Enumeration(problem.domains)
    assert enumeration.count(problem.constraints.values()) == len(
        enumerate_models(problem.domains, problem.constraints.values())
    )
    assert enumeration.count_without(problem.constraints) == {
        label: len(
            models(problem.domains, [c for o, c in problem.constraints.items() if o != label])
        )
        for label in problem.constraints
    }
