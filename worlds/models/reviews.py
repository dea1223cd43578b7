"""Rows of the distractor review: what is to be judged, by whom, and what was said.

An item is one distractor in one record; it is stored with its family and weighs a few bytes. What
people say of it is a `ReviewEntry`, and the database itself refuses to change or delete one. An
item's `approvals` and `rejections` are never typed: they are counted from its entries whenever one
is added, and stand for the text whose digest is `judged_sha256`. When the record has another
digest, they are outdated and count for nothing.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import Case, Count, Exists, F, OuterRef, Q, Value, When
from django.urls import reverse
from django.utils import timezone

from worlds.models.corpora import Corpus, Family, Instance

__all__ = [
    "DECISIONS",
    "DISTRACTOR_KINDS",
    "ReviewAssignment",
    "ReviewEntry",
    "ReviewItem",
    "ReviewItemQuerySet",
    "Said",
    "Standing",
    "standing_of",
]

DISTRACTOR_KINDS = ("false", "idle")


class Standing(models.TextChoices):
    """What the decisions on an item come to."""

    UNDECIDED = "undecided", "undecided"
    PARTIAL = "partial", "needs more approvals"
    APPROVED = "approved", "approved"
    REJECTED = "rejected", "rejected"
    DISPUTED = "disputed", "disputed"
    OUTDATED = "outdated", "outdated"


class Said(models.TextChoices):
    """What an entry says."""

    APPROVE = "approve", "approved"
    REJECT = "reject", "rejected"
    COMMENT = "comment", "commented"


DECISIONS = (Said.APPROVE, Said.REJECT)


class ReviewItemQuerySet(models.QuerySet["ReviewItem"]):
    """Questions asked of the items."""

    def with_standing(self) -> ReviewItemQuerySet:
        """Add `standing`, one of `Standing`."""
        return self.annotate(standing=_standing())

    def in_standing(self, standing: str) -> ReviewItemQuerySet:
        """Return those of one standing."""
        return self.filter(_rules()[Standing(standing)])

    def count_by_verdicts(self) -> dict[tuple[int, int], int]:
        """Count the items by their approvals and rejections; the index alone answers."""
        rows = self.order_by().values_list("approvals", "rejections").annotate(n=Count("pk"))
        return {(approvals, rejections): n for approvals, rejections, n in rows}

    def outdated(self) -> ReviewItemQuerySet:
        """Return the items whose decisions are about a text that is no longer there."""
        return self.filter(_rules()[Standing.OUTDATED])

    def holding_back(self) -> ReviewItemQuerySet:
        """Return the items for which a corpus that requires approval is not published."""
        return self.filter(
            Q(approvals__lt=F("corpus__required_approvals"))
            | Q(rejections__gt=0)
            | _rules()[Standing.OUTDATED]
        )

    def undecided_by(self, user: User) -> ReviewItemQuerySet:
        """Return the items that this person has not judged as their text stands."""
        return self.filter(~_decided_by(user))

    def assigned_to(self, user: User) -> ReviewItemQuerySet:
        """Return the items that this person was asked to judge."""
        asked = ReviewAssignment.objects.filter(item=OuterRef("pk"), reviewer=user.pk)
        return self.filter(Exists(asked))

    def open_to(self, user: User, now: datetime) -> ReviewItemQuerySet:
        """Return what this person may judge, has not judged, and nobody else has locked."""
        return (
            self.undecided_by(user)
            .exclude(corpus__created_by=user.pk)
            .exclude(Q(locked_until__gt=now) & ~Q(locked_by=user.pk))
        )

    def free_for(self, user: User, now: datetime) -> ReviewItemQuerySet:
        """Return the items that nobody else has locked."""
        return self.filter(
            Q(locked_until=None) | Q(locked_until__lte=now) | Q(locked_by=user.pk),
        )


class ReviewItem(models.Model):
    """One distractor as one record words it. The instance is one of those that share the record."""

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="review_items")
    family = models.ForeignKey(Family, on_delete=models.CASCADE, related_name="review_items")
    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="review_items")
    unit = models.CharField(max_length=8)
    kind = models.CharField(max_length=8, choices=[(k, k) for k in DISTRACTOR_KINDS])
    level = models.CharField(max_length=3)
    genre = models.CharField(max_length=16)
    judged_sha256 = models.CharField(max_length=64, blank=True)
    approvals = models.PositiveSmallIntegerField(default=0)
    rejections = models.PositiveSmallIntegerField(default=0)
    locked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    locked_until = models.DateTimeField(null=True, blank=True)

    objects = ReviewItemQuerySet.as_manager()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("instance", "unit"), name="worlds_review_item"),
        )
        indexes = (
            models.Index(
                fields=("corpus", "approvals", "rejections", "judged_sha256"),
                name="worlds_review_standing",
            ),
            models.Index(fields=("corpus", "level", "genre", "kind"), name="worlds_review_filter"),
        )

    def __str__(self) -> str:
        return f"{self.unit} of {self.instance}"

    def get_absolute_url(self) -> str:
        """Return the page on which the item is judged."""
        return reverse("worlds:review_item", args=(self.pk,))


class ReviewAssignment(models.Model):
    """A person who has been asked to judge an item."""

    item = models.ForeignKey(ReviewItem, on_delete=models.CASCADE, related_name="assignments")
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="review_assignments"
    )
    assigned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("reviewer", "item"), name="worlds_review_assignment"),
        )

    def __str__(self) -> str:
        return f"{self.reviewer} on {self.item}"


class ReviewEntry(models.Model):
    """What somebody said of an item, and the text it is about. Never changed, never deleted.

    `clause` is the sentence as it stood, `content_sha256` the digest of what the reader was shown.
    `start` and `end` count code points of the document's text; a decision has no anchor.
    """

    item = models.ForeignKey(ReviewItem, on_delete=models.PROTECT, related_name="entries")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="review_entries"
    )
    said = models.CharField(max_length=8, choices=Said.choices)
    text = models.TextField(blank=True)
    document = models.CharField(max_length=8, blank=True)
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    quote = models.TextField(blank=True)
    clause = models.TextField()
    instance_sha256 = models.CharField(max_length=64)
    content_sha256 = models.CharField(max_length=64)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("pk",)
        verbose_name_plural = "review entries"
        constraints = (
            models.CheckConstraint(condition=Q(said__in=Said.values), name="worlds_review_said"),
            models.CheckConstraint(
                condition=Q(said=Said.APPROVE) | ~Q(text=""), name="worlds_review_has_a_reason"
            ),
            models.CheckConstraint(
                condition=(
                    Q(said=Said.COMMENT, start__isnull=False, end__gt=F("start")) & ~Q(document="")
                )
                | (
                    ~Q(said=Said.COMMENT)
                    & Q(start__isnull=True, end__isnull=True, document="", quote="")
                ),
                name="worlds_review_anchor",
            ),
        )
        indexes = (models.Index(fields=("author", "said", "item"), name="worlds_review_author"),)

    def __str__(self) -> str:
        return f"{self.author} {self.get_said_display()} {self.item}"


def standing_of(approvals: int, rejections: int, *, required: int) -> Standing:
    """What decisions on the text as it stands come to, in a corpus that requires so many."""
    if approvals == rejections == 0:
        return Standing.UNDECIDED
    if rejections:
        return Standing.DISPUTED if approvals else Standing.REJECTED
    return Standing.APPROVED if approvals >= required else Standing.PARTIAL


def _rules() -> dict[Standing, Q]:
    """The same for the database; of these exactly one is true of an item."""
    current = ~Q(judged_sha256="") & Q(_up_to_date())
    needed = F("corpus__required_approvals")
    return {
        Standing.UNDECIDED: Q(judged_sha256=""),
        Standing.REJECTED: Q(approvals=0, rejections__gt=0) & current,
        Standing.DISPUTED: Q(approvals__gt=0, rejections__gt=0) & current,
        Standing.PARTIAL: Q(approvals__gt=0, approvals__lt=needed, rejections=0) & current,
        Standing.APPROVED: Q(approvals__gt=0, approvals__gte=needed, rejections=0) & current,
        Standing.OUTDATED: ~Q(judged_sha256="") & ~Q(_up_to_date()),
    }


def _standing() -> Case:
    return Case(
        *(When(rule, then=Value(standing)) for standing, rule in _rules().items()),
        output_field=models.CharField(),
    )


def _up_to_date() -> Exists:
    """Whether some record of the corpus still has the digest that was judged.

    A digest is of one instance only, so the index answers without reading a record.
    """
    return Exists(
        Instance.objects.filter(corpus=OuterRef("corpus"), sha256=OuterRef("judged_sha256"))
    )


def _decided_by(user: User) -> Q:
    """A decision of this person on the text that the item's counts are about, still current."""
    mine = ReviewEntry.objects.filter(
        item=OuterRef("pk"),
        author=user.pk,
        said__in=DECISIONS,
        instance_sha256=OuterRef("judged_sha256"),
    )
    return Q(Exists(mine)) & Q(_up_to_date())
