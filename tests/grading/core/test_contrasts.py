"""Conditions against each other: paired by family, tested, and open about what is missing."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from grading.core.contrasts import Contrast, contrasts_of
from grading.core.metrics import Score, scores, tabulate
from grading.core.records import GradedRow
from grading.core.report import Submission, build_report
from grading.core.statistics import Bootstrap
from grading.core.statuses import Status
from grading.core.table import Item, Unscored
from tests.grading.core.builders import corpus, items, row, wrong
from worlds.core.seeds import derive

CONDITIONS = ("explicit", "implicit", "formal")


def solved(item: Item) -> GradedRow:
    return row(item, 4, acted=True)


def lost(item: Item) -> GradedRow:
    return row(item, status=Status.FAILED)


def found(rows: list[GradedRow], *expected: Item) -> dict[tuple[str, str, str], Contrast]:
    laid = corpus(*expected)
    table = tabulate(laid, rows)
    contrasts = contrasts_of(Bootstrap(laid.sha256), table)
    return {(one.first, one.second, one.metric): one for one in contrasts}


def one(rows: list[GradedRow], *expected: Item, key: tuple[str, str, str]) -> Score:
    score = found(rows, *expected)[key].found
    assert isinstance(score, Score)
    return score


def by_chance(expected: tuple[Item, ...], chances: dict[str, float]) -> list[GradedRow]:
    stream = derive(3, "contrasts")
    return [
        solved(item) if stream.random() < chances[item.condition] else wrong(item)
        for item in expected
    ]


def test_a_difference_is_that_of_family_means() -> None:
    """Two realizations each: families of (2 − 1) / 2 and (1 − 0) / 2, against hand arithmetic."""
    eight = items(2, realizations=2)
    first, second = eight[:4], eight[4:]
    rows = [solved(first[0]), solved(first[1]), solved(first[2]), wrong(first[3])]
    rows += [solved(second[0]), *map(wrong, second[1:])]
    score = one(rows, *eight, key=("explicit", "implicit", "task_success"))
    assert (score.value, score.families) == (50.0, 2)


def test_every_pair_of_conditions_is_compared_and_no_other() -> None:
    expected = items(12, CONDITIONS)
    keys = set(found(by_chance(expected, dict.fromkeys(CONDITIONS, 0.5)), *expected))
    pairs = {("explicit", "implicit"), ("implicit", "formal"), ("explicit", "formal")}
    assert {key[:2] for key in keys} == pairs
    two = items(12)
    rows = by_chance(two, dict.fromkeys(CONDITIONS, 0.5))
    assert {key[:2] for key in found(rows, *two)} == {("explicit", "implicit")}
    assert found([], *items(3, ["implicit"])) == {}


def test_explicit_minus_implicit_is_the_discovery_tax_to_the_last_bit() -> None:
    expected = items(20)
    rows = by_chance(expected, {"explicit": 0.9, "implicit": 0.3})
    laid = corpus(*expected)
    tax = scores(Bootstrap(laid.sha256), tabulate(laid, rows))["tax"]
    assert tax == one(rows, *expected, key=("explicit", "implicit", "task_success"))


def test_p_is_the_share_of_all_exchanges_that_lie_as_far_apart() -> None:
    """Against every one of the 2⁹ ways to exchange the two, in fractions."""
    expected = items(9)
    rows = by_chance(expected, {"explicit": 0.8, "implicit": 0.2})
    solving = {each.sample_id: each.task_success for each in rows}
    apart = [
        Fraction(solving[a.sample_id] - solving[b.sample_id])
        for a, b in zip(expected[::2], expected[1::2], strict=True)
    ]
    ways = [sum(map(Fraction.__mul__, signs, apart)) for signs in product((1, -1), repeat=9)]
    p = Fraction(sum(abs(way) >= abs(sum(apart)) for way in ways), len(ways))
    contrast = found(rows, *expected)["explicit", "implicit", "task_success"]
    assert contrast.p == pytest.approx(float(p), abs=1e-12)


def test_a_strong_difference_is_told_from_chance_and_none_is_not() -> None:
    expected = items(60, CONDITIONS)
    rows = by_chance(expected, {"explicit": 0.9, "implicit": 0.4, "formal": 0.9})
    contrasts = found(rows, *expected)
    strong = contrasts["explicit", "implicit", "task_success"]
    none = contrasts["explicit", "formal", "task_success"]
    assert strong.p is not None
    assert none.p is not None
    assert strong.p < 0.001 < 0.05 < none.p


def test_two_conditions_that_are_alike_everywhere_have_no_p() -> None:
    expected = items(30)
    contrast = found([solved(item) for item in expected], *expected)[
        "explicit", "implicit", "task_success"
    ]
    assert contrast.p is None
    assert isinstance(contrast.found, Score)
    assert contrast.found.interval.note == "rule of three"


def test_only_families_with_every_reply_are_compared_and_the_rest_is_bounded() -> None:
    expected = items(4, ["implicit", "formal"])
    rows = [solved(expected[0]), wrong(expected[1]), lost(expected[2]), wrong(expected[3])]
    rows += [*map(solved, expected[4:6]), *map(lost, expected[6:])]
    score = one(rows, *expected, key=("implicit", "formal", "task_success"))
    assert (score.value, score.families) == (50.0, 2)
    # Missing: one implicit reply, and both of the last family.
    assert (score.lower_bound, score.upper_bound) == (0.0, 75.0)


def test_nothing_to_compare_is_said_in_words() -> None:
    expected = items(2, ["implicit", "formal"])
    rows = [*map(solved, expected[::2]), *map(lost, expected[1::2])]
    contrast = found(rows, *expected)["implicit", "formal", "fact_f1"]
    assert contrast.found == Unscored("no family has all its implicit and formal replies")
    assert contrast.p is None


def test_the_schema_leak_pairs_the_same_surfaces_under_both_contracts() -> None:
    inline = items(10, ["implicit"], 2)
    deferred = [
        replace(item, sample_id=f"{item.sample_id}-d", contract="deferred")
        for item in inline
        if item.realization == 1
    ]
    # The second realization has no twin: whatever it comes to, it is no leak.
    rows = [solved(item) if item.realization == 1 else wrong(item) for item in inline]
    rows += [solved(item) if at < 4 else wrong(item) for at, item in enumerate(deferred)]
    score = one(rows, *inline, *deferred, key=("inline", "deferred", "task_success"))
    assert (score.value, score.families) == (60.0, 10)


def test_a_report_holds_the_contrasts_and_burial_where_there_are_stories() -> None:
    papers = items(6)
    stories = [
        replace(item, sample_id=f"{item.sample_id}-b{burial}", burial=burial)
        for item in papers
        for burial in (0, 5)
    ]
    for expected, values in ((papers, None), ((*papers, *stories), ["0", "5", "papers"])):
        run = Submission("k", "k", "model", tuple(map(solved, expected)))
        report = build_report(corpus(*expected), [run], [], {})
        (line,) = report["rows"]
        assert report["corpus"].get("burials") == values
        assert sorted(line["slices"].get("burial", {})) == (values or [])
        assert [(each["first"], each["metric"]) for each in line["contrasts"]] == [
            ("explicit", "fact_f1"),
            ("explicit", "task_success"),
        ]
