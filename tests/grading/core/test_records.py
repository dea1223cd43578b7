"""The path from a reply to its counts."""

from __future__ import annotations

import pytest

from grading.core.records import Assessment, GradedRow, assess
from grading.core.statuses import Status
from tests.grading.core.builders import KEY, right


@pytest.mark.parametrize("status", [Status.REFUSED, Status.FILTERED, Status.FAILED, Status.MISSING])
def test_missing_mass_is_never_graded(status: Status) -> None:
    assert assess(KEY, right(), status) == Assessment(status, False, None, None)


def test_truncated_reply_is_graded() -> None:
    found = assess(KEY, right(), Status.TRUNCATED)
    assert found.grade is not None
    assert found.grade.task_success


def test_truncation_is_inferred_only_where_nothing_tells() -> None:
    text = "<think>and so"
    assert assess(KEY, text, stop_unknown=True).status is Status.TRUNCATED
    assert assess(KEY, text, stop_unknown=False).status is Status.ANSWERED
    assert assess(KEY, text, Status.TRUNCATED, stop_unknown=False).status is Status.TRUNCATED


def test_no_text_is_graded_as_nothing_stated() -> None:
    for text in (None, ""):
        row = GradedRow.of("a", 2, assess(KEY, text))
        assert row == GradedRow("a", 2, Status.ANSWERED, n=8)


def test_row_of_a_right_reply() -> None:
    assert GradedRow.of("a", 1, assess(KEY, right(), stop_unknown=True)) == GradedRow(
        sample_id="a",
        epoch=1,
        status=Status.ANSWERED,
        stop_unknown=True,
        n=8,
        stated=8,
        tp=8,
        world_exact=True,
        action_correct=True,
        policy_consistent=True,
        task_success=True,
    )


def test_row_of_a_refusal_counts_nothing() -> None:
    assert GradedRow.of("a", 1, assess(KEY, None, Status.REFUSED)) == GradedRow(
        "a", 1, Status.REFUSED
    )
