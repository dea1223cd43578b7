"""Visitors read scores and never the truth: every address of grading, asked by a stranger.

The strings that must not appear are taken from the stored truth itself: values of the solution,
the action's party, texts of replies, names of findings.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import get_resolver, reverse

from grading.models import Record, Submission
from grading.services.controlling import run_controls
from grading.services.freezing import freeze_report, latest_report
from tests.grading.builders import corpus_of, graded, line, lines, rows_of, wrong
from worlds.models import Family
from worlds.services import world_of

pytestmark = pytest.mark.django_db

CANARY = '"><img src=x onerror=__xss(1)>{{7*7}}${7*7}\u202egnp'


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def submission() -> Submission:
    corpus = corpus_of()
    rows = rows_of(corpus)
    content = (
        line(rows[0], f"{CANARY} {wrong(rows[0])}")
        + line(rows[1], "I cannot say.")
        + lines(rows[2:], model="lab/secret-name")
        + line("ef1-unknown", "a reply to nothing")
    )
    run_controls(corpus)
    submission = graded(corpus, content, model="kestrel")
    freeze_report(corpus)
    return submission


def _addresses(submission: Submission) -> dict[str, str]:
    """Every address of the app by its name; a route that is not here fails the test below."""
    record = submission.records.order_by("pk").first()
    control = Submission.objects.get(model="solver")
    latest = latest_report(submission.corpus)
    assert record is not None
    assert latest is not None
    one, slug = (submission.pk,), (submission.corpus.slug,)
    sample_id = record.instance.sample_id
    return {
        "submission_create": reverse("grading:submission_create"),
        "submission_detail": reverse("grading:submission_detail", args=one),
        "submission_resume": reverse("grading:submission_resume", args=one),
        "submission_extend": reverse("grading:submission_extend", args=one),
        "submission_regrade": reverse("grading:submission_regrade", args=one),
        "submission_withdraw": reverse("grading:submission_withdraw", args=one),
        "rejected_rows": reverse("grading:rejected_rows", args=one),
        "record_detail": reverse("grading:record_detail", args=(*one, record.pk)),
        "record_reply": reverse("grading:record_reply", args=(*one, record.pk)),
        "dashboard": reverse("grading:dashboard", args=one),
        "dashboard_csv": reverse("grading:dashboard_csv", args=one),
        "leaderboard_list": reverse("grading:leaderboard_list"),
        "leaderboard_detail": reverse("grading:leaderboard_detail", args=slug),
        "leaderboard_csv": reverse("grading:leaderboard_csv", args=slug),
        "leaderboard_json": reverse("grading:leaderboard_json", args=slug),
        "report_json": reverse("grading:report_json", args=slug),
        "board_regrade": reverse("grading:board_regrade", args=slug),
        "artifact_json": reverse("grading:artifact_json", args=slug),
        "frozen_report": reverse("grading:frozen_report", args=(*slug, latest.sha256)),
        "figure_list": reverse("grading:figure_list", args=slug),
        "figure_detail": reverse("grading:figure_detail", args=(*slug, "intuition")),
        "figure_csv": reverse("grading:figure_csv", args=(*slug, "statuses")),
        "comparison_detail": reverse("grading:comparison_detail", args=slug),
        "comparison_records": reverse("grading:comparison_records", args=slug),
        "controls_run": reverse("grading:controls_run", args=slug),
        "solving_list": reverse("grading:solving_list"),
        "solving_corpus": reverse("grading:solving_corpus", args=slug),
        "solving_join": reverse("grading:solving_join", args=slug),
        "solving_withdraw": reverse("grading:solving_withdraw", args=slug),
        "solving_instance": reverse("grading:solving_instance", args=(*slug, sample_id)),
        "control": reverse("grading:submission_detail", args=(control.pk,)),
    }


def _secrets(submission: Submission) -> set[str]:
    secrets = {"onerror", "I cannot say", "a reply to nothing", "lucky-action"}
    for family in Family.objects.filter(corpus=submission.corpus):
        world = world_of(family)
        secrets |= {value for value in world.solution.values() if isinstance(value, str)}
        secrets |= {variable.mark for variable in world.variables}
    return secrets | {"secret-name"}


def test_the_list_of_addresses_is_complete(submission: Submission) -> None:
    routes = get_resolver().namespace_dict["grading"][1].reverse_dict
    names = {name for name in routes if isinstance(name, str)}
    assert names == _addresses(submission).keys() - {"control"}


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_stranger_is_told_nothing_true(
    client: Client, submission: Submission, headers: dict[str, str]
) -> None:
    secrets = _secrets(submission)
    for name, address in _addresses(submission).items():
        for query in ("", "?status=answered&outcome=action", "?level=L00"):
            response = client.get(address + query, headers=headers)
            body = b"".join(response).decode()  # type: ignore[call-overload]
            assert response.status_code in (200, 302, 403, 405), name
            assert {secret for secret in secrets if secret in body} == set(), name


def test_a_stranger_reads_the_scores(client: Client, submission: Submission) -> None:
    addresses = _addresses(submission)
    page = client.get(addresses["submission_detail"]).content.decode()
    assert "Intuition" in page
    assert "no readable answer" in page
    assert "kestrel" in client.get(addresses["leaderboard_detail"]).content.decode()
    assert "kestrel" in client.get(addresses["leaderboard_csv"]).content.decode()
    assert json.loads(client.get(addresses["report_json"]).content)["void"] is False


@pytest.mark.parametrize("name", ["record_detail", "record_reply", "rejected_rows"])
def test_what_tells_the_truth_asks_a_stranger_to_sign_in(
    client: Client, submission: Submission, name: str
) -> None:
    address = _addresses(submission)[name]
    response = client.get(address)
    assert response.status_code == 302
    assert response["Location"].startswith("/sign-in/?next=")
    assert client.get(address, headers={"HX-Request": "true"}).status_code == 403


@pytest.mark.parametrize(
    "name",
    [
        "submission_create",
        "submission_resume",
        "submission_extend",
        "submission_regrade",
        "submission_withdraw",
        "board_regrade",
        "controls_run",
        "solving_join",
        "solving_withdraw",
        "solving_instance",
    ],
)
def test_a_stranger_starts_nothing(client: Client, submission: Submission, name: str) -> None:
    response = client.post(_addresses(submission)[name])
    assert response.status_code == 302
    assert response["Location"].startswith("/sign-in/")


def test_what_a_signed_in_reader_sees_is_escaped(
    owner_client: Client, submission: Submission
) -> None:
    addresses = _addresses(submission)
    for name in ("submission_detail", "record_detail"):
        page = owner_client.get(addresses[name]).content.decode()
        assert "<img" not in page
    assert "&lt;img src=x onerror=__xss(1)&gt;{{7*7}}" in page
    reply = owner_client.get(addresses["record_reply"])
    assert reply["Content-Type"] == "text/plain; charset=utf-8"
    assert reply.content.decode().startswith(CANARY)


def test_a_record_is_found_only_under_its_own_submission(
    owner_client: Client, submission: Submission
) -> None:
    other = Submission.objects.get(model="solver")
    record = Record.objects.filter(submission=other).first()
    assert record is not None
    address = reverse("grading:record_detail", args=(submission.pk, record.pk))
    assert owner_client.get(address).status_code == 404


@pytest.mark.parametrize("pk", [0, 999_999, 9_223_372_036_854_775_808, 10**30])
def test_numbers_that_name_nothing_are_404(owner_client: Client, owner: User, pk: int) -> None:
    for name, args in (
        ("submission_detail", (pk,)),
        ("rejected_rows", (pk,)),
        ("record_detail", (pk, pk)),
        ("record_reply", (1, pk)),
    ):
        assert owner_client.get(reverse(f"grading:{name}", args=args)).status_code == 404
