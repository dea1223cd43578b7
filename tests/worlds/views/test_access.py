"""A visitor gets the record and nothing of the truth, at any address."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from enigmaforge_site.jobs.models import Job
from worlds import tasks
from worlds.models import Corpus, Instance

HTMX = {"HX-Request": "true"}
TRUTH = re.compile(
    r"data-unit=|clue-span|data-role|\bunit-E|span-E|load_bits|models_without|refuted_by|Refuted by"
    r"|Without it|bits</summary>|The one world|Rule in force|engine__name|\"truth\"|\"spans\""
    r"|p cnf|proof\.(?:cnf|drat)"
)


def _url(row: Instance, tail: str = "") -> str:
    return f"/corpora/harbour/{row.sample_id}/{tail}"


def _everything(corpus: Corpus) -> list[str]:
    rows = list(corpus.instances.all())
    return [
        "/",
        "/corpora/",
        "/corpora/new/",
        "/corpora/harbour/",
        "/corpora/harbour/?level=L00",
        "/try/",
        "/try/?level=L00&seed=7",
        "/try/1/ef1-chain-L00-maritime-s7-imp1.json",
        "/review/",
        "/review/next/",
        "/review/corpus/harbour/",
        *(f"/review/{item.pk}/" for item in corpus.review_items.all()),
        *(
            _url(row, tail)
            for row in rows
            for tail in (
                "",
                "?lit=1",
                "prompt.txt",
                "instance.json",
                "certificate.json",
                "proof.cnf",
                "proof.drat",
                "certificate/",
                "recheck/dpll/",
                "recheck/z3/",
            )
        ),
    ]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_visitor_is_told_nothing_of_the_truth(
    client: Client, corpus: Corpus, headers: dict[str, str]
) -> None:
    for url in _everything(corpus)[1:]:  # The start page shows a specimen of our own making.
        answer = client.get(url, headers=headers)
        assert answer.status_code in (200, 302, 403), url
        assert TRUTH.findall(answer.content.decode()) == [], url


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_truth_of_a_visitor_stays_in_the_database(
    client: Client, corpus: Corpus, headers: dict[str, str]
) -> None:
    urls = _everything(corpus)
    with CaptureQueriesContext(connection) as asked:
        for url in urls:
            client.get(url, headers=headers)
    read = [query["sql"] for query in asked.captured_queries]
    secret = ('"truth"', '"certificate"', '"narration"')
    assert [sql for sql in read if any(column in sql for column in secret)] == []


def test_person_who_is_signed_in_sees_it(owner_client: Client, implicit: Instance) -> None:
    text = owner_client.get(_url(implicit)).content.decode()
    assert {"data-unit=", "clue-span", "Without it", "The one world"} <= set(TRUTH.findall(text))


@pytest.mark.parametrize(
    "tail",
    [
        *("instance.json", "certificate.json", "certificate/", "proof.cnf", "proof.drat"),
        *("recheck/dpll/", "recheck/z3/"),
    ],
)
def test_visitor_is_sent_to_sign_in(client: Client, implicit: Instance, tail: str) -> None:
    answer = client.get(_url(implicit, tail))
    assert answer.status_code == 302
    assert answer["Location"].startswith("/sign-in/?next=")


def test_visitors_fragment_is_refused(client: Client, implicit: Instance) -> None:
    assert client.get(_url(implicit, "recheck/z3/"), headers=HTMX).status_code == 403
    assert client.post(_url(implicit, "recheck/z3/"), headers=HTMX).status_code == 403


@pytest.mark.parametrize("url", ["/corpora/new/", "/corpora/harbour/forge/"])
def test_visitor_forges_nothing(client: Client, corpus: Corpus, url: str) -> None:
    Corpus.objects.update(sha256="")
    answer = client.post(url, {"slug": "quay", "families": 1, "seed": 0})
    assert answer.status_code == 302
    assert answer["Location"].startswith("/sign-in/?next=")
    assert not Job.objects.filter(kind="forge_corpus").exists()


def test_visitor_does_not_see_a_job(client: Client, corpus: Corpus) -> None:
    Corpus.objects.update(sha256="")
    job = tasks.enqueue_corpus(corpus)
    text = client.get("/corpora/harbour/").content.decode()
    assert f'id="job-{job.pk}"' not in text
    assert "2 of 2 families forged" in text
