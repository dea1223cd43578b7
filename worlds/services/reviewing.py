"""Judge distractors: lock an item, decide, comment, ask people to.

Whatever is said is a new row and is about one text: its digest goes with it, and when the record
has another, the decision counts for nothing. A lock is a date in the future; it needs no release
and no sweeper.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from worlds.core.codec import digest
from worlds.core.errors import BadInput, EnigmaError, SpanLost
from worlds.core.instance import Document
from worlds.core.prose.spans import at_grapheme
from worlds.models import (
    DECISIONS,
    Corpus,
    ReviewEntry,
    ReviewItem,
    Said,
)
from worlds.services.instances import documents_of

__all__ = [
    "LOCK",
    "Anchor",
    "Content",
    "ItemLocked",
    "OwnCorpus",
    "ReviewRefused",
    "TextChanged",
    "comment_on",
    "content_of",
    "decide",
    "find_quote",
    "lock_item",
    "may_judge",
    "release_item",
]

LOCK = timedelta(minutes=10)
MOST_CHARACTERS = 4000


class ReviewRefused(EnigmaError):
    """What somebody wanted to say of an item cannot be taken now; the message says why."""


class ItemLocked(ReviewRefused):
    """Somebody else is at work on the item: `by` whom and `until` when."""

    def __init__(self, by: str, until: datetime) -> None:
        self.by = by
        self.until = until
        super().__init__(f"{by} has this item until {until:%H:%M} UTC.")


class OwnCorpus(ReviewRefused):
    """The reviewer made the corpus."""

    def __init__(self) -> None:
        super().__init__("You forged this corpus. Somebody else has to judge its distractors.")


class TextChanged(ReviewRefused):
    """The record is not the one that the reviewer was shown."""

    def __init__(self) -> None:
        super().__init__(
            "The text has changed since you opened it. Read it again; nothing was stored."
        )


@dataclass(frozen=True, slots=True)
class Content:
    """What a reviewer judges, and its digest: the record, the unit and the sentence."""

    documents: tuple[Document, ...]
    document: Document
    start: int
    clause: str
    instance_sha256: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Anchor:
    """Words of a document: `start` and `end` count code points of its text."""

    document: str
    start: int
    end: int
    quote: str

    @classmethod
    def at(cls, documents: Iterable[Document], document: str, start: int, end: int) -> Anchor:
        """The words at a place; raises BadInput for a place that the record does not have."""
        for each in documents:
            if each.id == document:
                break
        else:
            raise BadInput("quote", document, "a paper of this record")
        text = each.text
        if not 0 <= start < end <= len(text):
            raise BadInput("quote", f"{start} to {end}", f"a place from 0 to {len(text)}")
        if not (at_grapheme(text, start) and at_grapheme(text, end)):
            raise BadInput("quote", text[start:end], "whole letters, with their accents")
        return cls(document, start, end, text[start:end])


def may_judge(user: User, corpus: Corpus) -> bool:
    """Whether this person may approve or reject: whoever did not make the corpus."""
    return corpus.created_by_id != user.pk


def lock_item(item: ReviewItem, *, reviewer: User, now: datetime) -> bool:
    """Take or renew the lock on an item; False while somebody else has it.

    The item says afterwards who has it and until when. Of two people at once one gets it.
    """
    rows = ReviewItem.objects.filter(pk=item.pk).free_for(reviewer, now)
    taken = rows.update(locked_by=reviewer, locked_until=now + LOCK)
    item.refresh_from_db(fields=("locked_by", "locked_until"))
    return taken == 1


def release_item(item: ReviewItem, *, reviewer: User) -> None:
    """Give up one's lock, if one has it."""
    ReviewItem.objects.filter(pk=item.pk, locked_by=reviewer).update(
        locked_by=None, locked_until=None
    )


def content_of(item: ReviewItem) -> Content:
    """What is to be judged, as it stands now; no query if the instance is loaded.

    Raises SpanLost if no document holds the unit.
    """
    documents = documents_of(item.instance.documents)
    for document in documents:
        for span in document.spans:
            if span.unit == item.unit:
                clause = document.clause(span)
                record = item.instance.sha256
                sha256 = digest([record, item.unit, clause])
                return Content(documents, document, span.start, clause, record, sha256)
    raise SpanLost(item.instance.sample_id, item.unit)


def decide(
    item: ReviewItem, *, reviewer: User, said: Said, reason: str = "", seen: str, now: datetime
) -> ReviewEntry:
    """Approve or reject an item, and let go of it; `seen` is the digest of what was judged.

    The same person's later decision on the same text takes the place of the earlier one. Raises
    BadInput for a rejection without a reason, and ReviewRefused.
    """
    text = _checked("reason", reason) if said == Said.REJECT else reason.strip()
    if not may_judge(reviewer, item.corpus):
        raise OwnCorpus
    with transaction.atomic():
        rows = ReviewItem.objects.filter(pk=item.pk).free_for(reviewer, now)
        if not rows.update(locked_by=None, locked_until=None):
            raise _locked(item)
        content = _fresh(item, seen)
        entry = _say(item, content, author=reviewer, said=said, text=text, created=now)
        _count(item, content)
    return entry


def comment_on(
    item: ReviewItem, *, author: User, text: str, anchor: Anchor, seen: str, now: datetime
) -> ReviewEntry:
    """Say something about words of the record; needs no lock and decides nothing.

    Raises BadInput for an empty comment or words that are not there, and TextChanged.
    """
    words = _checked("comment", text)
    with transaction.atomic():
        content = _fresh(item, seen)
        placed = Anchor.at(content.documents, anchor.document, anchor.start, anchor.end)
        return _say(
            item, content, author=author, said=Said.COMMENT, text=words, created=now,
            document=placed.document, start=placed.start, end=placed.end, quote=placed.quote,
        )  # fmt: skip


def find_quote(content: Content, quote: str) -> Anchor:
    """Where the quoted words stand; without a quote, the sentence that is judged.

    Raises BadInput for words that stand nowhere, or in more than one place.
    """
    words = quote.split()
    if not words:
        end = content.start + len(content.clause)
        return Anchor.at(content.documents, content.document.id, content.start, end)
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    found = [
        (document.id, *match.span())
        for document in content.documents
        for match in pattern.finditer(document.text)
    ]
    if len(found) == 1:
        return Anchor.at(content.documents, *found[0])
    expected = "words of one paper, just as they are printed"
    if found:
        expected = f"more of the sentence, since these words stand in {len(found)} places"
    raise BadInput("quote", " ".join(words), expected)


def _fresh(item: ReviewItem, seen: str) -> Content:
    """The content as it is in the database, if it is what was seen; costs a query."""
    item.instance.refresh_from_db(fields=("documents", "sha256"))
    content = content_of(item)
    if content.sha256 != seen:
        raise TextChanged
    return content


def _say(
    item: ReviewItem, content: Content, *, author: User, said: Said, text: str, **more: Any
) -> ReviewEntry:
    return ReviewEntry.objects.create(
        item=item,
        author=author,
        said=said,
        text=text,
        clause=content.clause,
        instance_sha256=content.instance_sha256,
        content_sha256=content.sha256,
        **more,
    )


def _count(item: ReviewItem, content: Content) -> None:
    """Set what the item's decisions come to: the last one of each person, on this text alone."""
    entries = item.entries.filter(said__in=DECISIONS, content_sha256=content.sha256)
    last = dict(entries.order_by("pk").values_list("author", "said"))
    counted = Counter(last.values())
    ReviewItem.objects.filter(pk=item.pk).update(
        judged_sha256=content.instance_sha256,
        approvals=counted[Said.APPROVE],
        rejections=counted[Said.REJECT],
    )


def _locked(item: ReviewItem) -> ItemLocked:
    item.refresh_from_db(fields=("locked_by", "locked_until"))
    assert item.locked_by is not None
    assert item.locked_until is not None
    return ItemLocked(item.locked_by.get_username(), item.locked_until)


def _checked(field: str, text: str) -> str:
    words = text.strip()
    if not words:
        raise BadInput(field, "nothing", "a few words")
    if len(words) > MOST_CHARACTERS:
        raise BadInput(field, f"{len(words):,} characters", f"at most {MOST_CHARACTERS:,}")
    return words
