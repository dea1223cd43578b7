"""Chi-square tests against published values and against what they must do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worlds.core.prose.survey.chance import ChiSquare, even, picked, survival
from worlds.core.seeds import derive

# Critical values at 5 % and 0.1 %, from any table of the distribution.
TABLE = [
    (1, 3.841459, 0.05),
    (2, 5.991465, 0.05),
    (3, 7.814728, 0.05),
    (4, 9.487729, 0.05),
    (9, 16.918978, 0.05),
    (30, 43.772972, 0.05),
    (99, 123.225221, 0.05),
    (1, 10.827566, 0.001),
    (5, 20.515006, 0.001),
    (10, 29.588298, 0.001),
]


@pytest.mark.parametrize(("freedom", "statistic", "p"), TABLE)
def test_survival_is_that_of_the_tables(freedom: int, statistic: float, p: float) -> None:
    assert survival(statistic, freedom) == pytest.approx(p, rel=1e-5)


@given(st.floats(0, 500), st.floats(0, 500), st.integers(1, 200))
def test_survival_falls_from_one(one: float, other: float, freedom: int) -> None:
    near, far = (survival(statistic, freedom) for statistic in sorted((one, other)))
    assert 0 <= near <= 1
    # Sums of many terms are off by a few units in the last place.
    assert 0 <= far <= near * (1 + 1e-12)


@pytest.mark.parametrize("counts", [[], [0, 0, 0], [7], [1, 0, 2]])
def test_too_few_counts_say_nothing(counts: list[int]) -> None:
    assert even(counts).p == 1


def test_even_counts_are_even_and_lopsided_ones_are_not() -> None:
    assert even([100, 100, 100]) == ChiSquare(0.0, 2)
    # (20² + 20²) / 100 with one degree of freedom.
    assert even([120, 80]) == ChiSquare(8.0, 1)
    assert even([300, 100, 100]).p < 1e-20


def test_picks_are_tested_against_what_was_not_picked_as_well() -> None:
    # The table 30/10 against 10/30: Pearson's statistic is 80 · (30·30 - 10·10)² / 40⁴ = 20.
    assert picked([(30, 20.0, 40), (10, 20.0, 40)]).statistic == pytest.approx(20)


def test_sparse_cells_are_joined() -> None:
    assert picked([(1, 1.0, 4)] * 4 + [(10, 10.0, 40)]).freedom == 0
    assert picked([(6, 6.0, 24), (1, 1.0, 4), (6, 6.0, 24), (1, 1.0, 4)]) == ChiSquare(0.0, 1)


def test_statistics_add_up() -> None:
    assert ChiSquare(1.0, 2) + ChiSquare(3.0, 4) == ChiSquare(4.0, 6)


def test_chance_is_rejected_as_often_as_it_says() -> None:
    stream = derive(5, "survey", "dice")
    rejected = 0
    for _ in range(400):
        counts = [0] * 6
        for _ in range(120):
            counts[stream.below(6)] += 1
        rejected += even(counts).p < 0.1
    assert 20 <= rejected <= 60
