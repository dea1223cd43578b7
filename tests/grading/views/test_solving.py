"""The pages for people who solve: consent first, drafts never lost, truth only at the end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from enigmaforge_site.jobs.models import Job
from grading.models import Attempt, Participant, Submission
from tests.grading.builders import answer, corpus_of, rows_of
from worlds.models import Corpus, Instance
from worlds.services import create_corpus, world_of

pytestmark = pytest.mark.django_db

HERE = "/solve/harbour/"


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def corpus() -> Corpus:
    return corpus_of()


@pytest.fixture
def ada(client: Client, corpus: Corpus) -> Client:
    """Somebody who has agreed."""
    client.force_login(User.objects.create(username="ada"))
    assert client.post(f"{HERE}join/", {"agreed": "on"}).status_code == 302
    return client


@pytest.fixture
def row(corpus: Corpus) -> Instance:
    return rows_of(corpus, "implicit")[0]


def _url(row: Instance) -> str:
    return f"{HERE}{row.sample_id}/"


def _page(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200
    return response.content.decode()


def _form(entries: list[list[Any]], do: str, notes: str = "a thought") -> dict[str, Any]:
    marks, words, values = (list(column) for column in zip(*entries, strict=True))
    return {"notes": notes, "mark": marks, "word": words, "value": values, "do": do}


def _typed(html: str, name: str) -> list[str]:
    return [part.split('"')[0] for part in html.split(f'name="{name}" value="')[1:]]


def test_nobody_begins_without_consent(client: Client, corpus: Corpus, row: Instance) -> None:
    client.force_login(User.objects.create(username="ada"))
    assert "I have read this and agree" in _page(client, HERE)
    assert client.get(_url(row))["Location"] == HERE
    assert client.post(_url(row), {"do": "resume"})["Location"] == HERE
    refused = client.post(f"{HERE}join/", {"name": "Ada"})
    assert refused.status_code == 422
    assert 'value="Ada"' in refused.content.decode()
    assert not Participant.objects.exists()


def test_a_name_that_is_taken_is_refused_with_what_was_typed(ada: Client, corpus: Corpus) -> None:
    Participant.objects.update(label="Ben", label_key="ben")
    other = Client()
    other.force_login(User.objects.create(username="ben"))
    refused = other.post(f"{HERE}join/", {"name": "BEN", "agreed": "on"})
    assert refused.status_code == 422
    assert "a name that nobody else has here" in refused.content.decode()


def test_the_record_shows_only_while_the_clock_runs(ada: Client, row: Instance) -> None:
    text = row.documents[0]["text"][:40]
    assert text not in _page(ada, _url(row))
    ada.post(_url(row), {"do": "resume"})
    page = _page(ada, _url(row))
    assert text in page
    assert "data-unit" not in page
    ada.post(_url(row), _form([["W-21", "is", "4"]], "pause"))
    page = _page(ada, _url(row))
    assert text not in page
    assert "1 entry and your notes are kept" in page


def test_the_marks_that_are_offered_stand_in_the_text(ada: Client, row: Instance) -> None:
    ada.post(_url(row), {"do": "resume"})
    page = _page(ada, _url(row))
    offered = [part.split('"')[0] for part in page.split('<option value="')[1:]]
    assert offered
    assert all(mark in row.prompt for mark in offered)
    assert {v.mark for v in world_of(row.family).variables} <= set(offered)


def test_what_is_no_answer_is_named_row_by_row_and_kept(ada: Client, row: Instance) -> None:
    ada.post(_url(row), {"do": "resume"})
    entries = [["W-21", "is", "4"], ["Q-9", "is", ""], ["", "deliver", ""], ["", "is", ""]]
    response = ada.post(_url(row), _form(entries, "hand-in", notes='<b>"x"'))
    page = response.content.decode()
    assert response.status_code == 422
    for sentence in ("Row 2 has no value.", "Row 3 has no mark and no value."):
        assert sentence in page
    assert _typed(page, "mark")[:3] == ["W-21", "Q-9", ""]
    assert _typed(page, "word")[:3] == ["is", "is", "deliver"]
    assert "&lt;b&gt;&quot;x&quot;" in page
    assert Attempt.objects.get().submitted is None
    assert _typed(_page(ada, _url(row)), "mark")[:3] == ["W-21", "Q-9", ""]


@pytest.mark.parametrize(
    "posted",
    [
        {},
        {"do": "hand-in", "notes": ""},
        {"do": "\0", "notes": "\0" * 50, "mark": "\0", "value": "\ud7ff"},
        {"do": "hand-in", "notes": "x", "mark": ["A-1"] * 400},
        {"do": "hand-in", "notes": "x", "mark": "A-1", "word": "is", "value": "9" * 5000},
        {"do": "resume"},
        {"do": "add", "notes": "x", "value": ["1", "2"]},
    ],
)
def test_whatever_is_posted_is_answered_and_hands_in_nothing(
    ada: Client, row: Instance, posted: dict[str, Any]
) -> None:
    ada.post(_url(row), {"do": "resume"})
    assert ada.post(_url(row), posted).status_code in (302, 422)
    assert ada.get(_url(row), {"blank": "9" * 50}).status_code == 200
    assert Attempt.objects.get().submitted is None


def test_a_draft_is_saved_by_itself_while_the_page_is_open(ada: Client, row: Instance) -> None:
    ada.post(_url(row), {"do": "resume"})
    sent = _form([["W-21", "is", "4"]], "")
    saved = ada.post(_url(row), sent, headers={"HX-Request": "true"})
    assert 'id="clock"' in saved.content.decode()
    assert "HX-Refresh" not in saved
    ada.post(_url(row), {"do": "pause"})
    saved = ada.post(_url(row), sent | {"notes": "later"}, headers={"HX-Request": "true"})
    assert saved["HX-Refresh"] == "true"
    assert Attempt.objects.get().notes == "later"


def test_more_rows_come_with_what_was_typed(ada: Client, row: Instance) -> None:
    ada.post(_url(row), {"do": "resume"})
    response = ada.post(_url(row), _form([["W-21", "is", "4"]], "add"))
    page = _page(ada, response["Location"].partition("#")[0])
    assert len(_typed(page, "mark")) == 9


def test_truth_comes_with_the_grade_and_not_before(
    ada: Client, row: Instance, run_jobs: Callable[[], int]
) -> None:
    ada.post(_url(row), {"do": "resume"})
    ada.post(_url(row), _form(answer(world_of(row.family)), "hand-in"))
    page = _page(ada, _url(row))
    assert "Your answer beside the truth" not in page
    assert "Grade the answers of" in page
    assert run_jobs() == 1
    page = _page(ada, _url(row))
    assert "solved" in page
    record = Submission.objects.get(kind="human").records.get()
    assert record.get_absolute_url() in page
    assert "world and action right" in _page(ada, HERE)
    board = _page(ada, "/leaderboard/harbour/")
    assert Participant.objects.get().label in board
    assert "fewer than 3 people so far" in board


def test_what_a_person_types_is_text_wherever_it_is_shown(
    ada: Client, row: Instance, run_jobs: Callable[[], int]
) -> None:
    canary = '"><img src=x onerror=__xss(1)>{{7*7}}${7*7}\u202egnp'
    refused = ada.post(f"{HERE}join/", {"agreed": "", "name": canary})
    assert "<img" not in refused.content.decode()
    ada.post(_url(row), {"do": "resume"})
    sent = _form([[canary, canary, canary]], "save", notes=canary)
    ada.post(_url(row), sent)
    seen = [_page(ada, _url(row))]
    saved = ada.post(_url(row), sent, headers={"HX-Request": "true"})
    ada.post(_url(row), sent | {"do": "hand-in"})
    run_jobs()
    record = Submission.objects.get(kind="human").records.get()
    seen += [_page(ada, url) for url in (_url(row), HERE, record.get_absolute_url())]
    for page in (*seen, saved.content.decode()):
        assert "<img" not in page
    assert all("{{7*7}}" in page for page in (seen[0], seen[1], seen[3]))


def test_giving_up_hands_in_what_is_whole(
    ada: Client, row: Instance, run_jobs: Callable[[], int]
) -> None:
    ada.post(_url(row), {"do": "resume"})
    ada.post(_url(row), _form([["W-21", "is", "4"], ["Q-9", "is", ""]], "give-up"))
    run_jobs()
    attempt = Attempt.objects.get()
    assert (attempt.gave_up, attempt.entries) == (True, [["W-21", "is", "4"]])
    assert "had when you gave up" in _page(ada, _url(row))
    response = ada.post(_url(row), _form([["W-21", "is", "5"]], "save"))
    assert response.status_code == 302
    assert Attempt.objects.get().entries == [["W-21", "is", "4"]]


def test_a_grading_that_was_lost_can_be_asked_for_again(
    ada: Client, row: Instance, run_jobs: Callable[[], int]
) -> None:
    ada.post(_url(row), {"do": "resume"})
    ada.post(_url(row), _form([["W-21", "is", "4"]], "hand-in"))
    Job.objects.all().delete()
    assert "Grade it now" in _page(ada, _url(row))
    ada.post(_url(row), {"do": "grade"})
    assert run_jobs() == 1
    assert "Grade it now" not in _page(ada, _url(row))


def test_what_earlier_code_graded_can_be_graded_again(
    ada: Client, row: Instance, run_jobs: Callable[[], int]
) -> None:
    ada.post(_url(row), {"do": "resume"})
    ada.post(_url(row), _form([["W-21", "is", "4"]], "hand-in"))
    run_jobs()
    assert "Earlier code graded this" not in _page(ada, _url(row))
    Submission.objects.update(grader_sha256="0" * 64)
    assert "Earlier code graded this" in _page(ada, _url(row))
    ada.post(_url(row), {"do": "grade"})
    assert run_jobs() == 1
    assert "Earlier code graded this" not in _page(ada, _url(row))


def test_an_attempt_is_there_for_its_own_person_only(ada: Client, row: Instance) -> None:
    ada.post(_url(row), {"do": "resume"})
    ada.post(_url(row), _form([["W-21", "is", "secret"]], "give-up"))
    ben = Client()
    ben.force_login(User.objects.create(username="ben"))
    ben.post(f"{HERE}join/", {"agreed": "on"})
    page = _page(ben, _url(row))
    assert "The clock starts when you open the record" in page
    assert "secret" not in page
    assert row.sample_id not in _page(ada, HERE).partition("Choose one")[2]


def test_one_is_picked_among_those_that_fit(ada: Client, corpus: Corpus) -> None:
    picked = ada.get(HERE, {"pick": "1", "condition": "formal"})["Location"]
    assert picked in {_url(row) for row in rows_of(corpus, "formal")}
    page = _page(ada, f"{HERE}?condition=formal&level=L09")
    assert "“L09” is no choice here" in page


def test_whoever_withdraws_is_forgotten(
    ada: Client, row: Instance, run_jobs: Callable[[], int]
) -> None:
    ada.post(_url(row), {"do": "resume"})
    ada.post(_url(row), {"do": "give-up", "notes": ""})
    run_jobs()
    label = Participant.objects.get().label
    ada.post(f"{HERE}withdraw/")
    run_jobs()
    assert label not in _page(ada, "/leaderboard/harbour/")
    assert "I have read this and agree" in _page(ada, HERE)


def test_what_is_not_there_is_404(ada: Client, row: Instance) -> None:
    create_corpus("mill", seed=0, families=1, levels=["L00"], genres=["maritime"])
    for url in ("/solve/mill/", "/solve/nowhere/", f"{HERE}ef1-nothing/"):
        assert ada.get(url).status_code == 404
        assert ada.post(url).status_code in (404, 405)


def test_the_list_costs_as_many_queries_for_few_attempts_as_for_many(
    ada: Client, corpus: Corpus
) -> None:
    rows = rows_of(corpus)
    ada.post(_url(rows[0]), {"do": "resume"})
    with CaptureQueriesContext(connection) as few:
        _page(ada, HERE)
    for row in rows[1:4]:
        ada.post(_url(row), {"do": "resume"})
    with CaptureQueriesContext(connection) as many:
        _page(ada, HERE)
    assert len(few) == len(many)


def test_the_list_of_corpora_says_what_one_has_handed_in(ada: Client, row: Instance) -> None:
    assert "nothing handed in by you yet" in _page(ada, "/solve/")
    ada.post(_url(row), {"do": "resume"})
    ada.post(_url(row), {"do": "give-up", "notes": ""})
    assert "1 handed in by you" in _page(ada, "/solve/")
