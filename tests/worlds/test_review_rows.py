"""The history of a review stays as it was written, whoever writes SQL by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError

from tests.postgresql import assert_passes_on_postgresql
from worlds.models import Corpus, Family, ReviewEntry, ReviewItem, Said

COMMENT: dict[str, Any] = {
    "said": Said.COMMENT,
    "text": "Whose report is this?",
    "document": "D1",
    "start": 3,
    "end": 9,
    "quote": "letter",
}


def _entry(corpus: Corpus, owner: User, **fields: object) -> ReviewEntry:
    row: dict[str, Any] = {"said": Said.APPROVE, "clause": "It is said.", **fields}
    return ReviewEntry.objects.create(item=corpus.review_items.all()[0], author=owner, **row)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE worlds_reviewentry SET text = 'I never said that'",
        "UPDATE worlds_reviewentry SET said = 'reject'",
        "DELETE FROM worlds_reviewentry",
    ],
)
def test_an_entry_is_neither_changed_nor_deleted(corpus: Corpus, owner: User, sql: str) -> None:
    entry = _entry(corpus, owner)
    with (
        pytest.raises(IntegrityError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql)
    assert ReviewEntry.objects.get() == entry


def test_neither_can_the_models_do_it(corpus: Corpus, owner: User) -> None:
    entry = _entry(corpus, owner)
    entry.text = "I never said that"
    for change in (
        entry.save,
        entry.delete,
        lambda: ReviewEntry.objects.update(text=""),
        ReviewEntry.objects.all().delete,
    ):
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            change()
    assert ReviewEntry.objects.get().text == ""


def test_what_the_history_is_about_stays_with_it(corpus: Corpus, owner: User) -> None:
    _entry(corpus, owner)
    for row in (owner, corpus):
        with pytest.raises(ProtectedError), transaction.atomic():
            row.delete()


@pytest.mark.parametrize(
    ("constraint", "fields"),
    [
        ("worlds_review_said", {"said": "applaud", "text": "Well done"}),
        ("worlds_review_has_a_reason", {"said": Said.REJECT}),
        ("worlds_review_has_a_reason", {**COMMENT, "text": ""}),
        ("worlds_review_anchor", {**COMMENT, "start": None}),
        ("worlds_review_anchor", {**COMMENT, "end": 3}),
        ("worlds_review_anchor", {**COMMENT, "document": ""}),
        ("worlds_review_anchor", {**COMMENT, "said": Said.APPROVE}),
    ],
)
def test_an_entry_that_makes_no_sense_is_refused(
    corpus: Corpus, owner: User, constraint: str, fields: dict[str, Any]
) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        _entry(corpus, owner, **fields)


def test_a_comment_is_stored(corpus: Corpus, owner: User) -> None:
    assert _entry(corpus, owner, **COMMENT).quote == "letter"


def test_each_distractor_is_one_item_per_record(corpus: Corpus) -> None:
    for family in Family.objects.all():
        found = [
            (item.instance.realization, item.unit, item.kind)
            for item in family.review_items.select_related("instance")
        ]
        proofs = family.certificate["distractors"]
        assert found == [(r, each["unit"], each["kind"]) for r in (1, 2) for each in proofs]
    assert set(ReviewItem.objects.values_list("instance__condition", flat=True)) == {"implicit"}


@pytest.mark.slow
def test_all_of_this_holds_on_postgresql() -> None:
    if connection.vendor == "sqlite":
        assert_passes_on_postgresql(Path(__file__))
