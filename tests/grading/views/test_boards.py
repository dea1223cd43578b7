"""The leaderboards: from the frozen report alone, void when a control is off."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from enigmaforge_site.jobs.models import Job
from grading.models import Record
from grading.services.controlling import run_controls
from grading.services.freezing import freeze_report
from tests.grading.builders import corpus_of, falsify, graded, line, lines, rows_of, wrong
from worlds.models import Corpus
from worlds.services import create_corpus

pytestmark = pytest.mark.django_db

BOARD = "/leaderboard/harbour/"


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def corpus() -> Corpus:
    corpus = corpus_of()
    rows = rows_of(corpus)
    graded(corpus, lines(rows), model="meridian")
    graded(corpus, b"".join(line(row, wrong(row)) for row in rows[:6]), model="kestrel")
    freeze_report(corpus)
    return corpus


def _get(client: Client, query: str = "") -> str:
    response = client.get(BOARD + query)
    assert response.status_code == 200
    return response.content.decode()


def _void(corpus: Corpus) -> None:
    falsify(corpus)
    run_controls(corpus)
    freeze_report(corpus)


def test_the_board_shows_ranks_intervals_and_what_is_missing(
    client: Client, corpus: Corpus
) -> None:
    page = _get(client)
    assert page.index("meridian") < page.index("kestrel")
    for words in ("no rank", "at least", "No multiplicity correction is made", "6/10"):
        assert words in page


def test_the_board_says_whether_refusing_depends_on_the_condition(
    client: Client, corpus: Corpus
) -> None:
    rows = rows_of(corpus)
    refused = [line(row, None, status="refused") for row in rows if row.condition == "implicit"]
    graded(corpus, b"".join(refused), model="timid")
    freeze_report(corpus)
    page = _get(client)
    assert "0/4 explicit, 0/2 formal, 4/4 implicit" in page
    assert "No reply was refused or filtered." in page


def test_the_calibrations_are_there_for_visitors(client: Client, corpus: Corpus) -> None:
    assert "simple procedures" not in _get(client)
    run_controls(corpus)
    report = freeze_report(corpus)
    found = {
        (line["control"], line["condition"]): line["scores"]["fact_f1"]["value"]
        for line in report.payload["calibrations"]
    }
    assert {control for control, _ in found} == {"chance", "majority", "direct", "forward"}
    assert found["direct", "implicit"] == found["direct", "formal"] < found["forward", "formal"]
    page = _get(client)
    assert "How far simple procedures get" in page
    assert f"{found['direct', 'implicit']:.3f}" in page
    assert (
        'href="/leaderboard/harbour/#calibrations"'
        in client.get("/corpora/harbour/").content.decode()
    )


def test_the_board_is_sliced_by_realization_within_a_condition(
    client: Client, corpus: Corpus
) -> None:
    page = _get(client, "?realization=implicit+2")
    assert "Over realization implicit 2 only" in page


def test_a_report_of_an_earlier_version_is_still_read(client: Client, corpus: Corpus) -> None:
    report = corpus.reports.get()
    payload = report.payload
    del payload["corpus"]["realizations"], payload["calibrations"]
    for row in payload["rows"]:
        del row["refusal"], row["slices"]["realization"]
    report.content = json.dumps(payload)
    report.sha256 = sha256(report.content.encode()).hexdigest()
    report.save()
    assert "meridian" in _get(client)


def test_every_score_that_missing_replies_could_raise_is_marked(
    client: Client, corpus: Corpus
) -> None:
    """Kestrel left out four of ten: intuition, F1, task success, worlds and actions are bounds."""
    assert _get(client).count("A lower bound: missing replies count as wrong") >= 5


def test_numbers_do_not_change_between_reloads_nor_when_rows_do(
    client: Client, corpus: Corpus
) -> None:
    before = _get(client).partition("<main")[2]
    Record.objects.filter(submission__model="meridian").delete()
    assert _get(client).partition("<main")[2] == before


def test_a_new_upload_shows_after_the_next_report(
    client: Client, corpus: Corpus, run_jobs: Callable[[], int]
) -> None:
    graded(corpus, lines(rows_of(corpus)[:2]), model="late")
    assert "late" not in _get(client)
    freeze_report(corpus)
    assert "late" in _get(client)


@pytest.mark.parametrize("query", ["?level=L00", "?condition=implicit", "?genre=maritime"])
def test_a_slice_shows_its_own_scores_and_no_rank(
    client: Client, corpus: Corpus, query: str
) -> None:
    page = _get(client, query)
    assert "Ranks are given for the whole corpus alone" in page
    assert "Fact F1" in page


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("?level=L09", "Level: “L09” is no choice here; expected L00."),
        ("?condition=%ff", "is no choice here"),
        ("?level=L00&condition=implicit", "sliced by one thing at a time: this is level L00"),
        ("?genre=" + "x" * 20_000, "is no choice here"),
    ],
)
def test_a_slice_that_makes_no_sense_is_a_sentence(
    client: Client, corpus: Corpus, query: str, sentence: str
) -> None:
    assert sentence in _get(client, query)


def test_the_board_is_narrowed_and_every_link_of_an_order_keeps_that(
    client: Client, corpus: Corpus
) -> None:
    page = _get(client, "?name=MERI&coverage=90&kind=model&sort=-tax")
    assert "meridian" in page
    assert "kestrel" not in page
    assert 'href="?kind=model&amp;coverage=90&amp;name=MERI&amp;sort=fact_f1"' in page
    assert '<input type="hidden" name="sort" value="-tax">' in page


def test_a_slice_is_sorted_and_narrowed_as_well(client: Client, corpus: Corpus) -> None:
    page = _get(client, "?level=L00&sort=task_success")
    assert page.index("kestrel") < page.index("meridian")
    assert 'href="?level=L00&amp;sort=-task_success"' in page
    assert "meridian" not in _get(client, "?level=L00&name=kes")


def test_filters_that_leave_nobody_say_so(client: Client, corpus: Corpus) -> None:
    page = _get(client, "?name=nobody")
    assert "No solver matches these filters" in page
    assert 'href="/leaderboard/harbour/"' in page


@pytest.mark.parametrize(
    "query",
    ["?name=" + "9" * 9000, "?kind=owner", "?coverage=1e999", "?name=%ff%ed%a0%80"],
)
def test_a_filter_that_makes_no_sense_is_answered(
    client: Client, corpus: Corpus, query: str
) -> None:
    _get(client, query)


@pytest.mark.parametrize("sort", ["__class__", "-fact_f1", "model", "-", "x" * 20_000])
def test_any_order_is_answered(client: Client, corpus: Corpus, sort: str) -> None:
    assert "meridian" in _get(client, f"?sort={sort}")


def test_a_void_board_is_red_and_holds_no_number_of_any_solver(
    client: Client, corpus: Corpus
) -> None:
    _void(corpus)
    page = _get(client)
    assert 'data-level="void"' in page
    assert "Reader: the prompt text only" in page
    assert "75, must be 80" in page
    table = client.get(f"{BOARD}board.csv").content.decode()
    report = json.loads(client.get(f"{BOARD}report.json").content)
    assert (report["void"], report["rows"], table.count("\r\n")) == (True, [], 1)
    board = json.loads(client.get(f"{BOARD}board.json").content)
    assert (board["void"], board["rows"]) == (True, [])
    for name in ("meridian", "kestrel"):
        assert name not in page + table + json.dumps([report, board])
    listed = client.get("/leaderboard/").content.decode()
    assert 'data-state="void">void<' in listed


def test_a_void_board_hides_the_scores_of_a_submission_too(
    owner_client: Client, corpus: Corpus
) -> None:
    _void(corpus)
    submission = corpus.submissions.get(model="meridian")
    page = owner_client.get(submission.get_absolute_url()).content.decode()
    assert "No scores here" in page


def test_the_downloads_are_the_frozen_bytes_under_their_hash(
    client: Client, corpus: Corpus
) -> None:
    report = corpus.reports.get()
    response = client.get(f"{BOARD}report.json")
    assert sha256(response.content).hexdigest() == report.sha256
    assert report.sha256[:8] in response["Content-Disposition"]
    assert report.sha256 in client.get(f"{BOARD}board.csv").content.decode()


def test_controls_that_have_not_run_are_told(client: Client, corpus: Corpus) -> None:
    assert "The controls have not all run" in _get(client)


def test_the_controls_run_by_themselves_when_a_corpus_is_complete(
    client: Client, run_jobs: Callable[[], int]
) -> None:
    corpus = corpus_of("mill", controls=True)
    assert run_jobs() == 1
    page = client.get("/leaderboard/mill/").content.decode()
    assert "11 of 11 exact" in page
    assert "No model has been graded yet" in page
    assert corpus.reports.count() == 1


def test_the_controls_are_run_from_the_page(
    owner_client: Client, corpus: Corpus, run_jobs: Callable[[], int]
) -> None:
    for _ in range(2):
        response = owner_client.post(f"{BOARD}controls/")
        assert (response.status_code, response["Location"]) == (302, BOARD)
    assert Job.objects.count() == 1
    assert "Run the controls on harbour" in _get(owner_client)
    run_jobs()
    assert "11 of 11 exact" in _get(owner_client)


def test_a_corpus_in_the_making_has_no_board_yet(client: Client) -> None:
    create_corpus("harbour", seed=0, families=1, levels=["L00"], genres=["maritime"])
    assert "not complete yet" in _get(client)
    assert client.get(f"{BOARD}board.csv").status_code == 404
    assert client.get(f"{BOARD}report.json").status_code == 404
    assert "No corpus is complete yet" in client.get("/leaderboard/").content.decode()


def test_a_corpus_that_is_not_there_is_404(client: Client) -> None:
    for address in (BOARD, f"{BOARD}board.csv", f"{BOARD}board.json", f"{BOARD}report.json"):
        assert client.get(address).status_code == 404


def test_a_board_costs_as_many_queries_for_few_solvers_as_for_many(
    client: Client, corpus: Corpus
) -> None:
    _get(client)  # which keeps the report in memory
    with CaptureQueriesContext(connection) as few:
        _get(client)
    for n in range(4):
        graded(corpus, lines(rows_of(corpus)[: n + 1]), model=f"model {n}")
    freeze_report(corpus)
    _get(client)
    with CaptureQueriesContext(connection) as many:
        _get(client)
    assert len(few) == len(many)
