"""How far the review of a corpus has come, who has judged how much, and how far they agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q

from worlds.models import (
    DECISIONS,
    Corpus,
    Instance,
    ReviewAssignment,
    ReviewEntry,
    Said,
    Standing,
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
    counted = corpus.review_items.count_by_standing()
    reviewers = _reviewers(corpus)
    return Progress(
        total=sum(counted.values()),
        standing={standing: counted.get(standing, 0) for standing in Standing},
        reviewers=reviewers,
        agreement=agreement_of(
            _verdicts(corpus),
            reviewers=sum(share.judged > 0 for share in reviewers),
            seed=corpus.seed,
        ),
    )


def _verdicts(corpus: Corpus) -> Mapping[tuple[int, int], int]:
    """How many items have so many approvals and so many rejections."""
    rows = corpus.review_items.up_to_date().order_by().values_list("approvals", "rejections")
    return {(approvals, no): n for approvals, no, n in rows.annotate(n=Count("pk"))}


def _reviewers(corpus: Corpus) -> tuple[ReviewerShare, ...]:
    """Everybody who was asked or has said something, in the order of their names."""
    current = Instance.objects.filter(corpus=corpus, sha256=OuterRef("instance_sha256"))
    said = ReviewEntry.objects.filter(Exists(current), item__corpus=corpus)
    mine = said.filter(item=OuterRef("item"), author=OuterRef("reviewer"), said__in=DECISIONS)
    asked = (
        ReviewAssignment.objects.filter(item__corpus=corpus)
        .annotate(is_judged=Exists(mine))
        .order_by()
        .values_list("reviewer__username")
        .annotate(asked=Count("pk"), judged=Count("pk", filter=Q(is_judged=True)))
    )
    spoken = (
        said.order_by()
        .values_list("author__username")
        .annotate(
            judged=Count("item", distinct=True, filter=Q(said__in=DECISIONS)),
            comments=Count("pk", filter=Q(said=Said.COMMENT)),
        )
    )
    requests = {name: numbers for name, *numbers in asked}
    answers = {name: numbers for name, *numbers in spoken}
    return tuple(
        ReviewerShare(name, *requests.get(name, (0, 0)), *answers.get(name, (0, 0)))
        for name in sorted(requests.keys() | answers.keys())
    )
