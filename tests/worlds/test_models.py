"""What the database itself refuses."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from worlds.models import Corpus, Family, Instance


def _copy(corpus: Corpus, **changes: object) -> Family:
    """Build a new family that differs from the first of the corpus as told."""
    fields: dict[str, Any] = dict(
        Family.objects.filter(corpus=corpus).order_by("place").values()[0]
    )
    del fields["id"]
    fresh = {"place": 90, "family_id": "ef1-chain-L00-maritime-s90", "fingerprint": "9" * 64}
    return Family(**{**fields, **fresh, **changes})


@pytest.mark.parametrize("status", ["unknown", "refuted", "", "PROVED"])
def test_family_that_is_not_proved_is_refused(corpus: Corpus, status: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        _copy(corpus, certificate_status=status).save()


def test_family_that_is_proved_is_stored(corpus: Corpus) -> None:
    _copy(corpus).save()
    assert corpus.families.count() == 3


@pytest.mark.parametrize("same", ["place", "family_id", "fingerprint"])
def test_family_that_repeats_another_is_refused(corpus: Corpus, same: str) -> None:
    first = corpus.families.get(place=0)
    with pytest.raises(IntegrityError), transaction.atomic():
        _copy(corpus, **{same: getattr(first, same)}).save()


def test_instance_of_an_unknown_condition_is_refused(implicit: Instance) -> None:
    implicit.pk = None
    implicit.sample_id = "another"
    implicit.condition = "explicid"
    with pytest.raises(IntegrityError), transaction.atomic():
        implicit.save()


def test_counts_do_not_multiply_each_other(corpus: Corpus) -> None:
    corpus.lost.create(place=0, family_id="ef1-chain-L00-maritime-s1", reason="no world")
    counted = Corpus.objects.with_counts().get(pk=corpus.pk)
    assert (counted.stored_families, counted.stored_instances, counted.lost_families) == (2, 10, 1)


def test_counts_of_an_empty_corpus_are_zero(order_corpus: Any) -> None:
    counted = Corpus.objects.with_counts().get(pk=order_corpus().pk)
    assert (counted.stored_families, counted.stored_instances, counted.lost_families) == (0, 0, 0)
