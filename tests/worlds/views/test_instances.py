"""The page of an instance, and its downloads."""

from __future__ import annotations

import hashlib
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from worlds import services
from worlds.core.certify.reasons import minimal_reason
from worlds.core.codec import canonical
from worlds.models import Corpus, Instance

SCRIPT = "</p><script>alert(1)</script><img src=x onerror=alert(2)>\"'{{7*7}}&amp;\u202e"


def _url(row: Instance, tail: str = "") -> str:
    return f"/corpora/harbour/{row.sample_id}/{tail}"


def _get(client: Client, url: str) -> str:
    answer = client.get(url)
    assert answer.status_code == 200
    return answer.content.decode()


def test_reader_sees_opening_papers_and_contract(client: Client, implicit: Instance) -> None:
    text = _get(client, _url(implicit))
    for document in implicit.documents:
        assert f'data-channel="{document["channel"]}" id="document-{document["number"]}"' in text
        assert escape(document["text"]) in text
        assert escape(document["heading"]) in text
    assert "You have been given the complete record" in text
    assert "Reply with one JSON object" in text


def test_formal_condition_shows_the_prompt_as_it_is(client: Client, corpus: Corpus) -> None:
    row = corpus.instances.in_condition("formal")[0]
    text = _get(client, _url(row))
    assert f'<pre class="document__text" tabindex="0">{escape(row.prompt)}</pre>' in text


def test_clues_are_dark_until_they_are_lit(owner_client: Client, implicit: Instance) -> None:
    assert 'data-lit="off"' in _get(owner_client, _url(implicit))
    assert 'data-lit="on"' in _get(owner_client, _url(implicit, "?lit=1"))
    assert 'data-lit="off"' in _get(owner_client, _url(implicit, "?lit=yes"))


def test_visitor_cannot_light_anything(client: Client, implicit: Instance) -> None:
    text = _get(client, _url(implicit, "?lit=1"))
    assert 'data-lit="off"' in text
    assert "Light the clues" not in text
    assert "are for people who are signed in" in text


def test_spans_carry_their_unit_and_the_papers_text(
    owner_client: Client, implicit: Instance
) -> None:
    text = _get(owner_client, _url(implicit, "?lit=1"))
    for document in implicit.documents:
        for span in document["spans"]:
            clause = escape(document["text"][span["start"] : span["end"]])
            mark = re.search(rf'<mark [^>]*id="span-{span["unit"]}"[^>]*>([^<]*)</mark>', text)
            assert mark is not None
            assert clause.startswith(mark[1])
        shown = re.search(
            rf'id="document-{document["number"]}">.*?<p class="document__text">(.*?)</p>',
            text,
            re.DOTALL,
        )
        assert shown is not None
        assert re.sub(r"</?mark[^>]*>", "", shown[1]) == escape(document["text"])


def test_every_unit_stands_beside_the_record(owner_client: Client, implicit: Instance) -> None:
    text = _get(owner_client, _url(implicit))
    units = re.findall(r'<li class="unit" id="unit-(E\d+)"', text)
    assert units == [unit["id"] for unit in implicit.family.truth["units"]]


def test_solution_stands_below_the_record_and_leads_to_the_proof(
    owner_client: Client, implicit: Instance
) -> None:
    text = _get(owner_client, _url(implicit))
    for value in implicit.family.truth["solution"].values():
        assert f'data-label="Value">{value}</td>' in text
    assert f'href="{_url(implicit, "certificate/")}"' in text


def test_a_page_says_which_clues_force_a_fact(owner_client: Client, implicit: Instance) -> None:
    world = services.world_of(implicit.family)
    variable = world.variables[-1]
    text = owner_client.get(implicit.get_absolute_url(), {"why": variable.mark}).content.decode()
    row = text.split(f'id="fact-{variable.id}"')[1].split("</tr>")[0]
    reason = minimal_reason(world, variable.id)
    assert reason
    assert all(f"#unit-{unit}" in row or f"#bridge-{unit}" in row for unit in reason)


def test_a_mark_that_is_not_there_has_no_reason(owner_client: Client, implicit: Instance) -> None:
    answer = owner_client.get(implicit.get_absolute_url(), {"why": "<Z-99>"})
    assert answer.status_code == 200
    assert "No fact of this world has the mark “&lt;Z-99&gt;”." in answer.content.decode()


def test_a_visitor_is_not_told_why(client: Client, implicit: Instance) -> None:
    mark = services.world_of(implicit.family).variables[0].mark
    text = client.get(implicit.get_absolute_url(), {"why": mark}).content.decode()
    assert "The one world" not in text
    assert "#unit-" not in text


def test_other_surfaces_are_one_click_away(client: Client, corpus: Corpus) -> None:
    row = corpus.instances.reading_order()[0]
    text = _get(client, _url(row))
    for other in row.family.instances.all():
        assert f'href="{_url(other)}"' in text
    assert text.count('aria-current="page">explicit 1</a>') == 1


def test_markup_in_a_paper_is_text(owner_client: Client, implicit: Instance) -> None:
    document = next(d for d in implicit.documents if d["spans"])
    end = document["spans"][0]["start"] + 2
    for span in document["spans"]:
        span["start"] += len(SCRIPT) * (span["start"] >= end)
        span["end"] += len(SCRIPT)
    document["text"] = document["text"][:end] + SCRIPT + document["text"][end:]
    document["heading"] = SCRIPT
    implicit.save()
    text = _get(owner_client, _url(implicit, "?lit=1"))
    assert "<script>alert" not in text
    assert "<img src=x" not in text
    assert escape(SCRIPT) in text


def test_markup_in_titles_roles_and_questions_is_text(
    owner_client: Client, implicit: Instance
) -> None:
    truth = implicit.family.truth
    truth["variables"][0]["role"] = SCRIPT
    truth["bridges"][0]["question"] = SCRIPT
    truth["bridges"][0]["source"] = SCRIPT
    implicit.family.save()
    Corpus.objects.update(title=SCRIPT)
    for url in ("/corpora/", "/corpora/harbour/", _url(implicit, "?lit=1")):
        text = _get(owner_client, url)
        assert "<script>alert" not in text
        assert "<img src=x" not in text


def test_page_takes_a_fixed_number_of_queries(owner_client: Client, corpus: Corpus) -> None:
    counts = set()
    for row in corpus.instances.in_condition("implicit"):
        with CaptureQueriesContext(connection) as asked:
            _get(owner_client, _url(row))
        counts.add(len(asked))
    # Session, person, the instance with its family and corpus, its surfaces.
    assert counts == {4}


def test_prompt_is_downloaded_to_the_byte(client: Client, implicit: Instance) -> None:
    answer = client.get(_url(implicit, "prompt.txt"))
    assert answer.content == implicit.prompt.encode()
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="{implicit.sample_id}.txt"'


def test_instance_is_downloaded_in_canonical_json(owner_client: Client, implicit: Instance) -> None:
    answer = owner_client.get(_url(implicit, "instance.json"))
    assert answer.content.decode() == services.instance_json(implicit) + "\n"
    assert answer["Content-Type"] == "application/json; charset=utf-8"


def test_certificate_is_downloaded_in_canonical_json(
    owner_client: Client, implicit: Instance
) -> None:
    answer = owner_client.get(_url(implicit, "certificate.json"))
    assert answer.content.decode() == canonical(implicit.family.certificate) + "\n"


def test_proof_is_downloaded_as_the_certificate_says(
    owner_client: Client, implicit: Instance
) -> None:
    uniqueness = implicit.family.certificate["uniqueness"]
    for kind, key in (("cnf", "cnf_sha256"), ("drat", "proof_sha256")):
        answer = owner_client.get(_url(implicit, f"proof.{kind}"))
        assert hashlib.sha256(answer.content).hexdigest() == uniqueness[key]
        assert answer["Content-Type"] == "text/plain; charset=utf-8"
        name = f"{implicit.family.family_id}.{kind}"
        assert answer["Content-Disposition"] == f'attachment; filename="{name}"'


def test_both_files_of_the_proof_are_offered(owner_client: Client, implicit: Instance) -> None:
    text = _get(owner_client, _url(implicit))
    for kind in ("cnf", "drat"):
        assert f'href="{_url(implicit, f"proof.{kind}")}" download' in text


@pytest.mark.parametrize(
    "tail",
    ["", "prompt.txt", "instance.json", "certificate.json", "proof.cnf", "recheck/z3/"],
)
def test_unknown_instance_is_404(owner_client: Client, corpus: Corpus, tail: str) -> None:
    unknown = f"/corpora/harbour/ef1-chain-L00-maritime-s1-imp1/{tail}"
    assert owner_client.get(unknown).status_code == 404


def test_instance_of_another_corpus_is_404(client: Client, implicit: Instance) -> None:
    assert client.get(f"/corpora/quay/{implicit.sample_id}/").status_code == 404
