"""How far the review of a corpus has come, who has judged how much, and how far they agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count, Exists, OuterRef, Q

from worlds.models import (
    DECISIONS,
    Corpus,
    Instance,
    ReviewAssignment,
    ReviewEntry,
    Said,
    Standing,
    standing_of,
)
from worlds.services.agreement import Agreement, agreement_of

__all__ = ["Progress", "ReviewerShare", "progress_of"]


@dataclass(frozen=True, slots=True)
class ReviewerShare:
    """What one person was asked to judge and has judged of the text as it stands."""

    name: str
    asked: int
    asked_and_judged: int
    judged: int
    comments: int

    @property
    def left(self) -> int:
        """How many items the person was asked about and has not judged."""
        return self.asked - self.asked_and_judged


@dataclass(frozen=True, slots=True)
class Progress:
    """How many items of a corpus have which `Standing`, zeros included."""

    total: int
    standing: Mapping[Standing, int]
    reviewers: tuple[ReviewerShare, ...]
    agreement: Agreement

    @property
    def open(self) -> int:
        """How many items are not approved."""
        return self.total - self.standing[Standing.APPROVED]


def progress_of(corpus: Corpus) -> Progress:
    """Read the progress of a corpus; five queries, however large it is."""
    verdicts = Counter(corpus.review_items.count_by_verdicts())
    outdated = Counter(corpus.review_items.outdated().count_by_verdicts())
    current = verdicts - outdated
    standing = dict.fromkeys(Standing, 0) | {Standing.OUTDATED: outdated.total()}
    for (approvals, rejections), n in current.items():
        standing[standing_of(approvals, rejections, required=corpus.required_approvals)] += n
    reviewers = _reviewers(corpus)
    return Progress(
        total=verdicts.total(),
        standing=standing,
        reviewers=reviewers,
        agreement=agreement_of(
            current,
            reviewers=sum(share.judged > 0 for share in reviewers),
            seed=corpus.seed,
        ),
    )


def _reviewers(corpus: Corpus) -> tuple[ReviewerShare, ...]:
    """Everybody who was asked or has said something, in the order of their names."""
    current = Instance.objects.filter(corpus=corpus, sha256=OuterRef("instance_sha256"))
    wish = ReviewAssignment.objects.filter(item=OuterRef("item"), reviewer=OuterRef("author"))
    judged = Q(said__in=DECISIONS)
    said = (
        ReviewEntry.objects.filter(Exists(current), item__corpus=corpus)
        .annotate(was_asked=Exists(wish))
        .order_by()
        .values_list("author")
        .annotate(
            judged_of_asked=Count("item", distinct=True, filter=judged & Q(was_asked=True)),
            judged=Count("item", distinct=True, filter=judged),
            comments=Count("pk", filter=Q(said=Said.COMMENT)),
        )
    )
    asked = ReviewAssignment.objects.filter(item__corpus=corpus).order_by().values_list("reviewer")
    answers = {author: numbers for author, *numbers in said}
    wishes = dict(asked.annotate(n=Count("pk")))
    people = User.objects.filter(pk__in=answers.keys() | wishes.keys()).order_by("username")
    return tuple(
        ReviewerShare(name, wishes.get(pk, 0), *answers.get(pk, (0, 0, 0)))
        for pk, name in people.values_list("pk", "username")
    )
