"""What people come to at a level: shares with an interval, or words where people are few."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.core.people import LEAST_PEOPLE, Solved, people_lines, wilson


def _solved(person: str, *, success: bool = True, seconds: int = 60, level: str = "L00") -> Solved:
    return Solved(person, level, "implicit", success, seconds)


def test_few_people_get_words_and_no_number() -> None:
    attempts = [_solved("a"), _solved("b"), _solved("b")]
    assert people_lines(attempts) == [
        {
            "level": "L00",
            "condition": "implicit",
            "people": 2,
            "unscored": f"fewer than {LEAST_PEOPLE} people so far",
        }
    ]


def test_enough_people_get_a_share_an_interval_and_the_median_of_their_minutes() -> None:
    attempts = [
        _solved("a", seconds=30),
        _solved("b", seconds=90, success=False),
        _solved("c", seconds=600),
        _solved("c", seconds=150),
    ]
    (line,) = people_lines(attempts)
    assert (line["people"], line["attempts"], line["successes"]) == (3, 4, 3)
    assert (line["success"], line["median_minutes"]) == (75.0, 2.0)
    assert line["low"] == pytest.approx(30.06, abs=0.01)
    assert line["high"] == pytest.approx(95.44, abs=0.01)


def test_lines_come_by_level_and_condition_and_nobody_makes_none() -> None:
    attempts = [
        _solved("a", level="L02"),
        Solved("a", "L00", "implicit", True, 1),
        Solved("a", "L00", "explicit", True, 1),
    ]
    found = [(line["level"], line["condition"]) for line in people_lines(attempts)]
    assert found == [("L00", "explicit"), ("L00", "implicit"), ("L02", "implicit")]
    assert people_lines([]) == []


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_share_and_is_mirrored(counts: tuple[int, int]) -> None:
    successes, n = counts
    low, high = wilson(successes, n)
    assert 0.0 <= low <= 100 * successes / n <= high <= 100.0
    assert low < high
    assert wilson(n - successes, n) == pytest.approx((100 - high, 100 - low))
