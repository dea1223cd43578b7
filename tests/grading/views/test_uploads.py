"""The upload page: every bad input is a sentence on the form, every good one a job to watch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from enigmaforge_site.jobs.models import Job, State
from grading.core.formats import FORMATS
from grading.models import Report, Submission
from grading.services.receiving import receive_upload
from tests.grading.builders import corpus_of, line, lines, rows_of, upload
from worlds.models import Corpus
from worlds.services import create_corpus

pytestmark = pytest.mark.django_db

UPLOAD = "/upload/"


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def corpus() -> Corpus:
    return corpus_of()


def _post(client: Client, *contents: bytes, **fields: Any) -> Any:
    files = [SimpleUploadedFile(f"part{n}.jsonl", each) for n, each in enumerate(contents, 1)]
    data = {"corpus": "harbour", "model": "kestrel", "replies": files} | fields
    return client.post(UPLOAD, data)


def test_an_upload_is_graded_by_a_job_and_its_page_tells_the_scores(
    owner_client: Client, corpus: Corpus, run_jobs: Callable[[], int]
) -> None:
    response = _post(owner_client, lines(rows_of(corpus)))
    submission = Submission.objects.get()
    assert (response.status_code, response["Location"]) == (302, submission.get_absolute_url())
    waiting = owner_client.get(submission.get_absolute_url()).content.decode()
    assert "Grade kestrel on harbour" in waiting
    assert 'hx-trigger="every 1s"' in waiting
    assert run_jobs() == 1
    page = owner_client.get(submission.get_absolute_url()).content.decode()
    assert "Intuition" in page
    assert 'hx-trigger="every' not in page
    assert Report.objects.count() == 1


def test_two_files_are_one_submission(
    owner_client: Client, corpus: Corpus, run_jobs: Callable[[], int]
) -> None:
    rows = rows_of(corpus)
    _post(owner_client, lines(rows[:4]), lines(rows[4:]))
    run_jobs()
    assert Submission.objects.get().records.count() == 10


def test_the_same_file_again_leads_to_the_first_result(
    owner_client: Client, corpus: Corpus
) -> None:
    content = lines(rows_of(corpus))
    first = _post(owner_client, content)["Location"]
    again = _post(owner_client, content, model=" KESTREL ")
    assert again["Location"] == first
    assert Submission.objects.count() == Job.objects.count() == 1
    assert "These files are here already" in owner_client.get(first).content.decode()


def test_a_known_file_beside_a_new_one_is_named(owner_client: Client, corpus: Corpus) -> None:
    rows = rows_of(corpus)
    _post(owner_client, lines(rows[:4]))
    second = _post(owner_client, lines(rows[:4]), lines(rows[4:]))
    page = owner_client.get(second["Location"]).content.decode()
    assert "part1.jsonl is part of kestrel already and was left out here." in page


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"corpus": "nowhere"}, "Expected one of the complete corpora in the list."),
        ({"corpus": ""}, "Expected one of the complete corpora in the list."),
        ({"model": "  "}, "Found nothing; expected the name of the model."),
        ({"model": "x" * 121}, "at most 120 characters"),
        ({"model": "a\u202egnp"}, "visible characters only, without U+202E"),
        ({"replies": []}, "Found no file; expected one or more."),
        ({"replies": [SimpleUploadedFile("a.jsonl", b"")]}, "This file is empty"),
    ],
)
def test_bad_input_is_a_sentence_on_the_form(
    owner_client: Client, corpus: Corpus, fields: dict[str, Any], sentence: str
) -> None:
    response = _post(owner_client, b"{}", **fields)
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert Submission.objects.count() == 0


def test_too_many_files_are_a_sentence_on_the_form(owner_client: Client, corpus: Corpus) -> None:
    response = _post(owner_client, *[b"%d" % n for n in range(21)])
    assert response.status_code == 422
    assert "At most 20 files; these are 21." in response.content.decode()


def test_a_corpus_in_the_making_cannot_be_chosen(owner_client: Client, corpus: Corpus) -> None:
    create_corpus("young", seed=0, families=1, levels=["L00"], genres=["maritime"])
    assert _post(owner_client, b"{}", corpus="young").status_code == 422
    assert "young" not in owner_client.get(UPLOAD).content.decode()


def test_without_a_corpus_the_page_says_what_to_do(owner_client: Client) -> None:
    page = owner_client.get(UPLOAD).content.decode()
    assert "No corpus is complete yet" in page
    assert "<input" not in page.partition("<main")[2]


def test_the_page_names_every_format_and_where_its_ids_stand(
    owner_client: Client, corpus: Corpus
) -> None:
    page = owner_client.get(UPLOAD).content.decode()
    for one in FORMATS:
        assert one.label in page
        assert one.id_field in page


def test_the_page_names_formats_and_limits(owner_client: Client, corpus: Corpus) -> None:
    page = owner_client.get(f"{UPLOAD}?corpus=harbour").content.decode()
    for words in ("JSON Lines", "at most 256 MB in at most 20 files", "at most 32 MB"):
        assert words in page


def test_an_upload_needs_the_pages_own_token(corpus: Corpus, owner_client: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = owner_client.cookies
    assert _post(strict, b"{}").status_code == 403


def test_an_upload_without_a_good_row_says_so_and_can_be_gone_on_with(
    owner_client: Client, corpus: Corpus, run_jobs: Callable[[], int]
) -> None:
    address = _post(owner_client, line("request-1", "{}"))["Location"]
    run_jobs()
    page = owner_client.get(address).content.decode()
    assert "Nothing in the files is a reply to harbour" in page
    assert "Not taken" in page
    assert "Go on from here" in page
    assert Job.objects.get().state == State.FAILED


def test_an_import_that_no_job_works_on_is_taken_up_again(
    owner_client: Client, corpus: Corpus, run_jobs: Callable[[], int]
) -> None:
    files = [upload(lines(rows_of(corpus)))]
    submission = receive_upload(corpus, model="kestrel", files=files).submission
    page = owner_client.get(submission.get_absolute_url()).content.decode()
    assert "The import was interrupted" in page
    resume = reverse("grading:submission_resume", args=(submission.pk,))
    assert owner_client.post(resume)["Location"] == submission.get_absolute_url()
    assert owner_client.post(resume).status_code == 302
    assert run_jobs() == 1
    assert submission.records.count() == 10


def test_earlier_uploads_are_listed_the_newest_first(owner_client: Client, corpus: Corpus) -> None:
    for model in ("first", "second"):
        _post(owner_client, model.encode(), model=model)
    page = owner_client.get(UPLOAD).content.decode()
    assert page.index(">second<") < page.index(">first<")


def test_the_number_of_queries_does_not_grow_with_the_uploads(
    owner_client: Client, corpus: Corpus
) -> None:
    _post(owner_client, b"one")
    with CaptureQueriesContext(connection) as few:
        owner_client.get(UPLOAD)
    for n in range(5):
        _post(owner_client, b"more %d" % n, model=f"model {n}")
    with CaptureQueriesContext(connection) as many:
        owner_client.get(UPLOAD)
    assert len(few) == len(many)
