"""The jobs of grading: what the row says is what happened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from enigmaforge_site.jobs import services as jobs
from enigmaforge_site.jobs import tasks as bell
from enigmaforge_site.jobs.models import Job, State
from grading.models import Submission
from grading.services.freezing import freeze_report, latest_report
from grading.services.receiving import receive_upload
from grading.tasks import enqueue_controls, enqueue_import
from tests.grading.builders import corpus_of, graded, lines, rows_of, upload
from worlds.models import Corpus

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def corpus() -> Corpus:
    return corpus_of()


def _received(corpus: Corpus, content: bytes) -> Submission:
    return receive_upload(corpus, model="kestrel", files=[upload(content)]).submission


def test_an_import_reports_what_is_stored_and_freezes_the_board(
    corpus: Corpus, run_jobs: Callable[[], int]
) -> None:
    submission = _received(corpus, lines(rows_of(corpus)[:7]))
    job = enqueue_import(submission)
    run_jobs()
    job.refresh_from_db()
    assert (job.state, job.done, job.total) == (State.DONE, 7, 7)
    report = latest_report(corpus)
    assert report is not None
    assert [row["model"] for row in report.payload["rows"]] == ["kestrel"]


def test_one_submission_has_one_live_job(corpus: Corpus) -> None:
    submission = _received(corpus, lines(rows_of(corpus)))
    first, second = enqueue_import(submission), enqueue_import(submission)
    submission.refresh_from_db()
    assert first.pk == second.pk == submission.job_id


def test_a_cancelled_import_is_on_no_board_and_goes_on_when_asked(
    corpus: Corpus, run_jobs: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grading.services.importing._CHUNK_ROWS", 3)
    submission = _received(corpus, lines(rows_of(corpus)))
    job = enqueue_import(submission)
    Job.objects.filter(pk=job.pk).update(cancel_requested=True)
    run_jobs()
    job.refresh_from_db()
    submission.refresh_from_db()
    assert (job.state, submission.imported) == (State.CANCELLED, None)
    assert freeze_report(corpus).payload["rows"] == []
    bell.retry(job)
    run_jobs()
    job.refresh_from_db()
    assert (job.state, submission.records.count()) == (State.DONE, 10)


def test_an_import_that_takes_nothing_fails_in_its_own_words(
    corpus: Corpus, run_jobs: Callable[[], int]
) -> None:
    job = enqueue_import(_received(corpus, b"<html>"))
    run_jobs()
    job.refresh_from_db()
    assert job.state == State.FAILED
    assert job.error == (
        "Nothing in the files is a reply to harbour: replies.jsonl, file: found an HTML page, "
        "expected a file of replies: JSON Lines or one JSON array."
    )


def test_the_controls_report_every_step(corpus: Corpus, run_jobs: Callable[[], int]) -> None:
    job = enqueue_controls(corpus, link="/leaderboard/harbour/")
    run_jobs()
    job.refresh_from_db()
    assert (job.state, job.done, job.total) == (State.DONE, 300, 300)
    report = latest_report(corpus)
    assert report is not None
    assert report.payload["controls"]["state"] == "ok"


def test_a_report_is_frozen_by_a_job_of_its_own(
    corpus: Corpus, run_jobs: Callable[[], int]
) -> None:
    graded(corpus, lines(rows_of(corpus)))
    jobs.create("freeze_report", {"corpus_id": corpus.pk}, title="Freeze harbour")
    run_jobs()
    assert corpus.reports.count() == 1
