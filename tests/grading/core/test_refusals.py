"""Refusals by condition: counts, and a test that is right about chance."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from grading.core.refusals import Refusals, refusals
from grading.core.statistics import Bootstrap, permutation_p
from grading.core.statuses import Status
from grading.core.table import Item, tabulate
from tests.grading.core.builders import corpus, items, row
from worlds.core.seeds import Stream, derive

BOOTSTRAP = Bootstrap("c0ffee")
ITEMS = items(24, ("explicit", "formal", "implicit"), 2)


def found(
    status: Callable[[Item], Status], its: tuple[Item, ...] = ITEMS, epochs: int = 1
) -> Refusals:
    rows = [row(item, status=status(item), epoch=e) for item in its for e in range(1, epochs + 1)]
    return refusals(BOOTSTRAP, tabulate(corpus(*its), rows))


def _implicit_alone(item: Item) -> Status:
    return Status.REFUSED if item.condition == "implicit" else Status.ANSWERED


def test_refusing_one_condition_alone_is_told() -> None:
    result = found(_implicit_alone)
    assert result.counts == {"explicit": (0, 48), "formal": (0, 48), "implicit": (48, 48)}
    assert result.p == 1 / 10_000


def test_refusing_whole_families_is_no_dependence() -> None:
    result = found(lambda item: Status.FILTERED if item.family < "f012" else Status.ANSWERED)
    assert result.p == 1.0


def test_epochs_are_counted() -> None:
    assert found(_implicit_alone, epochs=3).counts["implicit"] == (144, 144)


@pytest.mark.parametrize("status", [Status.FAILED, Status.MISSING, Status.TRUNCATED])
def test_what_is_no_refusal_is_not_counted(status: Status) -> None:
    result = found(lambda item: status if item.condition == "implicit" else Status.ANSWERED)
    assert (result.p, result.note) == (None, "no reply was refused or filtered")


def test_degenerate_corpora_are_answered_in_words() -> None:
    assert found(_implicit_alone, ()).note == "no reply was refused or filtered"
    assert found(_implicit_alone, items(3, ("implicit",))).note == "the corpus has one condition"
    assert found(_implicit_alone, items(1)).p is not None


def test_order_of_rows_changes_nothing() -> None:
    def some(item: Item) -> Status:
        return Status.REFUSED if item.sample_id.endswith("imp1") else Status.ANSWERED

    assert found(some) == found(some, tuple(reversed(ITEMS)))


def test_the_share_is_that_of_all_arrangements() -> None:
    """Four families of two: the 16 arrangements can be listed."""
    families = [([0, 1], counts) for counts in ([0, 1], [0, 1], [1, 0], [0, 1])]
    listed = [sum(picks) for picks in product((0, 1), repeat=4)]
    exact = sum(total**2 + (4 - total) ** 2 >= 3**2 + 1 for total in listed) / len(listed)
    assert exact == 10 / 16
    assert permutation_p(7, families, [4, 4]) == pytest.approx(exact, abs=0.015)


def test_by_chance_alone_it_is_rarely_told() -> None:
    """Over 300 solvers that refuse at random, p is at most 0.1 in about a tenth."""

    def told(stream: Stream) -> bool:
        families = [
            ([0, 0, 1, 1, 2], [int(stream.chance(0.2)) for _ in range(5)]) for _ in range(20)
        ]
        return permutation_p(3, families, [40, 40, 20]) <= 0.1

    rate = sum(told(derive(n, "refusals")) for n in range(300)) / 300
    assert 0.05 <= rate <= 0.15
