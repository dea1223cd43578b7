"""Files of numbers: a frozen report by its digest, and the artifact as the command prints it."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from grading.models import Report
from grading.services.controlling import run_controls
from grading.services.freezing import freeze_report
from tests.grading.builders import corpus_of, graded, line, lines, rows_of, wrong
from worlds.core.codec import canonical
from worlds.models import Corpus

pytestmark = pytest.mark.django_db

ADDRESS = "/leaderboard/harbour/artifact.json"


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def corpus() -> Corpus:
    corpus = corpus_of()
    rows = rows_of(corpus)
    graded(corpus, b"".join(line(row, wrong(row)) for row in rows[:4]), lines(rows[4:9]))
    run_controls(corpus)
    freeze_report(corpus)
    return corpus


def test_the_artifact_has_the_bytes_that_the_command_prints(
    owner_client: Client, corpus: Corpus, tmp_path: Path
) -> None:
    response = owner_client.get(ADDRESS)
    assert response["Content-Type"] == "application/json"
    out = StringIO()
    call_command("artifact", "harbour", stdout=out)
    assert response.content.decode() == out.getvalue()
    kept = tmp_path / "artifact.json"
    kept.write_bytes(response.content)
    call_command("artifact", "harbour", check=str(kept), stdout=(told := StringIO()))
    assert told.getvalue() == "harbour: everything recomputed is the same\n"
    assert ADDRESS in owner_client.get("/leaderboard/harbour/").content.decode()


def test_a_report_of_earlier_code_is_no_artifact_and_the_board_says_what_to_do(
    owner_client: Client, corpus: Corpus
) -> None:
    report = corpus.reports.get()
    payload = report.payload
    payload["versions"]["grading_sha256"] = "0" * 64
    Report.objects.update(content=canonical(payload))
    page = owner_client.get(ADDRESS, follow=True)
    assert page.redirect_chain == [("/leaderboard/harbour/", 302)]
    assert "which earlier code froze" in page.content.decode()


def test_without_a_report_there_is_no_artifact(owner_client: Client) -> None:
    corpus_of()
    page = owner_client.get(ADDRESS, follow=True).content.decode()
    assert "There is no artifact now: report: found &#x27;none&#x27;" in page


def test_a_stranger_is_asked_to_sign_in(client: Client, corpus: Corpus) -> None:
    assert client.get(ADDRESS)["Location"].startswith("/sign-in/")
    assert ADDRESS not in client.get("/leaderboard/harbour/").content.decode()
