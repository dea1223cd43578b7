"""`manage.py check_corpus`: every figure beside its goal, and 1 if one is missed."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.worlds.builders import OrderCorpus
from worlds import services
from worlds.core.prose.gate import RULES
from worlds.models import Corpus


def _check(name: str, **options: object) -> str:
    out = StringIO()
    call_command("check_corpus", name, stdout=out, **options)
    return out.getvalue()


@pytest.fixture
def repeated(corpus: Corpus) -> Corpus:
    """The corpus with one record's papers in another's place: a copy of a paper is a fault."""
    one, other = corpus.families.order_by("place")
    row = other.instances.get(condition="explicit", realization=1)
    twin = other.instances.get(condition="explicit", realization=2)
    row.documents, row.prompt = twin.documents, twin.prompt
    row.save()
    assert one.pk != other.pk
    return corpus


def test_every_figure_stands_beside_its_goal(corpus: Corpus) -> None:
    lines = _check("harbour").splitlines()
    assert lines[0].startswith(f"harbour, sha256 {corpus.sha256}: 4 records, ")
    told = " ".join("\n".join(lines).split())
    for rule in RULES:
        assert f"ok breaches of {rule} 0 at most 0" in told
    assert "papers equal to another once masked 0 at most 0" in told
    # Four small records are too few to judge shares by.
    assert "maritime distinct clause skeletons, lexicon words masked too" in told
    assert "MISSED" not in told


def test_a_missed_goal_is_named_and_fails(repeated: Corpus) -> None:
    with pytest.raises(CommandError, match="papers equal to another once masked") as failed:
        _check("harbour")
    assert failed.value.returncode == 1


def test_report_in_json(corpus: Corpus) -> None:
    report = json.loads(_check("harbour", json=True))
    assert report["corpus_sha256"] == corpus.sha256
    assert report["missed"] == 0
    assert (report["format"], report["records"]) == ("enigmaforge.survey/1", 4)
    figure = next(f for f in report["figures"] if f["name"].startswith("papers equal"))
    assert (figure["found"], figure["goal"], figure["ok"]) == (0, "at most 0", True)


def test_corpus_that_is_not_there_is_the_callers_fault(corpus: Corpus) -> None:
    with pytest.raises(CommandError, match="one of harbour") as failed:
        _check("quay")
    assert failed.value.returncode == 2


def test_corpus_that_is_not_complete_is_the_callers_fault(order_corpus: OrderCorpus) -> None:
    order_corpus("quay")
    with pytest.raises(CommandError, match="complete") as failed:
        _check("quay")
    assert failed.value.returncode == 2


def test_the_report_is_the_one_that_the_page_keeps(corpus: Corpus) -> None:
    kept = services.survey_corpus(corpus).report
    report = json.loads(_check("harbour", json=True))
    assert report["figures"] == kept["figures"]
    assert report["tables"] == kept["tables"]
