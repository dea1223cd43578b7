"""The pages of a run that is graded again, added to or withdrawn: which edition counts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from enigmaforge_site.jobs.models import Job, State
from grading.models import Submission
from grading.services.freezing import freeze_report, latest_report
from grading.services.receiving import receive_upload
from grading.tasks import enqueue_import
from tests.grading.builders import (
    corpus_of,
    graded,
    graded_by_earlier_code,
    line,
    lines,
    openai_line,
    perfect,
    rows_of,
    upload,
)
from worlds.models import Corpus

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def corpus() -> Corpus:
    return corpus_of()


@pytest.fixture
def somebody(client: Client, db: None) -> Client:
    """A person who is signed in and has uploaded nothing."""
    client.force_login(User.objects.create_user("somebody"))
    return client


def _page(client: Client, submission: Submission) -> str:
    return client.get(submission.get_absolute_url()).content.decode()


def _board(client: Client) -> str:
    return client.get("/leaderboard/harbour/").content.decode()


def _address(name: str, submission: Submission) -> str:
    return reverse(f"grading:submission_{name}", args=(submission.pk,))


def _files(*contents: bytes) -> dict[str, Any]:
    return {"replies": [SimpleUploadedFile(f"more{n}.jsonl", c) for n, c in enumerate(contents)]}


def test_a_regraded_run_says_on_both_pages_which_edition_counts(
    owner_client: Client, corpus: Corpus, run_jobs: Callable[[], int]
) -> None:
    old = graded_by_earlier_code(corpus, lines(rows_of(corpus)))
    frozen = freeze_report(corpus)
    assert "Graded by earlier code" in _page(owner_client, old)
    assert "graded by earlier code" in owner_client.get("/leaderboard/harbour/").content.decode()
    response = owner_client.post(_address("regrade", old))
    new = Submission.objects.get(edition=2)
    assert response["Location"] == new.get_absolute_url()
    waiting = _page(owner_client, new)
    assert "Grade kestrel on harbour" in waiting
    assert "Intuition" not in waiting

    run_jobs()
    before, after = _page(owner_client, old), _page(owner_client, new)
    assert "An earlier edition of this run" in before
    assert f'href="{new.get_absolute_url()}">edition 2</a>' in before
    assert f"/leaderboard/harbour/reports/{frozen.sha256}.json" in before
    assert f'href="{old.get_absolute_url()}">1</a>' in after
    assert "Graded by earlier code" not in before + after
    shown = [owner_client.get(each.get_absolute_url()).context["entry"] for each in (old, new)]
    assert [entry.cells["intuition"].value for entry in shown] == [0.0, 100.0]
    kept = json.loads(
        owner_client.get(f"/leaderboard/harbour/reports/{frozen.sha256}.json").content
    )
    assert kept["rows"][0]["scores"]["intuition"]["value"] == 0.0
    board = owner_client.get("/leaderboard/harbour/").content.decode()
    assert f'href="{new.get_absolute_url()}"' in board
    assert f'href="{old.get_absolute_url()}"' not in board
    assert "graded by earlier code" not in board


def test_all_outdated_runs_of_a_board_are_graded_again_at_once(
    owner_client: Client, corpus: Corpus, run_jobs: Callable[[], int]
) -> None:
    content = lines(rows_of(corpus))
    for model in ("kestrel", "osprey"):
        graded_by_earlier_code(corpus, content, model=model)
    graded(corpus, content, model="new")
    freeze_report(corpus)
    assert "2 runs were graded by earlier code" in _board(owner_client)
    page = owner_client.post("/leaderboard/harbour/regrade/", follow=True).content.decode()
    assert "2 runs are being graded again." in page
    assert run_jobs() == 2
    report = latest_report(corpus)
    assert report is not None
    assert [row["scores"]["intuition"]["value"] for row in report.payload["rows"]] == [100.0] * 3
    assert "graded by earlier code" not in _board(owner_client)
    page = owner_client.post("/leaderboard/harbour/regrade/", follow=True).content.decode()
    assert "The code at hand has graded every run." in page


def test_what_needs_no_regrading_is_told_and_nothing_opened(
    owner_client: Client, corpus: Corpus
) -> None:
    submission = graded(corpus, lines(rows_of(corpus)))
    page = owner_client.post(_address("regrade", submission), follow=True).content.decode()
    assert "Nothing to grade again: submission: found" in page
    assert (Submission.objects.count(), Job.objects.count()) == (1, 0)


def test_a_report_that_is_not_there_is_404(client: Client, corpus: Corpus) -> None:
    assert client.get("/leaderboard/harbour/reports/0123.json").status_code == 404


def test_a_batch_without_its_error_file_is_told_and_takes_it(
    owner_client: Client, corpus: Corpus, run_jobs: Callable[[], int]
) -> None:
    rows = rows_of(corpus)
    output = b"".join(openai_line(row, perfect(row)) for row in rows[:7])
    submission = graded(corpus, output)
    page = _page(owner_client, submission)
    assert "3 replies are missing" in page
    assert "An OpenAI batch has a second file" in page
    assert _address("extend", submission) in page

    errors = b"".join(openai_line(row, None) for row in rows[7:])
    response = owner_client.post(_address("extend", submission), _files(errors))
    run_jobs()
    both = Submission.objects.get(edition=2)
    assert response["Location"] == both.get_absolute_url()
    page = _page(owner_client, both)
    assert "10 of 10" in page
    assert "Add files to this run" not in page
    assert both.records.filter(status="failed").count() == 3


@pytest.mark.parametrize("content", [b"", None])
def test_no_file_to_add_is_a_sentence(
    owner_client: Client, corpus: Corpus, content: bytes | None
) -> None:
    submission = graded(corpus, lines(rows_of(corpus)[:7]))
    data = {} if content is None else _files(content)
    response = owner_client.post(_address("extend", submission), data)
    assert response.status_code == 422
    assert Submission.objects.count() == 1


def test_a_file_of_another_run_is_refused_with_its_name(
    owner_client: Client, corpus: Corpus
) -> None:
    rows = rows_of(corpus)
    first = graded(corpus, lines(rows[:7]))
    graded(corpus, lines(rows[7:]))
    response = owner_client.post(_address("extend", first), _files(lines(rows[7:])))
    assert response.status_code == 422
    assert "part1.jsonl, which is in kestrel (2)" in response.content.decode()


def test_a_withdrawn_upload_is_gone_and_the_board_is_computed_again(
    owner_client: Client, corpus: Corpus, run_jobs: Callable[[], int]
) -> None:
    submission = graded(corpus, lines(rows_of(corpus)))
    graded(corpus, lines(rows_of(corpus)[:9]), model="osprey")
    freeze_report(corpus)
    asked = owner_client.get(_address("withdraw", submission)).content.decode()
    assert "Withdraw an upload?" in asked
    assert "edition 1</a>, 10 records" in asked
    assert Submission.objects.count() == 2
    response = owner_client.post(_address("withdraw", submission), follow=True)
    assert "kestrel is being withdrawn" in response.content.decode()
    run_jobs()
    report = latest_report(corpus)
    assert report is not None
    assert [row["model"] for row in report.payload["rows"]] == ["osprey"]
    assert not Submission.objects.filter(pk=submission.pk).exists()


def test_withdrawing_stops_an_import(
    owner_client: Client, corpus: Corpus, run_jobs: Callable[[], int]
) -> None:
    files = [upload(lines(rows_of(corpus)))]
    submission = receive_upload(corpus, model="kestrel", files=files).submission
    job = enqueue_import(submission)
    owner_client.post(_address("withdraw", submission))
    run_jobs()
    job.refresh_from_db()
    assert (job.state, Submission.objects.count()) == (State.CANCELLED, 0)
    assert Job.objects.get(kind="withdraw_submission").state == State.DONE


def test_only_who_uploaded_it_and_staff_may_change_a_run(somebody: Client, corpus: Corpus) -> None:
    submission = graded(corpus, lines(rows_of(corpus)[:7]))
    page = _page(somebody, submission)
    for name in ("extend", "withdraw"):
        assert _address(name, submission) not in page
        assert somebody.get(_address(name, submission)).status_code == 403
        assert somebody.post(_address(name, submission)).status_code == 403
    Submission.objects.update(created_by=User.objects.get(username="somebody"))
    assert _address("withdraw", submission) in _page(somebody, submission)
    assert somebody.get(_address("extend", submission)).status_code == 200


def test_a_missing_reply_of_another_kind_of_file_is_told_too(
    somebody: Client, corpus: Corpus
) -> None:
    page = _page(somebody, graded(corpus, line(rows_of(corpus)[0], "no idea")))
    assert "9 replies are missing" in page
    assert "What is missing may stand in another file of the run." in page
    assert "Add files to this run" not in page
