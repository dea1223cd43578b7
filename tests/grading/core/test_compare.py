"""Two solvers beside each other, against reference computations and on degenerate corpora."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.core.compare import Comparison, Difference, Who, compare
from grading.core.metrics import Item, Unscored, ranking_values, tabulate
from grading.core.records import GradedRow
from grading.core.statistics import Bootstrap, tie_groups
from grading.core.statuses import Status
from grading.core.table import Table
from tests.grading.core.builders import corpus, items, row, wrong

ITEMS = items(12, ("explicit", "implicit"), realizations=2)
CORPUS = corpus(*ITEMS)
BOOTSTRAP = Bootstrap(CORPUS.sha256)


def table(solved: int, *, lost: int = 0, of: tuple[Item, ...] = ITEMS) -> Table:
    """A solver of the first `solved` instances that lacks the last `lost` replies."""
    rows = [row(item, 4, acted=True) if at < solved else wrong(item) for at, item in enumerate(of)]
    for at in range(1, lost + 1):
        rows[-at] = row(of[-at], status=Status.FAILED)
    return tabulate(corpus(*of), rows)


def compared(first: Table, second: Table, condition: str = "") -> Comparison:
    found = compare(BOOTSTRAP, first, second, condition)
    assert isinstance(found, Comparison)
    return found


def success(first: Table, second: Table, condition: str = "") -> Difference:
    differences = compared(first, second, condition).differences
    return next(one for one in differences if one.metric == "task_success")


def test_a_difference_is_the_mean_over_families_and_counts_which_are_ahead() -> None:
    """Twelve families of four: six and a half of them solved, against three and a quarter."""
    found = success(table(26), table(13))
    assert found.value == pytest.approx(100 * (6.5 - 3.25) / 12, rel=1e-12)
    assert (found.families, found.ahead, found.behind, found.equal) == (12, 4, 0, 8)
    assert found.p == 2 / 2**4
    assert (found.complete, found.complete_families) == (found.value, 12)
    assert not found.is_open


def test_f1_is_compared_in_its_own_unit() -> None:
    found = next(d for d in compared(table(48), table(24)).differences if d.metric == "fact_f1")
    assert found.value == pytest.approx(0.5, rel=1e-12)


def test_the_test_and_the_interval_speak_of_the_same_mean() -> None:
    """Four families ahead of twelve, none behind: a chance of one in eight, either way."""
    found = success(table(26), table(13))
    assert (found.ahead, found.p) == (4, 0.125)
    clear = success(table(48), table(0))
    assert clear.p == 2 / 2**12
    assert (clear.interval.low, clear.interval.high) == (75.0, 100.0)


def test_the_interval_resamples_families_with_the_seed_of_the_score() -> None:
    one, other = table(26), table(13)
    gaps = [a - b for a, b in zip(ranking_values(one), ranking_values(other), strict=True)]
    reference = BOOTSTRAP.difference("intuition", gaps)
    found = success(one, other, "implicit").interval
    assert (found.low, found.high) == (100 * (reference.low or 0), 100 * (reference.high or 0))


@given(st.integers(0, 48), st.integers(0, 48))
def test_it_orders_two_solvers_as_the_tie_groups_of_a_board_do(first: int, second: int) -> None:
    one, other = table(first), table(second)
    interval = success(one, other, "implicit").interval
    groups = tie_groups(BOOTSTRAP, "intuition", [ranking_values(one), ranking_values(other)])
    assert interval.low is not None
    assert interval.high is not None
    assert (groups == [(1, 1), (2, 2)]) == (interval.low > 0)
    assert (groups == [(2, 2), (1, 1)]) == (interval.high < 0)


def test_turned_round_every_difference_changes_its_sign() -> None:
    there, back = success(table(26, lost=3), table(13)), success(table(13), table(26, lost=3))
    assert (back.value, back.least, back.most) == (-there.value, -there.most, -there.least)
    assert (back.ahead, back.behind, back.p) == (there.behind, there.ahead, there.p)
    assert back.interval.low == pytest.approx(-(there.interval.high or 0), rel=1e-9)


def test_missing_replies_count_as_wrong_and_open_the_bounds() -> None:
    """The last family lacks two replies of four in the first solver, one in the second."""
    found = success(table(48, lost=2), table(24, lost=1))
    assert found.value == pytest.approx(100 * (11.5 - 6) / 12, rel=1e-12)
    assert found.least == pytest.approx(100 * (11.5 - 6.25) / 12, rel=1e-12)
    assert found.most == pytest.approx(100 * (12 - 6) / 12, rel=1e-12)
    assert found.is_open
    assert (found.complete, found.complete_families) == (pytest.approx(100 * 5 / 11), 11)
    lacking = compared(table(48, lost=2), table(24, lost=1)).lacking
    assert lacking == {item.sample_id for item in ITEMS[-2:]}


def test_identical_solvers_differ_by_nothing_and_have_no_test() -> None:
    found = success(table(20), table(20))
    assert (found.value, found.equal, found.p) == (0.0, 12, None)
    assert found.interval.note == "rule of three"
    assert found.interval.low == -25.0


def test_each_instance_is_solved_by_both_by_one_or_by_neither() -> None:
    found = compared(table(26), table(13), "implicit").solved
    ids = [item.sample_id for item in ITEMS[:26] if item.condition == "implicit"]
    assert found[Who.BOTH] == tuple(sorted(ids[:6]))
    assert found[Who.FIRST] == tuple(sorted(ids[6:]))
    assert found[Who.SECOND] == ()
    assert sum(map(len, found.values())) == 24


def test_an_instance_is_solved_only_in_every_epoch() -> None:
    one = items(1, ("implicit",))
    twice = tabulate(
        corpus(*one),
        [row(one[0], 4, acted=True, epoch=1), wrong(one[0], epoch=2)],
    )
    once = table(1, of=one)
    assert compared(once, twice).solved[Who.FIRST] == (one[0].sample_id,)
    assert success(once, twice).value == 50.0


def test_one_family_has_a_difference_and_no_interval() -> None:
    one = items(1, ("implicit",))
    found = success(table(1, of=one), table(0, of=one))
    assert (found.value, found.interval.low, found.interval.note) == (
        100.0,
        None,
        "one family: no interval",
    )
    assert found.p == 1.0


def test_a_part_without_instances_or_without_replies_is_answered_in_words() -> None:
    nothing = compare(BOOTSTRAP, table(4), table(2), "formal")
    assert nothing == Unscored("the corpus has no instance here")
    empty = compare(BOOTSTRAP, table(0, of=()), table(0, of=()))
    assert empty == Unscored("the corpus has no instance here")
    silent = compare(BOOTSTRAP, table(0, lost=48), table(0, lost=48))
    assert isinstance(silent, Unscored)
    assert "no reply was scored" in silent.reason


def test_a_solver_without_any_reply_leaves_everything_open() -> None:
    found = success(table(48), table(0, lost=48))
    assert (found.value, found.least, found.most) == (100.0, 0.0, 100.0)
    assert (found.complete, found.complete_families) == (None, 0)


def test_tables_of_two_corpora_are_refused() -> None:
    with pytest.raises(ValueError, match="not of one corpus"):
        compare(BOOTSTRAP, table(4), table(2, of=items(3)))


def test_the_order_of_rows_changes_nothing() -> None:
    rows: list[GradedRow] = [row(item, 4, acted=True) for item in ITEMS[:9]]
    turned = tabulate(CORPUS, reversed(rows))
    assert compared(tabulate(CORPUS, rows), table(5)) == compared(turned, table(5))
