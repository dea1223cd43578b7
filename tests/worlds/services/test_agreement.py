"""Agreement beyond chance: against the published example, the library, and in degenerate cases."""

from __future__ import annotations

import math

import krippendorff
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worlds.core.seeds import Stream, derive
from worlds.services.agreement import Agreement, agreement_of, alpha_of, draw_binomial

# Krippendorff's own two observers of ten binary units; he prints 0.095.
MEG_AND_OWEN = {(0, 2): 5, (1, 1): 4, (2, 0): 1}

_judged = st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda each: sum(each) > 1)


class _Fixed(Stream):
    """A stream that gives one number for ever."""

    def __init__(self, number: float) -> None:
        self._random = lambda: number


def test_alpha_is_the_published_one() -> None:
    found = agreement_of(MEG_AND_OWEN, reviewers=2, seed=0)
    assert found.alpha == pytest.approx(0.095, abs=5e-4)
    assert (found.reviewers, found.items, found.unanimous, found.why) == (2, 10, 6, "")
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.alpha < found.high


@given(st.dictionaries(_judged, st.integers(1, 6), min_size=1))
def test_closed_form_is_the_library(items: dict[tuple[int, int], int]) -> None:
    ours = alpha_of(tuple(items), tuple(items.values()))
    rows = [list(verdicts) for verdicts, n in items.items() for _ in range(n)]
    if not any(a for a, _ in rows) or not any(r for _, r in rows):
        assert ours is None
    else:
        theirs = krippendorff.alpha(value_counts=rows, level_of_measurement="nominal")
        assert ours == pytest.approx(theirs, abs=1e-12)


def test_items_that_one_person_judged_do_not_count() -> None:
    alone = {(1, 0): 90, (0, 1): 40, (0, 0): 7}
    assert agreement_of(MEG_AND_OWEN | alone, reviewers=2, seed=0) == agreement_of(
        MEG_AND_OWEN, reviewers=2, seed=0
    )


def test_interval_depends_on_the_seed_alone() -> None:
    once, again, other = (agreement_of(MEG_AND_OWEN, reviewers=2, seed=s) for s in (1, 1, 2))
    assert once == again
    assert once.alpha == other.alpha


def test_interval_narrows_with_the_items() -> None:
    def width(times: int) -> float:
        items = {verdicts: n * times for verdicts, n in MEG_AND_OWEN.items()}
        found = agreement_of(items, reviewers=2, seed=0)
        assert found.low is not None
        assert found.high is not None
        return found.high - found.low

    assert width(100) < width(1) / 5


@pytest.mark.parametrize(
    ("items", "reviewers", "why"),
    [
        ({}, 0, "Nobody has decided"),
        ({(1, 0): 5}, 1, "Only one person"),
        ({(1, 0): 5, (0, 1): 2}, 2, "No distractor has been judged by two"),
        ({(2, 0): 9}, 2, "was approved by all"),
        ({(0, 3): 1}, 3, "was rejected by all"),
    ],
)
def test_without_alpha_there_is_a_reason_and_no_number(
    items: dict[tuple[int, int], int], reviewers: int, why: str
) -> None:
    found = agreement_of(items, reviewers=reviewers, seed=0)
    assert why in found.why
    assert (found.alpha, found.low, found.high) == (None, None, None)


def test_agreement_without_a_dissent_has_an_interval_without_width() -> None:
    found = agreement_of({(2, 0): 12, (0, 2): 9}, reviewers=2, seed=0)
    assert (found.alpha, found.low, found.high) == (1.0, 1.0, 1.0)
    assert "not certainty" in found.why


def test_one_verdict_that_is_rare_gives_no_interval() -> None:
    found = agreement_of({(2, 0): 30, (0, 2): 1}, reviewers=2, seed=0)
    assert found.alpha == 1.0
    assert (found.low, found.high) == (None, None)
    assert found.why.startswith("No interval")


def test_one_shared_item_is_no_crash() -> None:
    found = agreement_of({(1, 1): 1}, reviewers=2, seed=0)
    assert found == Agreement(2, 1, 0, 0.0, 0.0, 0.0, found.why)
    assert "all alike" in found.why


@pytest.mark.parametrize(("trials", "chance"), [(1, 0.3), (7, 0.5), (12, 0.03), (40, 0.97)])
def test_binomial_numbers_come_as_often_as_they_should(trials: int, chance: float) -> None:
    steps = 4000
    drawn = [draw_binomial(_Fixed((n + 0.5) / steps), trials, chance) for n in range(steps)]
    for successes in range(trials + 1):
        expected = (
            math.comb(trials, successes)
            * chance**successes
            * (1 - chance) ** (trials - successes)
            * steps
        )
        assert abs(drawn.count(successes) - expected) <= 1.001


def test_binomial_of_many_trials_stays_near_its_mean() -> None:
    stream = derive(5, "binomial")
    drawn = [draw_binomial(stream, 100_000, 0.25) for _ in range(200)]
    assert sum(drawn) / 200 == pytest.approx(25_000, abs=5 * math.sqrt(100_000 * 0.1875 / 200))


@pytest.mark.parametrize(("trials", "chance", "drawn"), [(0, 0.5, 0), (9, 0.0, 0), (9, 1.0, 9)])
def test_binomial_at_its_borders(trials: int, chance: float, drawn: int) -> None:
    assert draw_binomial(derive(1, "border"), trials, chance) == drawn
