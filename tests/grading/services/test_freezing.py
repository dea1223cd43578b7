"""Frozen reports: computed from stored rows, immutable, and never behind what is stored."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from grading.models import Report, Submission
from grading.services.freezing import freeze_report, latest_report
from grading.services.importing import import_submission
from grading.services.receiving import receive_upload
from tests.grading.builders import corpus_of, graded, line, lines, rows_of, upload, wrong
from worlds.core.codec import canonical
from worlds.core.errors import BadInput
from worlds.models import Corpus
from worlds.services import create_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


def _row(report: Report, model: str) -> dict[str, Any]:
    return next(row for row in report.payload["rows"] if row["model"] == model)


def test_a_report_is_canonical_json_under_its_own_hash() -> None:
    report = freeze_report(corpus_of())
    assert report.sha256 == hashlib.sha256(report.content.encode()).hexdigest()
    assert canonical(report.payload) == report.content


def test_the_same_rows_give_the_same_report_once() -> None:
    corpus = corpus_of()
    graded(corpus, lines(rows_of(corpus)))
    first = freeze_report(corpus)
    second = freeze_report(corpus)
    assert (first.pk, first.created) == (second.pk, second.created)
    assert second.confirmed > first.confirmed
    assert Report.objects.count() == 1


def test_the_order_of_uploads_and_rows_changes_nothing() -> None:
    corpus, contents = corpus_of(), {}
    for model in ("kestrel", "osprey"):
        contents[model] = b"".join(line(row, wrong(row)) for row in rows_of(corpus)[:7])
    for model, content in contents.items():
        graded(corpus, content, model=model)
    first = freeze_report(corpus)
    Submission.objects.all().delete()
    for model, content in reversed(contents.items()):
        graded(corpus, b"\n".join(reversed(content.splitlines())) + b"\n", model=model)
    again = freeze_report(corpus).payload
    for row in [*again["rows"], *first.payload["rows"]]:
        # Only the files differ, by the order of their lines.
        del row["files"], row["key"]
    assert [row["scores"] for row in again["rows"]] == [
        _row(first, row["model"])["scores"] for row in again["rows"]
    ]


def test_what_is_missing_counts_as_wrong_and_is_told() -> None:
    corpus = corpus_of()
    graded(corpus, lines(rows_of(corpus, "implicit")[:2]))
    row = _row(freeze_report(corpus), "kestrel")
    intuition = row["scores"]["intuition"]
    assert (intuition["value"], intuition["answered_only"], intuition["upper_bound"]) == (
        50.0,
        100.0,
        100.0,
    )
    assert (row["statuses"]["missing"], row["expected"], row["is_lower_bound"]) == (8, 10, True)
    assert row["unranked"] is not None


def test_a_submission_that_is_not_imported_is_on_no_report() -> None:
    corpus = corpus_of()
    receive_upload(corpus, model="kestrel", files=[upload(lines(rows_of(corpus)))])
    assert freeze_report(corpus).payload["rows"] == []


def test_a_new_upload_makes_a_new_report_and_the_old_one_stays() -> None:
    corpus = corpus_of()
    first = freeze_report(corpus)
    content = first.content
    graded(corpus, lines(rows_of(corpus)))
    second = freeze_report(corpus)
    first.refresh_from_db()
    assert first.content == content
    assert latest_report(corpus) == second != first


def test_a_report_that_holds_again_is_the_latest_again() -> None:
    corpus = corpus_of()
    first = freeze_report(corpus)
    submission = graded(corpus, lines(rows_of(corpus)))
    freeze_report(corpus)
    submission.delete()
    assert freeze_report(corpus) == first == latest_report(corpus)
    assert Report.objects.count() == 2


def test_what_comes_in_while_a_report_is_computed_is_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from grading.services import freezing

    corpus = corpus_of()
    late = receive_upload(corpus, model="late", files=[upload(lines(rows_of(corpus)))]).submission
    build = freezing.build_report
    builds = 0

    def build_slowly(*args: Any) -> dict[str, Any]:
        nonlocal builds
        builds += 1
        built = build(*args)
        import_submission(Submission.objects.get(pk=late.pk))
        return built

    monkeypatch.setattr(freezing, "build_report", build_slowly)
    report = freeze_report(corpus)
    assert builds == 2
    assert [row["model"] for row in report.payload["rows"]] == ["late"]
    assert Report.objects.count() == 1


def test_two_runs_of_a_model_stand_side_by_side() -> None:
    corpus = corpus_of()
    graded(corpus, lines(rows_of(corpus)))
    graded(corpus, lines(rows_of(corpus)[:3]))
    names = [row["model"] for row in freeze_report(corpus).payload["rows"]]
    assert sorted(names) == ["kestrel", "kestrel (2)"]


def test_a_corpus_that_is_not_complete_has_no_report() -> None:
    corpus: Corpus = create_corpus("young", seed=0, families=1, levels=["L00"], genres=["maritime"])
    with pytest.raises(BadInput, match="expected a corpus that is complete"):
        freeze_report(corpus)
