"""The download of a corpus: an archive for everybody, answers for those who are signed in."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.db import connection
from django.http import StreamingHttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.worlds.builders import OrderCorpus
from worlds.core.export import EXPORTS
from worlds.models import Corpus

URL = "/corpora/harbour/export/"
TOOLS = [export.name for export in EXPORTS]


def _files(client: Client, **query: str) -> dict[str, str]:
    response = client.get(URL, query)
    assert response.status_code == 200
    assert isinstance(response, StreamingHttpResponse)
    data = b"".join(response)  # type: ignore[arg-type]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name.rpartition("/")[2]: archive.read(name).decode() for name in archive.namelist()}


@pytest.mark.parametrize("to", TOOLS)
def test_a_visitor_gets_every_export_without_the_truth(
    client: Client, corpus: Corpus, to: str
) -> None:
    with CaptureQueriesContext(connection) as asked:
        files = _files(client, to=to)
    assert json.loads(files["manifest.json"])["target"] is False
    lines = "".join(text for name, text in files.items() if name.endswith(".jsonl"))
    for key in ('"truth"', '"spans"', '"certificate"', '"solution"'):
        assert key not in lines
    read = [query["sql"] for query in asked.captured_queries]
    assert [sql for sql in read if '"truth"' in sql or '"certificate"' in sql] == []


def test_answers_are_for_those_who_are_signed_in(
    client: Client, owner_client: Client, corpus: Corpus
) -> None:
    files = _files(owner_client, to="inspect", target="1")
    assert '"truth"' in files["dataset.jsonl"]
    owner_client.logout()
    response = client.get(URL, {"to": "inspect", "target": "1"})
    assert response.status_code == 302
    assert response["Location"].startswith("/sign-in/?next=")


def test_the_archive_is_named_after_corpus_hash_and_tool(client: Client, corpus: Corpus) -> None:
    response = client.get(URL, {"to": "lm-eval"})
    name = f"harbour-{corpus.sha256[:8]}-lm-eval.zip"
    assert response["Content-Disposition"] == f'attachment; filename="{name}"'


@pytest.mark.parametrize("query", [{}, {"to": "x" * 5000}, {"to": "\u202e", "target": "2"}])
def test_a_tool_that_is_not_known_is_a_sentence_on_the_page(
    client: Client, corpus: Corpus, query: dict[str, str]
) -> None:
    response = client.get(URL, query, follow=True)
    assert "expected jsonl or inspect" in response.content.decode()


def test_what_is_not_complete_has_no_download(client: Client, order_corpus: OrderCorpus) -> None:
    order_corpus()
    assert "Take it with you" not in client.get("/corpora/harbour/").content.decode()
    response = client.get(URL, {"to": "jsonl"}, follow=True)
    assert "a corpus that is complete" in response.content.decode()


def test_the_page_of_a_corpus_offers_every_export(client: Client, corpus: Corpus) -> None:
    page = client.get("/corpora/harbour/").content.decode()
    for tool in TOOLS:
        assert f'<option value="{tool}">' in page
    assert "With the answers" not in page
