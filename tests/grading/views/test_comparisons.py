"""Solvers compared: differences in words and numbers, and the instances on which they part."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from grading.services.controlling import run_controls
from grading.services.freezing import freeze_report
from tests.grading.builders import corpus_of, falsify, graded, line, lines, rows_of, wrong
from worlds.models import Corpus

pytestmark = pytest.mark.django_db

COMPARE = "/leaderboard/harbour/compare/"
RECORDS = f"{COMPARE}records/"


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def corpus() -> Corpus:
    """Meridian is right in everything; kestrel is wrong in six of ten replies and lacks four."""
    corpus = corpus_of()
    rows = rows_of(corpus)
    graded(corpus, lines(rows), model="meridian")
    graded(corpus, b"".join(line(row, wrong(row)) for row in rows[:6]), model="kestrel")
    freeze_report(corpus)
    return corpus


def _query(corpus: Corpus, *models: str, **more: str) -> str:
    rows = corpus.reports.first().payload["rows"]  # type: ignore[union-attr]
    keys = {row["model"]: row["key"] for row in rows}
    return "?" + urlencode([*(("m", keys[model]) for model in models), *more.items()])


def _get(client: Client, address: str = COMPARE) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_two_solvers_are_compared_under_the_implicit_condition_at_first(
    client: Client, corpus: Corpus
) -> None:
    page = _get(client, COMPARE + _query(corpus, "meridian", "kestrel"))
    assert "Under the implicit condition" in page
    assert "+100.0" in page
    assert "of 2 families have every reply of both" in page
    assert "to +100.0" in page  # what kestrel's missing replies leave open


def test_seen_from_the_other_side_the_sign_turns(client: Client, corpus: Corpus) -> None:
    page = _get(client, COMPARE + _query(corpus, "kestrel", "meridian", condition="all"))
    assert "Over all conditions" in page
    assert "−100.0" in page
    turned = _query(corpus, "meridian", "kestrel", condition="all").replace("&", "&amp;")
    assert turned in page


def test_the_first_is_compared_with_each_of_the_others(client: Client, corpus: Corpus) -> None:
    graded(corpus, lines(rows_of(corpus)[:3]), model="heron")
    freeze_report(corpus)
    page = _get(client, COMPARE + _query(corpus, "meridian", "kestrel", "heron"))
    assert 'aria-label="meridian against kestrel"' in page
    assert 'aria-label="meridian against heron"' in page
    assert 'aria-label="kestrel against heron"' not in page


def test_a_solver_that_equals_another_is_told_so(client: Client, corpus: Corpus) -> None:
    graded(corpus, lines(rows_of(corpus)), model="twin")
    freeze_report(corpus)
    page = _get(client, COMPARE + _query(corpus, "meridian", "twin"))
    assert page.count("no family differs") == 4
    assert "nothing open" in page


@pytest.mark.parametrize(
    ("who", "count"), [("both", 0), ("first", 4), ("second", 0), ("neither", 0)]
)
def test_each_group_leads_to_its_instances(
    client: Client, corpus: Corpus, who: str, count: int
) -> None:
    query = _query(corpus, "meridian", "kestrel", condition="implicit")
    page = _get(client, f"{RECORDS}{query}&who={who}")
    ids = [row.sample_id for row in rows_of(corpus, "implicit")]
    assert sum(page.count(f">{sample_id}</a>") for sample_id in ids) == count
    if count == 0:
        assert "No instance is like this" in page
    assert (f"{query}&who={who}".replace("&", "&amp;") in _get(client, COMPARE + query)) == (
        count > 0
    )


def test_records_are_linked_for_whoever_may_see_them(owner_client: Client, corpus: Corpus) -> None:
    address = f"{RECORDS}{_query(corpus, 'meridian', 'kestrel')}&who=first"
    record = corpus.submissions.get(model="meridian").records.first()
    assert record is not None
    link = f"/submissions/{record.submission_id}/records/"
    assert link in _get(owner_client, address)
    assert link not in _get(Client(), address)


def test_epochs_are_told_apart(client: Client, corpus: Corpus) -> None:
    rows = rows_of(corpus)
    twice = lines(rows, epoch=1) + b"".join(line(row, wrong(row), epoch=2) for row in rows)
    graded(corpus, twice, model="wavering")
    freeze_report(corpus)
    query = _query(corpus, "meridian", "wavering", condition="all")
    page = _get(client, f"{RECORDS}{query}&who=first")
    assert "10 instances" in page
    assert page.count("epoch 2</span>") == 10


@pytest.mark.parametrize("query", ["", "?m=nobody", "?m=a&condition=", "?" + "m=x&" * 50])
def test_without_two_solvers_the_page_asks_for_them(
    client: Client, corpus: Corpus, query: str
) -> None:
    page = _get(client, COMPARE + query)
    assert "Choose two solvers or more" in page
    assert "<details" in page
    assert ("was left out" in page) == bool(query)
    response = client.get(f"{RECORDS}{query or '?'}&who=first")
    assert (response.status_code, response["Location"].startswith(COMPARE)) == (302, True)


def test_too_many_solvers_are_named_and_the_first_are_taken(client: Client, corpus: Corpus) -> None:
    names = [f"model {n}" for n in range(8)]
    for n, name in enumerate(names):
        graded(corpus, lines(rows_of(corpus)[: n + 1]), model=name)
    freeze_report(corpus)
    page = _get(client, COMPARE + _query(corpus, "meridian", *names))
    assert "9 solvers were chosen; the first 8 are taken" in page


@pytest.mark.parametrize("who", ["", "third", "%F0%9F%98%80", "x" * 5000])
def test_a_group_that_is_not_there_leads_back(client: Client, corpus: Corpus, who: str) -> None:
    response = client.get(f"{RECORDS}{_query(corpus, 'meridian', 'kestrel')}&who={who}")
    assert (response.status_code, response["Location"].startswith(COMPARE)) == (302, True)
    page = f"{RECORDS}{_query(corpus, 'meridian', 'kestrel')}&who=first&page=zz"
    assert client.get(page).status_code == 200


def test_a_void_board_compares_nothing(client: Client, corpus: Corpus) -> None:
    query = _query(corpus, "meridian", "kestrel")
    falsify(corpus)
    run_controls(corpus)
    freeze_report(corpus)
    page = _get(client, COMPARE + query)
    assert 'data-level="void"' in page
    assert "meridian" not in page
    assert client.get(f"{RECORDS}{query}&who=first").status_code == 302


def test_a_board_of_nobody_says_what_to_do(client: Client) -> None:
    corpus = corpus_of("mill")
    address = "/leaderboard/mill/compare/"
    assert "No report yet" in _get(client, address)
    assert client.get(f"{address}records/?who=both").status_code == 302
    freeze_report(corpus)
    assert "There are no two solvers yet" in _get(client, address)


def test_the_board_links_to_the_comparison(client: Client, corpus: Corpus) -> None:
    assert f'href="{COMPARE}"' in _get(client, "/leaderboard/harbour/")


def test_a_comparison_costs_as_many_queries_for_two_as_for_many(
    client: Client, corpus: Corpus
) -> None:
    _get(client, COMPARE)  # which keeps the report in memory
    with CaptureQueriesContext(connection) as few:
        _get(client, COMPARE + _query(corpus, "meridian", "kestrel"))
    for n in range(3):
        graded(corpus, lines(rows_of(corpus)[: n + 2]), model=f"model {n}")
    freeze_report(corpus)
    many_models = ("meridian", "kestrel", *(f"model {n}" for n in range(3)))
    _get(client, COMPARE)
    with CaptureQueriesContext(connection) as many:
        _get(client, COMPARE + _query(corpus, *many_models))
    # One is the query of the keys in `_query`.
    assert len(few) == len(many) <= 7
    with CaptureQueriesContext(connection) as listed:
        _get(client, f"{RECORDS}{_query(corpus, 'meridian', 'kestrel')}&who=first&condition=all")
    assert len(listed) <= 9
