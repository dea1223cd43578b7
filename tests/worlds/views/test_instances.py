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


def test_formal_condition_shows_every_section_of_the_prompt(client: Client, corpus: Corpus) -> None:
    row = corpus.instances.in_condition("formal")[0]
    text = _get(client, _url(row))
    shown = re.sub(r"</?[^>]+>", "", text)
    for section in row.prompt.split("\n\n"):
        assert all(escape(line) in shown for line in section.split("\n"))
    assert "in formal notation" in shown


def test_lines_of_formal_notation_are_lit_like_clauses(
    owner_client: Client, corpus: Corpus
) -> None:
    row = corpus.instances.with_truth().in_condition("formal")[0]
    text = _get(owner_client, _url(row, "?lit=1"))
    for unit in row.family.truth["units"]:
        tells = unit["role"] in ("clue", "policy", "provisional")
        assert (f'id="span-{unit["id"]}"' in text) == tells
        assert f'id="unit-{unit["id"]}"' in text
    assert text.count("not in this surface") == sum(
        unit["role"] not in ("clue", "policy", "provisional") for unit in row.family.truth["units"]
    )


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


def _forcing(text: str) -> set[str]:
    """The units whose spans are marked as forcing a fact."""
    marks = re.findall(r'<mark [^>]*data-unit="([^"]+)"[^>]* data-forcing', text)
    return set(" ".join(marks).split())


def test_why_lights_the_minimal_clues_in_the_text(owner_client: Client, implicit: Instance) -> None:
    world = services.world_of(implicit.family)
    for variable in world.variables:
        text = _get(owner_client, _url(implicit, f"?why={variable.mark}"))
        reason = minimal_reason(world, variable.id)
        assert 'data-lit="on" data-asked="why"' in text
        assert _forcing(text) == {unit for unit in reason if unit.startswith("E")}
        answer = text.split('id="asked"')[1].split("</section>")[0]
        assert re.findall(r'<li data-unit="(\w+)">', answer) == list(reason)


def test_why_can_be_put_out(owner_client: Client, implicit: Instance) -> None:
    mark = services.world_of(implicit.family).variables[0].mark
    assert 'data-lit="off"' in _get(owner_client, _url(implicit, f"?lit=0&why={mark}"))


def test_a_mark_that_is_not_there_has_no_reason(owner_client: Client, implicit: Instance) -> None:
    answer = owner_client.get(implicit.get_absolute_url(), {"why": "<Z-99>"})
    assert answer.status_code == 200
    assert "No fact of this world has the mark “&lt;Z-99&gt;”." in answer.content.decode()


def test_without_a_clue_the_second_world_stands_beside_the_true_one(
    owner_client: Client, implicit: Instance
) -> None:
    world = services.world_of(implicit.family)
    for entry in implicit.family.certificate["ablations"]:
        unit, witness = entry["unit"], entry["witness"]
        text = _get(owner_client, _url(implicit, f"?without={unit}"))
        answer = text.split('id="asked"')[1].split("</section>")[0]
        assert f"{entry['models_without']:,} worlds" in answer
        assert answer.count("≠ differs") == len(witness)
        for term, value in witness.items():
            row = answer.split(f">{world.mark_of(term)}</span></th>")[1].split("</tr>")[0]
            assert f'data-label="The true world">{world.truth[term]}<' in row
            assert f"<strong>{value}</strong>" in row
        struck = re.findall(r'<mark [^>]*data-unit="([^"]+)"[^>]* data-missing><s>', text)
        assert struck
        assert all(unit in each.split() for each in struck)
        assert text.count("<s>") == len(struck)


@pytest.mark.parametrize("unit", ["E999", "K0", "<b>", "x" * 4000])
def test_only_a_clue_can_be_thought_away(
    owner_client: Client, implicit: Instance, unit: str
) -> None:
    answer = owner_client.get(_url(implicit), {"without": unit})
    assert answer.status_code == 200
    text = answer.content.decode()
    assert f"No clue of this world is called “{escape(unit[:20])}”" in text
    assert "data-missing" not in text.split('id="asked"')[1].split("</aside>")[0].replace(
        "data-missing-link", ""
    )


def test_a_visitor_is_told_neither_why_nor_what_if(client: Client, implicit: Instance) -> None:
    world = services.world_of(implicit.family)
    for query in ({"why": world.variables[0].mark}, {"without": world.clues[0].id}):
        text = client.get(implicit.get_absolute_url(), query).content.decode()
        assert 'data-lit="off"' in text
        assert "The one world" not in text
        assert 'id="asked"' not in text
        assert "#unit-" not in text


def _other(row: Instance) -> Instance:
    return row.family.instances.exclude(pk=row.pk).in_condition("implicit").get()


def test_two_surfaces_stand_side_by_side_with_ids_of_their_own(
    owner_client: Client, implicit: Instance
) -> None:
    other = _other(implicit)
    text = _get(owner_client, _url(implicit, f"?lit=1&beside={other.sample_id}"))
    for row, prefix in ((implicit, ""), (other, "beside-")):
        for document in row.documents:
            assert f'id="{prefix}document-{document["number"]}"' in text
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    for unit in services.world_of(implicit.family).clues:
        assert f'id="span-{unit.id}"' in text
        assert f'id="beside-span-{unit.id}"' in text


def test_a_visitor_compares_surfaces_and_learns_nothing(client: Client, implicit: Instance) -> None:
    other = _other(implicit)
    text = _get(client, _url(implicit, f"?beside={other.sample_id}"))
    assert 'id="beside-document-1"' in text
    assert "clue-span" not in text


@pytest.mark.parametrize("beside", ["ef1-chain-L00-maritime-s1-imp1", "', --", "x" * 3000])
def test_a_surface_that_the_family_lacks_is_not_shown(
    client: Client, implicit: Instance, beside: str
) -> None:
    answer = client.get(_url(implicit), {"beside": beside})
    assert answer.status_code == 200
    assert "beside-document" not in answer.content.decode()


def test_forms_keep_what_the_others_asked_for(owner_client: Client, implicit: Instance) -> None:
    other = _other(implicit)
    mark = services.world_of(implicit.family).variables[0].mark
    text = _get(owner_client, _url(implicit, f"?why={mark}&beside={other.sample_id}"))
    toolbar = text.split('class="instance__toolbar"')[1].split("data-keys-open")[0]
    assert toolbar.count(f'type="hidden" name="beside" value="{other.sample_id}"') == 2
    assert f'type="hidden" name="why" value="{mark}"' in toolbar
    assert f"&amp;beside={other.sample_id}#asked" in text


def _as_story(row: Instance) -> None:
    """Store a surface as the story that its papers would be."""
    text = "\n".join(document["text"] for document in row.documents)
    spans, start = [], 0
    for document in row.documents:
        for span in document["spans"]:
            span["start"] += start
            span["end"] += start
            spans.append(span)
        start += len(document["text"]) + 1
    row.documents = [{**row.documents[0], "heading": "A month", "text": text, "spans": spans}]
    row.burial, row.prompt = 3, f"Read this.\n\n{text}\n\nReply so."
    row.save()


def test_a_story_reads_as_one_and_says_its_burial(owner_client: Client, implicit: Instance) -> None:
    _as_story(implicit)
    text = _get(owner_client, _url(implicit, "?lit=1"))
    assert "implicit 1, burial 3" in text
    assert 'data-channel="story"' in text
    assert "One story" in text
    assert "papers" not in text.split('class="instance"')[1].split("The one world")[0]
    assert "A month" not in text
    assert '<p class="record__preface">Read this.</p>' in text
    for unit in services.world_of(implicit.family).clues:
        assert f'id="span-{unit.id}"' in text


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
    alone, compared = set(), set()
    for row in corpus.instances.with_truth().in_condition("implicit"):
        query = f"?without=E2&beside={_other(row).sample_id}"
        for counts, tail in ((alone, ""), (compared, query)):
            with CaptureQueriesContext(connection) as asked:
                _get(owner_client, _url(row, tail))
            counts.add(len(asked))
    # Session, person, the instance with its family and corpus, its surfaces; and the other surface.
    assert (alone, compared) == ({4}, {5})


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
