"""Findings counted as the lists behind the counts do, and the one rule for telling records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grading.core.diagnose import Kind
from grading.models import Record, Submission
from grading.services.dashboard import (
    MOST_TELLING,
    breakdown_of,
    findings_of,
    statuses_of,
    telling_of,
)
from tests.grading.builders import corpus_of, graded, line, lines, perfect, rows_of, wrong
from tests.grading.figures.builders import report

pytestmark = pytest.mark.django_db

CONDITIONS = ("explicit", "formal", "implicit")


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def submission() -> Submission:
    """Ten replies: four lucky ones, one without an answer, one missing, the rest right."""
    rows = rows_of(corpus_of())
    content = (
        b"".join(line(row, wrong(row)) for row in rows[:4])
        + line(rows[4], "I cannot say.")
        + lines(rows[6:])
    )
    return graded(rows[0].corpus, content)


def _find(record: Record, *kinds: Kind) -> None:
    """Store findings of these kinds, each twice: about two units."""
    record.diagnosis = {
        "findings": [{"kind": kind.value, "unit": unit} for kind in kinds for unit in ("D1", "D2")],
        "contradicted": [],
    }
    record.save()


def test_a_record_counts_once_for_each_finding_however_often_it_has_it(
    submission: Submission,
) -> None:
    for record in submission.records.all():
        _find(record, Kind.ADOPTED_DISTRACTOR, Kind.LUCKY_ACTION)
    found = {line.kind: line for line in breakdown_of(findings_of(submission), CONDITIONS)}
    assert found.keys() == {Kind.ADOPTED_DISTRACTOR, Kind.LUCKY_ACTION}
    line = found[Kind.ADOPTED_DISTRACTOR]
    assert line.total == submission.records.count() == 9
    for condition, count in line.counts:
        listed = submission.records.with_finding(line.kind).in_condition(condition)
        assert listed.count() == count


def test_findings_that_do_not_occur_are_left_out(submission: Submission) -> None:
    found = {line.kind: line.total for line in breakdown_of(findings_of(submission), CONDITIONS)}
    assert found[Kind.LUCKY_ACTION] == 4
    assert found[Kind.UNREADABLE] == 1
    assert Kind.RIGHT_WORLD_WRONG_ACTION not in found


def test_every_kind_of_finding_can_be_asked_for(submission: Submission) -> None:
    record = submission.records.first()
    assert record is not None
    for kind in Kind:
        _find(record, kind)
        assert record in submission.records.with_finding(kind)
        assert kind in {line.kind for line in breakdown_of(findings_of(submission), CONDITIONS)}


def test_telling_records_take_turns_by_kind_and_unguided_ones_come_first(
    submission: Submission,
) -> None:
    records = {r.instance.sample_id: r for r in submission.records.select_related("instance")}
    for record in records.values():
        record.diagnosis = {}
        record.save()
    implicit = sorted(key for key, r in records.items() if r.instance.condition == "implicit")
    formal = next(key for key, r in records.items() if r.instance.condition == "formal")
    _find(records[formal], Kind.LUCKY_ACTION)
    for sample_id in implicit[:2]:
        _find(records[sample_id], Kind.LUCKY_ACTION, Kind.ADOPTED_DISTRACTOR)
    _find(records[implicit[2]], Kind.RIGHT_WORLD_WRONG_ACTION)
    told = [
        (one.kind, one.record.instance.sample_id) for one in telling_of(findings_of(submission))
    ]
    assert told == [
        (Kind.RIGHT_WORLD_WRONG_ACTION, implicit[2]),
        (Kind.LUCKY_ACTION, implicit[0]),
        (Kind.LUCKY_ACTION, implicit[1]),
        (Kind.LUCKY_ACTION, formal),
    ]


def test_there_are_at_most_ten_telling_records_and_none_twice() -> None:
    corpus = corpus_of()
    rows = rows_of(corpus)
    submission = graded(
        corpus, b"".join(line(row, wrong(row), epoch=n) for row in rows for n in (1, 2))
    )
    told = telling_of(findings_of(submission))
    assert len(told) == len({one.record.pk for one in told}) == MOST_TELLING
    assert [one.record.pk for one in told] == [
        one.record.pk for one in telling_of(findings_of(submission))
    ]
    assert {one.record.instance.condition for one in told[:8]} == {"implicit"}


def test_a_perfect_solver_has_no_finding_and_no_telling_record() -> None:
    corpus = corpus_of()
    rows = rows_of(corpus)
    submission = graded(corpus, b"".join(line(row, perfect(row)) for row in rows))
    assert breakdown_of(findings_of(submission), CONDITIONS) == []
    assert telling_of(findings_of(submission)) == []


def test_statuses_are_split_by_condition_and_missing_mass_is_marked() -> None:
    (row,) = [row for row in report()["rows"] if row["model"] == "lacks a family"]
    found = {line.status: line for line in statuses_of(row, CONDITIONS)}
    assert found.keys() == {"answered", "refused"}
    assert found["refused"].is_missing_mass
    assert not found["answered"].is_missing_mass
    assert found["refused"].counts == (("explicit", 1), ("formal", 1), ("implicit", 1))
    assert found["answered"].total == 21
