"""From rows to scores: denominators, averages, what is missing, and what cannot be said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grading.core.metrics import METRICS, Score, Unscored, scores, tabulate
from grading.core.records import GradedRow
from grading.core.statistics import Bootstrap
from grading.core.statuses import Status
from grading.core.table import Item
from tests.grading.core.builders import corpus, items, row, wrong
from worlds.core.errors import BadInput

FAILED = Status.FAILED


def all_scores(rows: list[GradedRow], *expected: Item) -> dict[str, Score | Unscored]:
    laid = corpus(*expected)
    return scores(Bootstrap(laid.sha256), tabulate(laid, rows))


def one(name: str, rows: list[GradedRow], *expected: Item) -> Score:
    found = all_scores(rows, *expected)[name]
    assert isinstance(found, Score)
    return found


def unscored(name: str, rows: list[GradedRow], *expected: Item) -> str:
    found = all_scores(rows, *expected)[name]
    assert isinstance(found, Unscored)
    return found.reason


def solved(item: Item, epoch: int = 1) -> GradedRow:
    return row(item, 4, acted=True, epoch=epoch)


def lost(item: Item, epoch: int = 1) -> GradedRow:
    return row(item, status=FAILED, epoch=epoch)


# F1


def test_mean_f1_over_hand_computed_records() -> None:
    """(tp, fp, fn) = (3, 2, 1), (5, 0, 0), (0, 0, 4) and (0, 0, 6): 2/3, 1, 0 and 0."""
    four = items(4, ["implicit"])
    rows = [
        row(four[0], 3, stated=5, n=4),
        row(four[1], 5, stated=5, n=5),
        row(four[2], 0, stated=0, n=4),
        row(four[3], 0, stated=0, n=6),
    ]
    found = one("fact_f1", rows, *four)
    assert found.value == pytest.approx((2 / 3 + 1) / 4, abs=1e-12)
    assert found.families == 4
    claims = one("claim_accuracy", rows, *four)
    assert claims.value == 100 * 8 / 10
    assert claims.counts == {"right": 8, "stated": 10}


def test_realizations_are_averaged_before_families() -> None:
    family, other = items(1, ["implicit"], 4), replace(items(2, ["implicit"])[1], family="other")
    rows = [solved(family[0]), *map(wrong, family[1:]), solved(other)]
    assert one("fact_f1", rows, *family, other).value == pytest.approx((1 / 4 + 1) / 2, abs=1e-12)


def test_epochs_are_averaged_first_and_do_not_narrow_the_interval() -> None:
    twenty = items(20)
    once = [solved(item) if at % 3 else wrong(item) for at, item in enumerate(twenty)]
    thrice = [replace(row, epoch=epoch) for row in once for epoch in (1, 2, 3)]
    for name in ("fact_f1", "task_success", "intuition"):
        assert one(name, thrice, *twenty) == one(name, once, *twenty)


def test_copies_of_every_realization_do_not_narrow_the_interval() -> None:
    few, many = items(20, ["implicit"], 1), items(20, ["implicit"], 5)

    def half(expected: tuple[Item, ...]) -> list[GradedRow]:
        return [solved(one) if int(one.family[1:]) % 2 else wrong(one) for one in expected]

    assert one("intuition", half(many), *many) == one("intuition", half(few), *few)


# What is missing


def test_missing_counts_as_nothing_and_the_bounds_say_so() -> None:
    ten = items(10, ["implicit"])
    rows = [*map(solved, ten[:4]), *map(wrong, ten[4:8]), lost(ten[8])]
    found = one("intuition", rows, *ten)
    assert (found.value, found.lower_bound, found.upper_bound) == (40.0, 40.0, 60.0)
    assert found.answered_only == 50.0


def test_a_missing_epoch_is_missing() -> None:
    two = items(2, ["implicit"])
    rows = [solved(two[0], 1), solved(two[0], 2), solved(two[1], 1)]
    found = one("intuition", rows, *two)
    assert (found.value, found.upper_bound, found.answered_only) == (75.0, 100.0, 100.0)


def test_errors_do_not_leave_the_denominator() -> None:
    hundred = items(100, ["implicit"])
    rows = [
        *map(solved, hundred[:80]),
        *map(wrong, hundred[80:90]),
        *map(lost, hundred[90:]),
    ]
    assert one("task_success", rows, *hundred).value == 80.0


@pytest.mark.parametrize("name", [metric.name for metric in METRICS])
def test_no_reply_at_all_is_said_in_words(name: str) -> None:
    three = items(3)
    assert unscored(name, [], *three)
    assert unscored(name, [lost(one) for one in three], *three)


@pytest.mark.parametrize("name", [metric.name for metric in METRICS])
def test_no_instance_at_all_is_said_in_words(name: str) -> None:
    assert unscored(name, [])


def test_one_family_has_a_value_and_no_interval() -> None:
    pair = items(1)
    found = all_scores([solved(pair[0]), wrong(pair[1])], *pair)
    for name in ("fact_f1", "task_success", "intuition", "retention", "tax"):
        score = found[name]
        assert isinstance(score, Score)
        assert (score.interval.low, score.interval.note) == (None, "one family: no interval")


# Conditions against each other


def test_retention_and_tax_by_hand() -> None:
    four = items(2)
    explicit, implicit = four[::2], four[1::2]
    rows = [*map(solved, explicit), solved(implicit[0]), row(implicit[1], 2)]
    assert one("retention", rows, *four).value == pytest.approx(100 - 100 * (1 - 3 / 4))
    assert one("tax", rows, *four).value == 50.0
    assert one("intuition", rows, *four).value == 50.0


def test_retention_can_exceed_a_hundred() -> None:
    two = items(1)
    assert one("retention", [row(two[0], 2), solved(two[1])], *two).value == 150.0


def test_empty_replies_under_one_condition_are_no_small_tax() -> None:
    six = items(3)
    rows = [*map(solved, six[::2]), *(row(item, 0, stated=0) for item in six[1::2])]
    assert one("tax", rows, *six).value == 100.0
    assert one("retention", rows, *six).value == 0.0


def test_missing_replies_under_one_condition_leave_nothing_to_compare() -> None:
    six = items(3)
    rows = [*map(solved, six[::2]), *map(lost, six[1::2])]
    for name in ("tax", "retention"):
        assert unscored(name, rows, *six) == ("no family has all its explicit and implicit replies")


def test_nothing_under_both_conditions_is_not_all_retained() -> None:
    four = items(2)
    rows = [row(item, 0, stated=0) for item in four]
    assert "nothing to retain" in unscored("retention", rows, *four)
    assert "nothing to tax" in unscored("tax", rows, *four)


def test_only_complete_families_are_compared() -> None:
    four = items(2, realizations=2)
    first, second = four[:4], four[4:]
    rows = [*map(solved, first[:2]), *map(wrong, first[2:]), *map(solved, second[:3])]
    found = one("tax", rows, *four)
    assert (found.value, found.families) == (100.0, 1)
    assert (found.lower_bound, found.upper_bound) == (50.0, 75.0)


# Ratios of counts


def test_discipline_is_among_attempted_records() -> None:
    four = items(4, ["implicit"])
    rows = [
        solved(four[0]),
        solved(four[1]),
        row(four[2], status=Status.TRUNCATED),
        lost(four[3]),
    ]
    found = one("discipline", rows, *four)
    assert found.value == pytest.approx(200 / 3)
    assert found.counts == {"finished": 2, "attempted": 3}


def test_earned_decisions_in_both_readings() -> None:
    five = items(5, ["implicit"])
    rows = [
        solved(five[0]),
        row(five[1], 3, acted=True),
        row(five[2], 2, acted=True),
        row(five[3], 4),
        lost(five[4]),
    ]
    earned = one("earned_decisions", rows, *five)
    assert (earned.value, earned.counts) == (100 / 3, {"earned": 1, "correct": 3})
    sound = one("decision_soundness", rows, *five)
    assert (sound.value, sound.counts) == (50.0, {"not guessed": 2, "graded": 4})


def test_claims_are_counted_in_answered_records_only() -> None:
    two = items(2, ["implicit"])
    rows = [row(two[0], 3), replace(row(two[1], 0), status=Status.TRUNCATED)]
    assert one("claim_accuracy", rows, *two).value == 75.0


def test_no_action_and_no_claim_in_words() -> None:
    two = items(2, ["implicit"])
    rows = [row(item, 0, stated=0) for item in two]
    assert unscored("earned_decisions", rows, *two) == "no action was correct"
    assert unscored("claim_accuracy", rows, *two) == "nothing was stated"


# Units


def test_every_score_lies_on_its_scale() -> None:
    ten = items(10, realizations=2)
    rows = [row(item, at % 5, stated=at % 5 or 1, acted=at % 2 == 0) for at, item in enumerate(ten)]
    found = all_scores(rows, *ten)
    for metric in METRICS:
        score = found[metric.name]
        assert isinstance(score, Score)
        top = 1.0 if metric.unit == "0–1" else 100.0
        floor = -100.0 if metric.unit == "points" else 0.0
        top = 200.0 if metric.name == "retention" else top
        ends = [score.value, score.interval.low, score.interval.high]
        assert all(end is not None and floor <= end <= top for end in ends)


# The table


def test_rows_that_do_not_belong_are_refused() -> None:
    here, elsewhere = items(2, ["implicit"])
    with pytest.raises(BadInput, match="f001-imp1"):
        tabulate(corpus(here), [solved(elsewhere)])
    with pytest.raises(BadInput, match="f000-imp1"):
        tabulate(corpus(here), [solved(here), wrong(here)])


def test_statuses_count_every_expected_record() -> None:
    three = items(3, ["implicit"])
    rows = [solved(three[0], 1), lost(three[0], 2), wrong(three[1], 1)]
    statuses = tabulate(corpus(*three), rows).statuses
    assert (statuses[Status.ANSWERED], statuses[FAILED], statuses[Status.MISSING]) == (2, 1, 3)
