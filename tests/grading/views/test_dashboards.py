"""The dashboard of a submission: scores for everybody, findings for those who may see the truth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from grading.models import Submission
from grading.services.controlling import run_controls
from grading.services.freezing import freeze_report
from tests.grading.builders import corpus_of, falsify, graded, line, lines, rows_of, wrong
from worlds.models import Corpus

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def corpus() -> Corpus:
    return corpus_of()


@pytest.fixture
def submission(corpus: Corpus) -> Submission:
    rows = rows_of(corpus)
    content = b"".join(line(row, wrong(row)) for row in rows[:4]) + lines(rows[5:])
    submission = graded(corpus, content, model="kestrel <b>")
    freeze_report(corpus)
    return submission


def _get(client: Client, submission: Submission, query: str = "") -> str:
    response = client.get(f"{submission.get_absolute_url()}dashboard/{query}")
    assert response.status_code == 200
    return response.content.decode()


def test_the_headline_has_its_interval_and_what_missing_replies_leave_open(
    client: Client, submission: Submission
) -> None:
    page = _get(client, submission)
    assert 'class="headline__value"' in page
    assert "over 2 families" in page
    assert "were they all right, it would be" in page
    for words in (
        "Discovery tax",
        "Discovery retention",
        "Reasoning discipline",
        "Lucky decisions",
    ):
        assert words in page
    assert "kestrel &lt;b&gt;" in page
    assert 'id="level-curves-spec"' in page


def test_findings_and_telling_records_are_for_those_who_may_see_the_truth(
    owner_client: Client, submission: Submission
) -> None:
    signed_in, stranger = _get(owner_client, submission), _get(Client(), submission)
    assert "What went wrong" in signed_in
    assert "The most telling records" in signed_in
    assert "?finding=lucky-action#records" in signed_in
    for words in ("What went wrong", "lucky-action", "/records/"):
        assert words not in stranger
    assert "shown to people who are signed in" in stranger


def test_a_count_leads_to_so_many_records(owner_client: Client, submission: Submission) -> None:
    address = submission.get_absolute_url()
    listed = owner_client.get(f"{address}?finding=lucky-action").content.decode()
    assert "4 records" in listed
    assert "No record fits" in owner_client.get(f"{address}?finding=missed-bridge").content.decode()


def test_a_stranger_cannot_narrow_by_diagnosis(client: Client, submission: Submission) -> None:
    address = submission.get_absolute_url()
    assert "9 records" in client.get(f"{address}?finding=lucky-action").content.decode()


def test_missing_instances_have_no_finding(owner_client: Client, submission: Submission) -> None:
    address = f"{submission.get_absolute_url()}?status=missing&finding=unreadable"
    assert "No record fits" in owner_client.get(address).content.decode()


def test_the_level_curves_come_as_csv(client: Client, submission: Submission) -> None:
    response = client.get(f"{submission.get_absolute_url()}dashboard/levels.csv")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    head, first = response.content.decode().split("\r\n")[:2]
    assert head.startswith("level,explicit,explicit_low,explicit_high,implicit")
    assert first.startswith("L00,")


def test_submission_and_dashboard_lead_to_each_other(
    client: Client, submission: Submission
) -> None:
    address = submission.get_absolute_url()
    assert f'href="{address}dashboard/"' in client.get(address).content.decode()
    assert f'href="{address}"' in _get(client, submission)
    assert "compare/?m=model%3Akestrel" in _get(client, submission)


def test_before_a_report_has_it_the_page_says_so(client: Client, corpus: Corpus) -> None:
    submission = graded(corpus, lines(rows_of(corpus)))
    assert "No scores yet" in _get(client, submission)
    assert client.get(f"{submission.get_absolute_url()}dashboard/levels.csv").status_code == 404


def test_on_a_void_board_no_number_is_shown(
    owner_client: Client, corpus: Corpus, submission: Submission
) -> None:
    falsify(corpus)
    run_controls(corpus)
    freeze_report(corpus)
    page = _get(owner_client, submission)
    assert 'data-level="void"' in page
    assert "headline__value" not in page
    assert "<table" not in page


def test_a_solver_of_nothing_and_one_of_everything_are_shown(
    owner_client: Client, corpus: Corpus
) -> None:
    rows = rows_of(corpus)
    everything = graded(corpus, lines(rows), model="all")
    nothing = graded(corpus, b"".join(line(row, None, status="refused") for row in rows))
    freeze_report(corpus)
    assert "Nothing went wrong" in _get(owner_client, everything)
    page = _get(owner_client, nothing)
    assert "no reply was scored" in page
    assert "No reply was graded" in page


@pytest.mark.parametrize("pk", [0, 10**30])
def test_a_submission_that_is_not_there_is_404(client: Client, pk: int) -> None:
    assert client.get(f"/submissions/{pk}/dashboard/").status_code == 404
    assert client.get(f"/submissions/{pk}/dashboard/levels.csv").status_code == 404


def test_a_dashboard_costs_as_many_queries_for_few_replies_as_for_many(
    owner_client: Client, corpus: Corpus, submission: Submission
) -> None:
    _get(owner_client, submission)  # what is cached for good is cached now
    _get(owner_client, submission)  # which keeps the report in memory
    with CaptureQueriesContext(connection) as many:
        _get(owner_client, submission)
    small = graded(corpus, lines(rows_of(corpus)[:1]), model="small")
    freeze_report(corpus)
    _get(owner_client, small)
    with CaptureQueriesContext(connection) as few:
        _get(owner_client, small)
    assert len(few) == len(many) <= 14
