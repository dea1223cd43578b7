"""The bootstrap against references, against known truth, and on degenerate input."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grading.core.statistics import (
    PERMUTATIONS,
    RESAMPLES,
    SCALE,
    Bootstrap,
    Interval,
    fixed,
    sign_flip_p,
    tie_groups,
)
from worlds.core.seeds import Stream, derive

BOOTSTRAP = Bootstrap("ab" * 32)


def values(count: int, seed: int = 0) -> list[int]:
    stream = derive(seed, "values")
    return [fixed(stream.below(101), 100) for _ in range(count)]


def resampled_means(name: str, data: list[int]) -> np.ndarray:
    """Every resample's mean, from the same draws by another road: fancy indexing of floats."""
    raw = np.random.PCG64(BOOTSTRAP.seed(name)).random_raw(RESAMPLES * len(data))
    picks = np.array([(int(word) >> 32) * len(data) >> 32 for word in raw]).reshape(RESAMPLES, -1)
    return (np.array(data) / SCALE)[picks].mean(axis=1)


def test_fixed_point_is_exact_at_the_ends_and_rounds_half_up() -> None:
    assert (fixed(0, 7), fixed(7, 7), fixed(1, 3), fixed(2, 3)) == (
        0,
        SCALE,
        333333333333,
        666666666667,
    )


@pytest.mark.parametrize("families", [2, 3, 20, 120])
def test_mean_interval_agrees_with_numpy(families: int) -> None:
    data = values(families)
    found = BOOTSTRAP.mean("x", data)
    low, high = np.percentile(resampled_means("x", data), [2.5, 97.5])
    assert found.low == pytest.approx(low, abs=1e-11)
    assert found.high == pytest.approx(high, abs=1e-11)


def test_ratio_interval_agrees_with_numpy() -> None:
    stream = derive(5, "ratio")
    bottoms = [stream.below(6) for _ in range(40)]
    tops = [stream.below(bottom + 1) for bottom in bottoms]
    raw = np.random.PCG64(BOOTSTRAP.seed("r")).random_raw(RESAMPLES * 40)
    picks = np.array([(int(word) >> 32) * 40 >> 32 for word in raw]).reshape(RESAMPLES, 40)
    shares = np.array(tops)[picks].sum(axis=1) / np.array(bottoms)[picks].sum(axis=1)
    low, high = np.percentile(shares, [2.5, 97.5])
    found = BOOTSTRAP.ratio("r", tops, bottoms)
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_numbers_are_frozen_for_ever() -> None:
    """Golden: the same on every machine, Python and numpy; a change here breaks old reports."""
    found = BOOTSTRAP.mean("fact_f1", values(30))
    assert BOOTSTRAP.seed("fact_f1") == 7756182234470158
    assert (found.low, found.high) == (0.36733333333333335, 0.6246833333333334)


def test_same_seed_same_interval_in_another_process_order() -> None:
    data = values(30)
    first = BOOTSTRAP.mean("a", data)
    BOOTSTRAP.mean("b", data)
    assert Bootstrap("ab" * 32).mean("a", data) == first
    assert Bootstrap("ab" * 32).mean("b", data) != first
    assert Bootstrap("cd" * 32).mean("a", data) != first


@pytest.mark.parametrize("families", [0, 1])
def test_no_interval_of_less_than_two_families(families: int) -> None:
    data = [SCALE // 2] * families
    for found in (
        BOOTSTRAP.mean("x", data),
        BOOTSTRAP.difference("x", data),
        BOOTSTRAP.ratio("x", [1] * families, [2] * families),
    ):
        assert (found.low, found.high) == (None, None)
        assert found.note == ("one family: no interval" if families else "no family: no interval")


def test_width_zero_at_an_end_is_the_rule_of_three() -> None:
    assert BOOTSTRAP.mean("x", [0] * 30) == Interval(0.0, 0.1, "rule of three")
    assert BOOTSTRAP.mean("x", [SCALE] * 30) == Interval(0.9, 1.0, "rule of three")
    assert BOOTSTRAP.mean("x", [SCALE] * 2) == Interval(0.0, 1.0, "rule of three")
    assert BOOTSTRAP.ratio("x", [0] * 30, [4] * 30) == Interval(0.0, 0.1, "rule of three")
    assert BOOTSTRAP.difference("x", [0] * 30) == Interval(-0.1, 0.1, "rule of three")
    assert BOOTSTRAP.difference("x", [SCALE] * 30) == Interval(0.9, 1.0, "rule of three")
    assert BOOTSTRAP.difference("x", [-SCALE] * 30) == Interval(-1.0, -0.9, "rule of three")


def test_width_zero_elsewhere_stays() -> None:
    assert BOOTSTRAP.mean("x", [SCALE // 4] * 30) == Interval(0.25, 0.25)
    assert BOOTSTRAP.difference("x", [-SCALE // 2] * 30) == Interval(-0.5, -0.5)


def test_ratio_with_families_without_denominator() -> None:
    found = BOOTSTRAP.ratio("x", [0, 0, 1, 2], [0, 0, 2, 2])
    assert found.low is not None
    assert found.high is not None
    assert 0.0 < found.low <= found.high <= 1.0
    assert BOOTSTRAP.ratio("x", [0, 1], [0, 2]).note == "one family: no interval"


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    """2,000 simulated corpora of 120 families with a known mean: 93 to 97 % are covered."""
    stream = derive(1, "coverage")
    families, realizations, covered = 120, 5, 0
    for _ in range(2000):
        data = []
        for _ in range(families):
            talent = stream.random()
            hits = sum(stream.random() < talent for _ in range(realizations))
            data.append(fixed(hits, realizations))
        found = BOOTSTRAP.mean("coverage", data)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.5 <= found.high
    assert 0.93 <= covered / 2000 <= 0.97


def simulated(stream: Stream) -> tuple[list[int], list[int], list[int]]:
    """120 families: how many of 5 actions are correct, how many of these earned, and a difference.

    In truth 3 of 5 actions are correct, 2 of 3 of them earned, and the difference is 0.2.
    """
    tops, bottoms, apart = [], [], []
    for _ in range(120):
        talent = stream.random()
        correct = sum(stream.random() < 0.2 + 0.8 * talent for _ in range(5))
        tops.append(sum(stream.random() < 2 / 3 for _ in range(correct)))
        bottoms.append(correct)
        told = sum(stream.random() < 0.2 + 0.8 * talent for _ in range(2))
        untold = sum(stream.random() < 0.8 * talent for _ in range(2))
        apart.append(fixed(told, 2) - fixed(untold, 2))
    return tops, bottoms, apart


@pytest.mark.slow
def test_intervals_of_ratios_and_differences_cover_the_truth_as_often() -> None:
    stream = derive(2, "coverage")
    ratios = differences = 0
    for _ in range(2000):
        tops, bottoms, apart = simulated(stream)
        ratio = BOOTSTRAP.ratio("coverage", tops, bottoms)
        difference = BOOTSTRAP.difference("coverage", apart)
        assert None not in (ratio.low, ratio.high, difference.low, difference.high)
        ratios += ratio.low <= 2 / 3 <= ratio.high  # type: ignore[operator]
        differences += difference.low <= 0.2 <= difference.high  # type: ignore[operator]
    assert 0.93 <= ratios / 2000 <= 0.97
    assert 0.93 <= differences / 2000 <= 0.97


def test_interval_is_as_wide_as_the_theory_of_families() -> None:
    data = values(120)
    found = BOOTSTRAP.mean("x", data)
    assert found.low is not None
    assert found.high is not None
    spread = np.std(np.array(data) / SCALE) / math.sqrt(120)
    assert found.high - found.low == pytest.approx(2 * 1.96 * spread, rel=0.06)


# Ranks


def test_equal_solvers_share_a_rank_and_a_worse_one_is_behind() -> None:
    good, bad = [SCALE] * 60 + [0] * 60, [0] * 120
    assert tie_groups(BOOTSTRAP, "x", [good, good, good, bad]) == [(1, 3), (1, 3), (1, 3), (4, 4)]


def test_solvers_that_cannot_be_told_apart_share_ranks() -> None:
    assert tie_groups(BOOTSTRAP, "x", [values(20, 1), values(20, 2)]) == [(1, 2), (1, 2)]


def test_ranks_of_none_one_and_single_families() -> None:
    assert tie_groups(BOOTSTRAP, "x", []) == []
    assert tie_groups(BOOTSTRAP, "x", [[SCALE]]) == [(1, 1)]
    assert tie_groups(BOOTSTRAP, "x", [[SCALE], [0]]) == [(1, 2), (1, 2)]


def exchanged_p(differences: list[int]) -> float:
    """The exchange test by another road: every way in which families could be exchanged."""
    ways = [sum(way) for way in product(*((size, -size) for size in differences))]
    return sum(abs(way) >= abs(sum(differences)) for way in ways) / len(ways)


@given(st.lists(st.integers(-3, 3).map(lambda n: n * SCALE // 3), max_size=7))
@example([SCALE] * 5)
def test_few_families_are_exchanged_in_every_way(differences: list[int]) -> None:
    found = sign_flip_p(1, differences)
    assert found == (exchanged_p(differences) if any(differences) else None)


def test_families_without_a_difference_say_nothing() -> None:
    assert sign_flip_p(1, []) is None
    assert sign_flip_p(1, [0, 0]) is None
    assert sign_flip_p(1, [0, 5, 0]) == sign_flip_p(2, [5]) == 1.0
    assert sign_flip_p(1, [-3, -3, -3]) == sign_flip_p(1, [3, 3, 3]) == 0.25


def test_many_families_are_exchanged_at_random_and_agree_with_the_exact_answer() -> None:
    """Where all families differ by as much, the exact answer is that of a fair coin."""
    ahead, behind = 38, 22
    tail = sum(math.comb(60, k) for k in range(behind + 1))
    found = sign_flip_p(7, [SCALE] * ahead + [-SCALE] * behind)
    assert found == pytest.approx(2 * tail / 2**60, abs=4 * math.sqrt(0.05 / PERMUTATIONS))
    assert sign_flip_p(7, [SCALE] * 200) == 1 / (1 + PERMUTATIONS)


def test_equal_solvers_look_different_no_more_often_than_the_test_says() -> None:
    stream = derive(11, "null")
    alarms = 0
    for run in range(400):
        gaps = [fixed(stream.below(101), 100) - fixed(stream.below(101), 100) for _ in range(20)]
        p = sign_flip_p(run, gaps)
        assert p is not None
        alarms += p <= 0.05
    assert alarms <= 20 + 3 * math.sqrt(400 * 0.05 * 0.95)
