"""The page of a submission and of a record, for somebody who may see the truth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.models import Record, Submission
from grading.services.freezing import freeze_report
from tests.grading.builders import corpus_of, graded, line, lines, perfect, rows_of, wrong
from worlds.models import Corpus
from worlds.services import world_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def corpus() -> Corpus:
    return corpus_of()


@pytest.fixture
def mixed(corpus: Corpus) -> Submission:
    """Wrong, silent, filtered, perfect; one instance missing, one row bad."""
    rows = rows_of(corpus)
    content = (
        line(rows[0], f"First this.\n{wrong(rows[0])}\nThat is all.")
        + line(rows[1], "no idea")
        + line(rows[2], None, stop_reason="content_filter")
        + lines(rows[3:9])
        + b"bad\n"
    )
    submission = graded(corpus, content)
    freeze_report(corpus)
    return submission


def _get(client: Client, submission: Submission, query: str = "", **headers: str) -> str:
    response = client.get(submission.get_absolute_url() + query, headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def _shown(page: str, corpus: Corpus) -> list[str]:
    rows = page.partition('id="record-rows"')[2]
    return [row.sample_id for row in rows_of(corpus) if f">{row.sample_id}<" in rows]


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("", [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        ("?status=filtered", [2]),
        ("?status=missing", [9]),
        ("?outcome=unreadable", [1]),
        ("?outcome=success", [3, 4, 5, 6, 7, 8]),
        ("?finding=unreadable", [1]),
        ("?finding=contradicted-clue", [0]),
        ("?finding=contradicted-clue&status=truncated", []),
        ("?status=filtered&outcome=success", []),
        ("?level=L00&status=missing&outcome=success", []),
        ("?page=999999999999999999999", [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        ("?page=-1&page=\u0663", [0, 1, 2, 3, 4, 5, 6, 7, 8]),
    ],
)
def test_filters_narrow_the_records(
    owner_client: Client, corpus: Corpus, mixed: Submission, query: str, places: list[int]
) -> None:
    ids = [row.sample_id for row in rows_of(corpus)]
    assert _shown(_get(owner_client, mixed, query), corpus) == [ids[n] for n in places]


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("?level=L9'", "Level: “L9&#x27;” is no choice here; expected L00."),
        ("?status=lost", "Status: “lost” is no choice here; expected answered or truncated"),
        ("?outcome=" + "x" * 20_000, "is no choice here"),
        ("?condition=%ff%fe", "is no choice here"),
    ],
)
def test_a_filter_that_makes_no_sense_is_named_and_left_out(
    owner_client: Client, corpus: Corpus, mixed: Submission, query: str, sentence: str
) -> None:
    page = _get(owner_client, mixed, query)
    assert sentence in page
    assert len(_shown(page, corpus)) == 9


def test_htmx_gets_the_rows_alone_and_caches_keep_them_apart(
    owner_client: Client, mixed: Submission
) -> None:
    address = mixed.get_absolute_url()
    part = owner_client.get(address, headers={"HX-Request": "true"})
    assert part.content.decode().lstrip().startswith('<div class="section" id="record-rows"')
    assert "HX-Request" in part["Vary"]
    restored = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert b"<!doctype html>" in owner_client.get(address, headers=restored).content


def test_the_page_counts_by_status_and_names_the_bad_rows(
    owner_client: Client, mixed: Submission
) -> None:
    page = _get(owner_client, mixed)
    assert "9 of 10" in page
    assert '<a href="?status=missing#records">1</a>' in page
    assert "row 10 of" in page
    assert "1 row left out" in page


def test_of_very_many_bad_rows_the_page_says_how_many_more_there_are(
    owner_client: Client, corpus: Corpus
) -> None:
    submission = graded(corpus, lines(rows_of(corpus)) + b"bad\n" * 120)
    page = _get(owner_client, submission)
    assert "These are the first 100, and 20 more stand in rejected.jsonl." in page
    response = owner_client.get(reverse("grading:rejected_rows", args=(submission.pk,)))
    assert b"".join(response).count(b"\n") == 120  # type: ignore[call-overload]


def test_a_submission_without_bad_rows_has_no_file_of_them(
    owner_client: Client, corpus: Corpus
) -> None:
    submission = graded(corpus, lines(rows_of(corpus)))
    address = reverse("grading:rejected_rows", args=(submission.pk,))
    assert owner_client.get(address).status_code == 404


def test_another_name_in_the_files_is_told(owner_client: Client, corpus: Corpus) -> None:
    submission = graded(corpus, lines(rows_of(corpus), model="lab/kestrel-2026"))
    page = _get(owner_client, submission)
    assert "The files use another name" in page
    assert "lab/kestrel-2026" in page


def test_lists_cost_as_many_queries_for_one_record_as_for_many(
    owner_client: Client, corpus: Corpus
) -> None:
    few = graded(corpus, lines(rows_of(corpus)[:1]), model="few")
    many = graded(corpus, lines(rows_of(corpus)), model="many")
    freeze_report(corpus)
    _get(owner_client, few)  # which keeps the report in memory
    counts = []
    for submission in (few, many):
        with CaptureQueriesContext(connection) as queries:
            _get(owner_client, submission)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def _record(client: Client, record: Record) -> str:
    response = client.get(record.get_absolute_url())
    assert response.status_code == 200
    return response.content.decode()


def test_a_record_marks_what_was_graded_and_shows_each_fact_beside_the_truth(
    owner_client: Client, corpus: Corpus, mixed: Submission
) -> None:
    row = rows_of(corpus)[0]
    page = _record(owner_client, mixed.records.get(instance=row))
    assert "First this.\n<mark" in page
    assert "</mark>\nThat is all.</pre>" in page
    assert page.count('data-outcome="wrong">wrong<') == 1
    for variable in world_of(row.family).variables:
        assert f">{variable.mark}</th>" in page


def test_a_record_names_the_clues_it_contradicts_with_their_text(
    owner_client: Client, corpus: Corpus
) -> None:
    row = rows_of(corpus, "implicit")[0]
    record = graded(corpus, line(row, wrong(row))).records.get()
    page = _record(owner_client, record)
    for unit in record.diagnosis["contradicted"]:
        assert f'href="{row.get_absolute_url()}?lit=1#span-{unit}"' in page
    assert "contradictions__quote" in page


def test_a_record_without_a_reply_shows_its_error_and_no_truth_table(
    owner_client: Client, corpus: Corpus
) -> None:
    row = rows_of(corpus)[0]
    content = line(row, None, error="HTTP 529 after <5> retries", stop_reason=None)
    page = _record(owner_client, graded(corpus, content).records.get())
    assert "HTTP 529 after &lt;5&gt; retries" in page
    assert "Fact by fact" not in page


def test_an_unreadable_record_says_why(
    owner_client: Client, corpus: Corpus, mixed: Submission
) -> None:
    page = _record(owner_client, mixed.records.get(instance=rows_of(corpus)[1]))
    assert "Nothing was graded" in page
    assert "The reply holds no JSON object with an &quot;answer&quot;." in page


def test_a_very_long_reply_is_cut_around_what_was_graded_and_whole_in_its_file(
    owner_client: Client, corpus: Corpus
) -> None:
    row = rows_of(corpus)[0]
    reply = "x" * 200_000 + perfect(row) + "y" * 200_000
    record = graded(corpus, line(row, reply)).records.get()
    page = _record(owner_client, record)
    assert len(page) < 120_000
    assert "characters are left out here" in page
    assert 'class="reply__graded">{&quot;answer&quot;' in page
    address = reverse("grading:record_reply", args=(record.submission_id, record.pk))
    assert owner_client.get(address).content.decode() == reply


def test_a_record_costs_a_fixed_number_of_queries(
    owner_client: Client, corpus: Corpus, mixed: Submission
) -> None:
    counts = []
    for record in mixed.records.all():
        with CaptureQueriesContext(connection) as queries:
            _record(owner_client, record)
        counts.append(len(queries))
    assert len(set(counts)) == 1
