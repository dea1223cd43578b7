"""The page of a certificate."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from enigmaforge_site.jobs import tasks as job_tasks
from worlds import tasks
from worlds.models import Corpus, Instance, Recheck

SCRIPT = "</p><script>alert(1)</script>\"'{{7*7}}"


def _url(row: Instance, tail: str = "") -> str:
    return f"/corpora/harbour/{row.sample_id}/certificate/{tail}"


def _get(client: Client, url: str) -> str:
    answer = client.get(url)
    assert answer.status_code == 200
    return answer.content.decode()


def test_three_engines_stand_side_by_side(owner_client: Client, implicit: Instance) -> None:
    text = _get(owner_client, _url(implicit))
    engines = re.findall(
        r'engine__name">(\w+)</h3>\s*<p><span class="chip" data-verdict="(\w+)"', text
    )
    assert engines == [("DPLL", "proved"), ("Oracle", "proved"), ("z3", "proved")]
    assert text.count("again yet") == 3


def test_an_engine_that_no_longer_agrees_is_named_aloud(
    owner_client: Client, implicit: Instance
) -> None:
    for verdict in ("unknown", "proved"):
        Recheck.objects.create(family=implicit.family, engine="z3", verdict=verdict)
        assert "no longer agree" not in _get(owner_client, _url(implicit))
    Recheck.objects.create(family=implicit.family, engine="oracle", verdict="refuted")
    text = _get(owner_client, _url(implicit))
    assert "Oracle no longer agrees with this certificate" in text
    assert 'data-verdict="refuted"' in text


def test_every_ablation_is_a_row_with_its_exact_count(
    owner_client: Client, implicit: Instance
) -> None:
    text = _get(owner_client, _url(implicit))
    for entry in implicit.family.certificate["ablations"]:
        row = text.split(f'id="ablation-{entry["unit"]}"')[1].split("</tr>")[0]
        assert f">{entry['models_without']:,}</td>" in row
        assert f">{entry['load_bits']:.2f}</td>" in row
        assert f"?lit=1&amp;without={entry['unit']}#asked" in row


@pytest.mark.parametrize(("sort", "order"), [("models", "ascending"), ("-models", "descending")])
def test_table_is_sorted_by_its_address(
    owner_client: Client, implicit: Instance, sort: str, order: str
) -> None:
    text = _get(owner_client, _url(implicit, f"?sort={sort}"))
    rows = re.findall(r'id="ablation-(E\d+)"', text)
    models = {e["unit"]: e["models_without"] for e in implicit.family.certificate["ablations"]}
    counts = [models[unit] for unit in rows]
    assert counts == sorted(counts, reverse=order == "descending")
    assert text.count(f'aria-sort="{order}"') == text.count("aria-sort=") == 1


@pytest.mark.parametrize("sort", ["__class__", "-", "x" * 5000])
def test_an_order_that_there_is_not_is_that_of_the_units(
    owner_client: Client, implicit: Instance, sort: str
) -> None:
    text = _get(owner_client, _url(implicit, f"?sort={sort}"))
    rows = re.findall(r'id="ablation-(E\d+)"', text)
    assert rows == [each["unit"] for each in implicit.family.certificate["ablations"]]


def test_distractors_bridges_policy_and_readings_are_told(
    owner_client: Client, implicit: Instance
) -> None:
    text = _get(owner_client, _url(implicit))
    certificate = implicit.family.certificate
    for entry in certificate["distractors"]:
        panel = text.split(f'id="distractor-{entry["unit"]}"')[1].split("</article>")[0]
        for unit in entry.get("refuted_by", ()):
            assert f"#unit-{unit}" in panel
    for bridge in implicit.family.truth["bridges"]:
        panel = text.split(f'id="bridge-{bridge["id"]}"')[1].split("</article>")[0]
        assert escape(bridge["source"]) in panel
        assert all(escape(each) in panel for each in (bridge["answer"], *bridge["alternatives"]))
    assert "Rule in force" in text
    for entry in certificate["readings"]:
        assert escape(entry["reading"]) in text
    assert "the same answer" in text


def test_profile_is_a_picture_with_its_table(owner_client: Client, implicit: Instance) -> None:
    text = _get(owner_client, _url(implicit))
    picture = text.split('class="profile__picture"')[1].split("</svg>")[0]
    assert "style=" not in picture
    inference = implicit.family.certificate["inference"]
    assert f">{inference['facts']}</td></tr>" in text.split("When each fact falls</caption>")[1]


def test_files_of_the_proof_are_offered_with_their_digests(
    owner_client: Client, implicit: Instance
) -> None:
    text = _get(owner_client, _url(implicit))
    uniqueness = implicit.family.certificate["uniqueness"]
    for kind, key in (("cnf", "cnf_sha256"), ("drat", "proof_sha256")):
        assert f'href="/corpora/harbour/{implicit.sample_id}/proof.{kind}" download' in text
        assert uniqueness[key] in text


def test_page_takes_a_fixed_number_of_queries(owner_client: Client, corpus: Corpus) -> None:
    rows = list(corpus.instances.with_truth().in_condition("implicit"))
    for engine in ("dpll", "z3"):
        recheck = tasks.enqueue_recheck(rows[0].family, engine, link="/x/")
        assert recheck.job is not None
        job_tasks.run_now(recheck.job.pk)
    counts = set()
    for row in rows:
        with CaptureQueriesContext(connection) as asked:
            _get(owner_client, _url(row))
        counts.add(len(asked))
    # Session, person, the instance with its family and corpus, the last re-runs.
    assert counts == {4}


def test_markup_in_the_truth_is_text(owner_client: Client, implicit: Instance) -> None:
    truth = implicit.family.truth
    truth["bridges"][0]["question"] = truth["bridges"][0]["source"] = SCRIPT
    truth["variables"][0]["role"] = truth["variables"][0]["mark"] = SCRIPT
    implicit.family.save()
    text = _get(owner_client, _url(implicit))
    assert "<script>alert" not in text


def test_certificate_of_an_unknown_instance_is_404(owner_client: Client, corpus: Corpus) -> None:
    url = "/corpora/harbour/ef1-chain-L00-maritime-s1-imp1/certificate/"
    assert owner_client.get(url).status_code == 404
