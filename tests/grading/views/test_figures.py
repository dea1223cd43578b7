"""The pages of figures: the frozen numbers as pictures and tables, and the view in the address."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from grading.figures import FIGURES
from grading.services.controlling import run_controls
from grading.services.freezing import freeze_report, latest_report
from tests.grading.builders import corpus_of, falsify, graded, line, lines, rows_of, wrong
from worlds.models import Corpus

pytestmark = pytest.mark.django_db

FIGURE_LIST = "/leaderboard/harbour/figures/"
CANARY = '"><img src=x onerror=__xss(1)><b>'


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def corpus() -> Corpus:
    corpus = corpus_of()
    rows = rows_of(corpus)
    graded(corpus, lines(rows), model="meridian")
    graded(corpus, b"".join(line(row, wrong(row)) for row in rows[:6]), model=f"kes {CANARY}")
    freeze_report(corpus)
    return corpus


def _get(client: Client, address: str = FIGURE_LIST) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def _key(corpus: Corpus, model: str) -> str:
    report = latest_report(corpus)
    assert report is not None
    rows = report.payload["rows"]
    return next(row["key"] for row in rows if row["model"].startswith(model))


def test_every_figure_stands_with_its_table_and_its_downloads(
    client: Client, corpus: Corpus
) -> None:
    page = _get(client)
    for name in FIGURES:
        assert f'id="{name}-spec"' in page
        assert f"{FIGURE_LIST}{name}/data.csv" in page
    assert page.count("<table") == len(FIGURES)
    assert page.count('role="img"') == len(FIGURES)


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_alone_and_its_csv_hold_the_same_solvers(
    client: Client, corpus: Corpus, name: str
) -> None:
    page = _get(client, f"{FIGURE_LIST}{name}/")
    assert page.count("<table") == 1
    response = client.get(f"{FIGURE_LIST}{name}/data.csv")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert f"-{name}.csv" in response["Content-Disposition"]
    assert response.content.count(b"\r\n") == page.count("<tr>")


def test_what_people_named_a_model_is_escaped_everywhere(client: Client, corpus: Corpus) -> None:
    for address in (FIGURE_LIST, f"{FIGURE_LIST}levels/"):
        assert "<img" not in _get(client, address)


def test_the_address_restores_the_view(client: Client, corpus: Corpus) -> None:
    query = f"?m={quote(_key(corpus, 'meridian'))}&condition=implicit&status=refused"
    page = _get(client, f"{FIGURE_LIST}statuses/{query}")
    spec = page.partition('id="statuses-spec" type="application/json">')[2].partition("</script>")
    assert [name[:8] for name in json.loads(spec[0])["data"][0]["y"]] == ["implicit"]
    assert "Solvers shown: 1 chosen" in page
    assert 'value="refused" selected' in page
    assert "records that are refused, meridian" in page
    table = client.get(f"{FIGURE_LIST}intuition/data.csv{query}").content.decode()
    assert "meridian" in table
    assert "kes" not in table


@pytest.mark.parametrize(
    "query",
    ["?m=nobody", "?m=" + "x" * 9000, "?" + "m=%F0%9F%98%80%22&" * 30, "?condition=<b>&status=0"],
)
def test_what_makes_no_sense_is_named_and_left_out(
    client: Client, corpus: Corpus, query: str
) -> None:
    page = _get(client, FIGURE_LIST + query)
    assert "A part of this address was left out" in page
    assert "meridian" in page
    assert len(page) < 120_000


def test_a_figure_that_is_not_there_is_404_and_names_those_that_are(
    client: Client, corpus: Corpus
) -> None:
    for address in (f"{FIGURE_LIST}shares/", f"{FIGURE_LIST}shares/data.csv"):
        response = client.get(address)
        assert response.status_code == 404
    assert client.get("/leaderboard/nowhere/figures/").status_code == 404


def test_a_void_board_draws_no_figure_and_gives_no_number(client: Client, corpus: Corpus) -> None:
    falsify(corpus)
    run_controls(corpus)
    freeze_report(corpus)
    for address in (FIGURE_LIST, f"{FIGURE_LIST}tax/"):
        page = _get(client, address)
        assert 'data-level="void"' in page
        assert ("<table" in page, "meridian" in page) == (False, False)
    assert client.get(f"{FIGURE_LIST}tax/data.csv").content.count(b"\r\n") == 1


def test_without_a_report_or_a_model_the_page_says_what_to_do(
    client: Client, run_jobs: Callable[[], int]
) -> None:
    corpus = corpus_of("mill")
    address = "/leaderboard/mill/figures/"
    assert "No report yet" in _get(client, address)
    assert client.get(f"{address}tax/data.csv").status_code == 404
    freeze_report(corpus)
    assert "No model has been graded yet" in _get(client, address)


def test_a_report_of_an_earlier_version_draws_what_it_can(client: Client, corpus: Corpus) -> None:
    report = corpus.reports.get()
    payload = report.payload
    for row in payload["rows"]:
        del row["cells"], row["status_groups"]
    report.content = json.dumps(payload)
    report.sha256 = sha256(report.content.encode()).hexdigest()
    report.save()
    page = _get(client)
    assert "A report frozen by an earlier version holds fewer numbers" in page
    assert 'id="tax-spec"' in page


def test_only_pages_with_figures_allow_what_plotly_needs(client: Client, corpus: Corpus) -> None:
    policy = client.get(FIGURE_LIST)["Content-Security-Policy"].split("; ")
    assert {"style-src 'self'", "style-src-attr 'unsafe-inline'", "script-src 'self'"} <= set(
        policy
    )
    assert "img-src 'self' data: blob:" in policy
    board = client.get("/leaderboard/harbour/")["Content-Security-Policy"]
    assert "unsafe-inline" not in board
    assert "data:" not in board


def test_the_board_links_to_its_figures(client: Client, corpus: Corpus) -> None:
    assert f'href="{FIGURE_LIST}"' in _get(client, "/leaderboard/harbour/")


def test_figures_cost_as_many_queries_for_few_solvers_as_for_many(
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
    assert len(few) == len(many) <= 3
