"""`manage.py forge_corpus`: the same order, the same hash."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.worlds.builders import OrderCorpus
from worlds.models import Corpus

ORDER: dict[str, Any] = {"seed": 7, "families": 2, "levels": "L00", "genres": "maritime"}


def _forge(name: str, **options: Any) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("forge_corpus", name, stdout=out, stderr=err, **ORDER | options)
    return out.getvalue(), err.getvalue()


def test_corpus_is_forged_with_progress_and_its_hash(corpus: Corpus) -> None:
    out, err = _forge("quay")
    assert out == f"quay: 2 families, 10 instances, sha256 {corpus.sha256}\n"
    assert err.splitlines() == [
        "1 of 2: L00 maritime, family 1",
        "2 of 2: L00 maritime, family 2",
    ]


def test_report_in_json(corpus: Corpus) -> None:
    out, _ = _forge("quay", json=True, workers=2)
    assert json.loads(out) == {
        "corpus": "quay",
        "sha256": corpus.sha256,
        "families": 2,
        "instances": 10,
        "lost": [],
    }


def test_unfinished_corpus_is_taken_up(order_corpus: OrderCorpus) -> None:
    corpus = order_corpus("quay")
    _forge("quay")
    corpus.refresh_from_db()
    assert corpus.is_complete


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("harbour", {}, "a name that no other corpus has"),
        ("Quay", {}, "small letters"),
        ("quay", {"families": 0}, "from 1 to 2000"),
        ("quay", {"levels": "L00,L88"}, "from L00 to"),
        ("quay", {"genres": "moon"}, "maritime"),
        ("quay", {"workers": 0}, "from 1 to 64"),
        ("quay", {"seed": -1}, "from 0 to 9007199254740991"),
    ],
)
def test_bad_input_is_a_sentence_and_exit_code_2(
    corpus: Corpus, name: str, options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence) as refused:
        _forge(name, **options)
    assert refused.value.returncode == 2
    assert Corpus.objects.get() == corpus


@pytest.mark.django_db
def test_stories_are_forged_when_asked_for() -> None:
    out, _ = _forge("told", families=1, burial="0, 2")
    assert "1 families, 9 instances" in out
    burials = Corpus.objects.get().instances.values_list("burial", flat=True)
    assert sorted(each for each in burials if each is not None) == [0, 0, 2, 2]


@pytest.mark.django_db
@pytest.mark.parametrize("burial", ["6", "-1", "deep", "1,two", "10"])
def test_a_burial_that_makes_no_sense_is_named(burial: str) -> None:
    with pytest.raises(CommandError, match="burial"):
        _forge("told", burial=burial)
    assert not Corpus.objects.exists()
