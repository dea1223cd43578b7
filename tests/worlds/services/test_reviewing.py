"""Judging distractors: locks by the clock alone, decisions bound to a text, comments in place."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User

from worlds.core.errors import BadInput
from worlds.models import Corpus, Instance, ReviewEntry, ReviewItem, Said, Standing, standing_of
from worlds.services.review_assigning import assign_items, may_assign, reviewers_of
from worlds.services.reviewing import (
    LOCK,
    Anchor,
    Content,
    ItemLocked,
    OwnCorpus,
    TextChanged,
    comment_on,
    content_of,
    decide,
    find_quote,
    lock_item,
    release_item,
)

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def ben(db: None) -> User:
    return User.objects.create_user("ben")


@pytest.fixture
def item(corpus: Corpus) -> ReviewItem:
    return _items(corpus)[0]


def _items(corpus: Corpus) -> list[ReviewItem]:
    return list(corpus.review_items.select_related("corpus", "family", "instance"))


def _decide(item: ReviewItem, person: User, said: Said = Said.APPROVE, **more: Any) -> ReviewEntry:
    settings: dict[str, Any] = {"reason": "", "seen": content_of(item).sha256, "now": NOON}
    return decide(item, reviewer=person, said=said, **{**settings, **more})


def _reject(item: ReviewItem, person: User, **more: Any) -> ReviewEntry:
    return _decide(item, person, Said.REJECT, reason="Nobody is named as its source.", **more)


def _standing(item: ReviewItem) -> str:
    return str(ReviewItem.objects.with_standing().get(pk=item.pk).standing)


def _rewrite(item: ReviewItem) -> None:
    """Give the record of the item another wording, as a new telling of it would."""
    row = item.instance
    for document in row.documents:
        document["text"] += " Rain again."
    row.sha256 = "f" * 64
    row.save()


def test_a_lock_is_taken_by_one_and_lasts_its_time(item: ReviewItem, ada: User, ben: User) -> None:
    assert lock_item(item, reviewer=ada, now=NOON)
    assert not lock_item(item, reviewer=ben, now=NOON + LOCK - SECOND)
    assert (item.locked_by, item.locked_until) == (ada, NOON + LOCK)
    assert lock_item(item, reviewer=ben, now=NOON + LOCK)
    assert (item.locked_by, item.locked_until) == (ben, NOON + 2 * LOCK)


def test_a_lock_is_renewed_by_its_owner(item: ReviewItem, ada: User, ben: User) -> None:
    lock_item(item, reviewer=ada, now=NOON)
    assert lock_item(item, reviewer=ada, now=NOON + LOCK / 2)
    assert not lock_item(item, reviewer=ben, now=NOON + LOCK)
    assert item.locked_until == NOON + LOCK * 1.5


def test_of_two_who_read_the_same_free_row_one_gets_it(
    corpus: Corpus, ada: User, ben: User
) -> None:
    first, second = (_items(corpus)[0] for _ in "ab")
    assert lock_item(first, reviewer=ada, now=NOON)
    assert second.locked_by is None  # What the second one read is out of date.
    assert not lock_item(second, reviewer=ben, now=NOON)
    assert second.locked_by == ada


def test_a_lock_is_let_go_by_its_owner_alone(item: ReviewItem, ada: User, ben: User) -> None:
    lock_item(item, reviewer=ada, now=NOON)
    release_item(item, reviewer=ben)
    assert not lock_item(item, reviewer=ben, now=NOON)
    release_item(item, reviewer=ada)
    assert lock_item(item, reviewer=ben, now=NOON)


def test_nobody_decides_while_another_has_the_lock(item: ReviewItem, ada: User, ben: User) -> None:
    lock_item(item, reviewer=ada, now=NOON)
    with pytest.raises(ItemLocked, match="ada has this item until 12:10 UTC") as refused:
        _decide(item, ben, now=NOON + SECOND)
    assert (refused.value.by, refused.value.until) == ("ada", NOON + LOCK)
    assert not item.entries.exists()
    _decide(item, ben, now=NOON + LOCK)


def test_a_decision_lets_go_of_the_item(item: ReviewItem, ada: User, ben: User) -> None:
    lock_item(item, reviewer=ada, now=NOON)
    _decide(item, ada, now=NOON + SECOND)
    assert lock_item(item, reviewer=ben, now=NOON + SECOND)


def test_a_rejection_needs_a_reason(item: ReviewItem, ada: User) -> None:
    for reason in ("", " \n\t"):
        with pytest.raises(BadInput, match="a few words"):
            _decide(item, ada, Said.REJECT, reason=reason)
    assert not item.entries.exists()
    assert _reject(item, ada).text == "Nobody is named as its source."


def test_nobody_judges_their_own_corpus(item: ReviewItem, ada: User, ben: User) -> None:
    Corpus.objects.update(created_by=ada)
    item.corpus.refresh_from_db()
    for said in (Said.APPROVE, Said.REJECT):
        with pytest.raises(OwnCorpus):
            _decide(item, ada, said, reason="It is mine.")
    assert not item.entries.exists()
    _decide(item, ben)


@pytest.mark.parametrize(
    ("required", "said", "standing"),
    [
        (0, "", Standing.UNDECIDED),
        (0, "a", Standing.APPROVED),
        (1, "a", Standing.APPROVED),
        (2, "a", Standing.PARTIAL),
        (2, "aa", Standing.APPROVED),
        (2, "aaa", Standing.APPROVED),
        (0, "r", Standing.REJECTED),
        (1, "ar", Standing.DISPUTED),
        (2, "rr", Standing.REJECTED),
        (1, "aar", Standing.DISPUTED),
    ],
)
def test_standing_follows_from_the_decisions(
    item: ReviewItem, required: int, said: str, standing: Standing
) -> None:
    Corpus.objects.update(required_approvals=required)
    for number, letter in enumerate(said):
        person = User.objects.create_user(f"reviewer-{number}")
        (_decide if letter == "a" else _reject)(item, person)
    assert _standing(item) == standing
    assert standing_of(said.count("a"), said.count("r"), required=required) == standing
    assert [
        each for each in Standing if ReviewItem.objects.in_standing(each).filter(pk=item.pk)
    ] == [standing]


def test_the_last_decision_of_a_person_counts_and_all_are_kept(item: ReviewItem, ada: User) -> None:
    _decide(item, ada)
    _reject(item, ada)
    assert _standing(item) == Standing.REJECTED
    _decide(item, ada)
    assert _standing(item) == Standing.APPROVED
    assert list(item.entries.values_list("said", flat=True)) == ["approve", "reject", "approve"]


def test_a_review_dies_when_the_text_changes(item: ReviewItem, ada: User, ben: User) -> None:
    _decide(item, ada)
    before = content_of(item)
    _rewrite(item)
    assert _standing(item) == Standing.OUTDATED
    assert content_of(item).sha256 != before.sha256
    assert item.entries.get().content_sha256 == before.sha256
    _reject(item, ben)
    assert _standing(item) == Standing.REJECTED
    assert ReviewItem.objects.get(pk=item.pk).approvals == 0


def test_a_decision_on_another_text_than_was_shown_is_refused(item: ReviewItem, ada: User) -> None:
    seen = content_of(item).sha256
    _rewrite(_items(item.corpus)[0])
    with pytest.raises(TextChanged):
        _decide(item, ada, seen=seen)
    with pytest.raises(TextChanged):
        _comment(item, ada, "Hm.", seen=seen)
    assert not item.entries.exists()


def test_the_digest_covers_record_unit_and_sentence(item: ReviewItem) -> None:
    digests = {content_of(item).sha256}
    span = next(s for d in item.instance.documents for s in d["spans"] if s["unit"] == item.unit)
    span["end"] -= 1
    digests.add(content_of(item).sha256)
    item.instance.sha256 = "0" * 64
    digests.add(content_of(item).sha256)
    assert len(digests) == 3


def _comment(item: ReviewItem, person: User, text: str, **more: Any) -> ReviewEntry:
    content = content_of(item)
    anchor = more.pop("anchor", None) or find_quote(content, more.pop("quote", ""))
    settings = {"seen": content.sha256, "now": NOON}
    return comment_on(item, author=person, text=text, anchor=anchor, **{**settings, **more})


def test_a_comment_without_a_quote_is_on_the_sentence(item: ReviewItem, ada: User) -> None:
    entry = _comment(item, ada, "Too plain.")
    content = content_of(item)
    assert entry.quote == content.clause == entry.clause
    assert content.document.text[entry.start : entry.end] == content.clause
    assert _standing(item) == Standing.UNDECIDED


def _record(*texts: str) -> Content:
    """A record of papers with one clause, the first three letters of the first paper."""
    row = Instance(
        sha256="a" * 64,
        documents=[
            {"id": f"D{n}", "number": n, "channel": "letter", "heading": "", "text": text,
             "spans": [{"unit": "E1", "start": 0, "end": 3}] if n == 1 else []}
            for n, text in enumerate(texts, 1)
        ],
    )  # fmt: skip
    return content_of(ReviewItem(instance=row, unit="E1"))


@pytest.mark.parametrize(
    ("quote", "place"),
    [
        ("", ("D1", 0, 3)),
        ("the cutter", ("D1", 4, 14)),
        ("  the \n cutter ", ("D1", 4, 14)),
        ("👩‍🚒 came", ("D2", 3, 11)),
        ("E\u0301lodie", ("D2", 13, 20)),
        ("in two lines", ("D2", 22, 34)),
    ],
)
def test_quoted_words_are_found_in_code_points(quote: str, place: tuple[str, int, int]) -> None:
    content = _record(
        "Yes the cutter. No more.", "A. 👩‍🚒 came; E\u0301lodie: in\ntwo lines. No more."
    )
    anchor = find_quote(content, quote)
    assert (anchor.document, anchor.start, anchor.end) == place


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        ("the Cutter", "just as they are printed"),
        ("No more", "stand in 2 places"),
        (".*", "just as they are printed"),
        ("Elodie", "just as they are printed"),
        ("E", "whole letters"),
    ],
)
def test_words_that_stand_nowhere_or_twice_are_refused(quote: str, why: str) -> None:
    content = _record("Yes the cutter. No more.", "E\u0301lodie. No more.")
    with pytest.raises(BadInput, match=why):
        find_quote(content, quote)


@pytest.mark.parametrize(
    ("document", "start", "end"),
    [("D99", 0, 3), ("", 0, 3), ("D1", 3, 3), ("D1", 5, 3), ("D1", -1, 3), ("D1", 0, 10**9)],
)
def test_a_comment_on_a_place_that_is_not_there_is_refused(
    item: ReviewItem, ada: User, document: str, start: int, end: int
) -> None:
    with pytest.raises(BadInput):
        _comment(item, ada, "Here?", anchor=Anchor(document, start, end, "made up"))
    assert not item.entries.exists()


def test_the_quote_of_a_comment_is_read_from_the_document(item: ReviewItem, ada: User) -> None:
    document = content_of(item).document
    entry = _comment(item, ada, "Here.", anchor=Anchor(document.id, 0, 4, "made up"))
    assert entry.quote == document.text[:4]


@pytest.mark.parametrize("text", ["", " ", "x" * 4001])
def test_a_comment_says_something_and_not_too_much(item: ReviewItem, ada: User, text: str) -> None:
    with pytest.raises(BadInput):
        _comment(item, ada, text)


def test_what_is_open_to_somebody(corpus: Corpus, ada: User, ben: User) -> None:
    first, second, *rest = _items(corpus)

    def open_to(person: User, at: datetime = NOON) -> set[int]:
        rows = ReviewItem.objects.open_to(person, at)
        return set(rows.values_list("pk", flat=True))

    everything = {first.pk, second.pk, *(item.pk for item in rest)}
    assert open_to(ada) == everything
    _decide(first, ada)
    lock_item(second, reviewer=ben, now=NOON)
    assert open_to(ada) == everything - {first.pk, second.pk}
    assert open_to(ben) == everything
    assert open_to(ada, NOON + LOCK) == everything - {first.pk}
    _rewrite(first)
    assert first.pk in open_to(ada)
    Corpus.objects.update(created_by=ada)
    assert open_to(ada) == set()


def test_a_corpus_is_published_when_every_distractor_is_approved(
    corpus: Corpus, ada: User, ben: User
) -> None:
    def published() -> bool:
        listed = corpus in Corpus.objects.published()
        assert listed == Corpus.objects.get().is_published
        return listed

    assert published()  # Without required approvals, as soon as it is complete.
    Corpus.objects.update(required_approvals=1)
    items = _items(Corpus.objects.get())
    for item in items:
        assert not published()
        _decide(item, ada)
    assert published()
    _reject(items[0], ben)
    assert not published()
    _decide(items[0], ben)
    assert published()
    _rewrite(items[-1])
    assert not published()
    Corpus.objects.update(sha256="")
    assert not published()


def test_visitors_read_what_waits_for_nothing(corpus: Corpus, ada: User) -> None:
    visitor = AnonymousUser()
    assert corpus in Corpus.objects.readable_by(visitor)
    assert corpus.is_readable_by(visitor)
    Corpus.objects.update(required_approvals=1)
    corpus.refresh_from_db()
    assert corpus not in Corpus.objects.readable_by(visitor)
    assert not corpus.is_readable_by(visitor)
    assert corpus in Corpus.objects.readable_by(ada)
    assert corpus.is_readable_by(ada)
    for item in _items(Corpus.objects.get()):
        _decide(item, ada)
    assert corpus in Corpus.objects.readable_by(visitor)
    assert corpus.is_readable_by(visitor)


def test_items_are_spread_evenly_and_everybody_meets(corpus: Corpus, owner: User) -> None:
    people = [User.objects.create_user(f"reviewer-{n}") for n in range(4)]
    items = corpus.review_items.count()
    made = assign_items(corpus, reviewers=people, each=2, assigned_by=owner)
    assert made == 2 * items
    shares = [person.review_assignments.count() for person in people]
    assert max(shares) - min(shares) <= 1
    assert {item.assignments.count() for item in corpus.review_items.all()} == {2}


def test_assigning_again_only_fills_up(corpus: Corpus, owner: User, ada: User, ben: User) -> None:
    items = corpus.review_items.count()

    def assign(people: list[User], each: int) -> int:
        return assign_items(corpus, reviewers=people, each=each, assigned_by=owner)

    assert assign([ada], 1) == items
    assert assign([ada, ben], 1) == 0
    assert assign([ada, ben], 2) == items
    assert assign([ada, ben], 2) == 0
    assert ben.review_assignments.count() == items


def test_an_assignment_that_cannot_be_had_is_refused(
    corpus: Corpus, owner: User, ada: User
) -> None:
    Corpus.objects.update(created_by=ada)
    corpus.refresh_from_db()
    for people, each, field in (
        ([], 1, "each"),
        ([owner], 2, "each"),
        ([owner, ada], 1, "reviewers"),
    ):
        with pytest.raises(BadInput) as refused:
            assign_items(corpus, reviewers=people, each=each, assigned_by=owner)
        assert refused.value.field == field
    assert reviewers_of(corpus) == [owner]
    assert may_assign(ada, corpus)
    assert may_assign(owner, corpus)
    assert not may_assign(User.objects.create_user("guest"), corpus)
