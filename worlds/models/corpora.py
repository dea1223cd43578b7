"""Rows of worlds: a corpus holds families, a family its instances.

The truth and the certificate of a world are stored once, with its family; an instance holds only
what its surface adds. Nothing here is counted in a column: how far a corpus has come follows from
its rows and its job. The database itself refuses a family that is not proved.
"""

from __future__ import annotations

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import models
from django.db.models import Case, Exists, Func, OuterRef, Q, Subquery, Value, When
from django.urls import reverse
from django.utils import timezone

from worlds.core.ids import CONDITIONS
from worlds.core.mint import STORY_CONDITIONS, SURFACES
from worlds.core.seeds import MAX_SEED

__all__ = [
    "MOST_APPROVALS",
    "NARRATORS",
    "PROVED",
    "Corpus",
    "CorpusQuerySet",
    "CorpusSurvey",
    "Family",
    "FamilyQuerySet",
    "ForgingCost",
    "Instance",
    "InstanceQuerySet",
    "LostFamily",
]

PROVED = "proved"
MOST_APPROVALS = 9
"""How many approvals a corpus can require at most."""

NARRATORS = ("seeded", "chat")
"""Who can tell the stories of a corpus."""


class CorpusQuerySet(models.QuerySet["Corpus"]):
    """Questions asked of the corpora."""

    def complete(self) -> CorpusQuerySet:
        """Return the corpora whose content is final: they have a hash."""
        return self.exclude(sha256="")

    def published(self) -> CorpusQuerySet:
        """Return the complete corpora that nothing holds back; only these are uploaded to."""
        return self.complete().filter(Q(required_approvals=0) | ~_held_back())

    def with_publication(self) -> CorpusQuerySet:
        """Add `waits_for_review`: whether a distractor still lacks an approval it must have."""
        # By case: a database may look at both sides of an "and", and one of them is long.
        waits = Case(When(required_approvals__gt=0, then=_held_back()), default=Value(value=False))
        return self.annotate(waits_for_review=waits)

    def readable_by(self, user: User | AnonymousUser) -> CorpusQuerySet:
        """Return all for who is signed in; a visitor sees none that still waits for approval."""
        if user.is_authenticated:
            return self.all()
        return self.filter(Q(required_approvals=0) | (~Q(sha256="") & ~_held_back()))

    def with_counts(self) -> CorpusQuerySet:
        """Add `stored_families`, `stored_instances` and `lost_families` to each corpus."""
        return self.annotate(
            stored_families=_counted(Family),
            stored_instances=_counted(Instance),
            lost_families=_counted(LostFamily),
        )


class Corpus(models.Model):
    """A set of families that belong together: one seed, some levels and genres."""

    slug = models.SlugField(max_length=64, unique=True)
    title = models.CharField(max_length=120)
    profile = models.CharField(max_length=16)
    seed = models.PositiveBigIntegerField()
    levels = models.JSONField()
    genres = models.JSONField()
    burials = models.JSONField(
        default=list, blank=True, help_text="At which burials its families are told as stories too."
    )
    narrator = models.CharField(
        max_length=8,
        default="seeded",
        choices=[(name, name) for name in NARRATORS],
        help_text="Who tells its stories: the seed, or a chat model that no seed reproduces.",
    )
    family_count = models.PositiveIntegerField()
    required_approvals = models.PositiveSmallIntegerField(
        default=0,
        help_text="How many people must approve each distractor before the corpus is published.",
    )
    sha256 = models.CharField(
        max_length=64,
        blank=True,
        help_text="Of the canonical content; blank until every family is stored.",
    )
    created = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="corpora",
    )

    objects = CorpusQuerySet.as_manager()

    class Meta:
        ordering = ("created", "pk")
        verbose_name_plural = "corpora"
        constraints = (
            models.CheckConstraint(condition=Q(seed__lte=MAX_SEED), name="worlds_corpus_seed"),
            models.CheckConstraint(
                condition=Q(family_count__gte=1), name="worlds_corpus_has_families"
            ),
            models.CheckConstraint(
                condition=Q(required_approvals__lte=MOST_APPROVALS), name="worlds_corpus_approvals"
            ),
            models.CheckConstraint(
                condition=Q(narrator__in=NARRATORS), name="worlds_corpus_narrator"
            ),
        )

    def __str__(self) -> str:
        return self.slug

    def get_absolute_url(self) -> str:
        """Return the page of the corpus."""
        return reverse("worlds:corpus_detail", args=(self.slug,))

    @property
    def is_complete(self) -> bool:
        """Say whether the content is final."""
        return bool(self.sha256)

    @property
    def surface_count(self) -> int:
        """How many surfaces a family of it has."""
        return len(SURFACES) + len(STORY_CONDITIONS) * len(self.burials)

    @property
    def requires_review(self) -> bool:
        """Say whether people must approve the distractors before the corpus is published."""
        return self.required_approvals > 0

    @property
    def is_published(self) -> bool:
        """Say whether solvers may be graded on it; runs a query if it requires review."""
        if not (self.is_complete and self.requires_review):
            return self.is_complete
        return not self.review_items.holding_back().exists()

    def is_readable_by(self, user: User | AnonymousUser) -> bool:
        """Say whether `readable_by` has it; runs a query for visitors if it requires review."""
        return user.is_authenticated or not self.requires_review or self.is_published

    @property
    def job_key(self) -> str:
        """What the job that forges this corpus is filed under."""
        return f"forge_corpus:{self.slug}"

    @property
    def survey_key(self) -> str:
        """What the job that surveys this corpus is filed under."""
        return f"survey_corpus:{self.slug}"


class CorpusSurvey(models.Model):
    """How a complete corpus reads: whether it repeats itself, and whether its form tells anything.

    Computed once, by a job; `report` is `enigmaforge.survey/1`.
    """

    corpus = models.OneToOneField(Corpus, on_delete=models.CASCADE, related_name="survey")
    corpus_sha256 = models.CharField(max_length=64, help_text="The content that was surveyed.")
    source_sha256 = models.CharField(max_length=64, help_text="The code that surveyed it.")
    report = models.JSONField()
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("corpus",)
        verbose_name = "survey of a corpus"
        verbose_name_plural = "surveys of corpora"

    def __str__(self) -> str:
        return f"survey of {self.corpus_id}"


class FamilyQuerySet(models.QuerySet["Family"]):
    """Questions asked of the families."""

    def without_truth(self) -> FamilyQuerySet:
        """Leave the truth and the certificate in the database."""
        return self.defer("truth", "certificate")


class Family(models.Model):
    """A certified world. `place` is where it stands in its corpus, from 0."""

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="families")
    place = models.PositiveIntegerField()
    family_id = models.CharField(max_length=64)
    profile = models.CharField(max_length=16)
    level = models.CharField(max_length=3)
    genre = models.CharField(max_length=16)
    seed = models.PositiveBigIntegerField()
    fingerprint = models.CharField(max_length=64)
    truth = models.JSONField()
    certificate = models.JSONField()
    certificate_status = models.CharField(max_length=16)
    attempts = models.PositiveSmallIntegerField(help_text="Sub-streams tried, this one included.")
    deaths = models.JSONField(help_text="Why the earlier attempts died: reason to count.")
    source_sha256 = models.CharField(max_length=64)
    clue_count = models.PositiveSmallIntegerField()
    distractor_count = models.PositiveSmallIntegerField()
    rounds = models.PositiveSmallIntegerField(help_text="Of unit propagation: the chain's depth.")
    created = models.DateTimeField(default=timezone.now)

    objects = FamilyQuerySet.as_manager()

    class Meta:
        ordering = ("corpus", "place")
        verbose_name_plural = "families"
        constraints = (
            models.CheckConstraint(
                condition=Q(certificate_status=PROVED), name="worlds_family_is_proved"
            ),
            # Of what the certificate says itself. A comparison with nothing would pass as unknown.
            models.CheckConstraint(
                condition=Q(certificate__status__isnull=False) & Q(certificate__status=PROVED),
                name="worlds_family_certificate_is_proved",
            ),
            models.CheckConstraint(condition=Q(seed__lte=MAX_SEED), name="worlds_family_seed"),
            models.UniqueConstraint(fields=("corpus", "place"), name="worlds_family_place"),
            models.UniqueConstraint(fields=("corpus", "family_id"), name="worlds_family_id"),
            models.UniqueConstraint(
                fields=("corpus", "fingerprint"), name="worlds_family_fingerprint"
            ),
        )
        indexes = (
            # What the page of a corpus says of its levels, without reading the families.
            models.Index(
                fields=(
                    "corpus", "level", "clue_count", "distractor_count", "rounds", "attempts"
                ),
                name="worlds_family_shape",
            ),
        )  # fmt: skip

    def __str__(self) -> str:
        return self.family_id


class ForgingCost(models.Model):
    """What one part of forging one family took on this machine.

    `part` is `world` (forging and proving it), `papers` (its surfaces in papers and notation) or a
    burial (its story).
    """

    profile = models.CharField(max_length=16)
    level = models.CharField(max_length=3)
    part = models.CharField(max_length=8)
    seconds = models.FloatField(help_text="Of one processor.")
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("pk",)
        indexes = (
            models.Index(fields=("profile", "level", "part", "seconds"), name="worlds_cost"),
        )

    def __str__(self) -> str:
        return f"{self.part} of {self.profile} {self.level}: {self.seconds:.2f} s"


class LostFamily(models.Model):
    """A family that could not be forged, and why; the one at the same place stands in for it."""

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="lost")
    place = models.PositiveIntegerField()
    family_id = models.CharField(max_length=64)
    reason = models.TextField()
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("corpus", "place", "pk")
        verbose_name_plural = "lost families"
        constraints = (
            models.UniqueConstraint(fields=("corpus", "family_id"), name="worlds_lost_family_id"),
        )

    def __str__(self) -> str:
        return self.family_id


class InstanceQuerySet(models.QuerySet["Instance"]):
    """Questions asked of the instances."""

    def in_corpus(self, slug: str) -> InstanceQuerySet:
        """Return the instances of the corpus of that name."""
        return self.filter(corpus__slug=slug)

    def at_level(self, level: str) -> InstanceQuerySet:
        """Return those of one level."""
        return self.filter(level=level)

    def in_genre(self, genre: str) -> InstanceQuerySet:
        """Return those of one genre."""
        return self.filter(genre=genre)

    def in_condition(self, condition: str) -> InstanceQuerySet:
        """Return those of one condition."""
        return self.filter(condition=condition)

    def told_at(self, burial: int | None) -> InstanceQuerySet:
        """Return the stories of one burial; None gives what is no story."""
        return self.filter(burial=burial)

    def reading_order(self) -> InstanceQuerySet:
        """Order by level and family, then by condition and realization.

        Families are stored in the order of their places; by key the order needs no join.
        """
        return self.order_by("level", "family_id", "condition", "realization", "pk")

    def for_lists(self) -> InstanceQuerySet:
        """Load what a row of a list shows, and neither texts nor truth."""
        return self.only(
            "corpus",
            "sample_id",
            "level",
            "genre",
            "condition",
            "realization",
            "burial",
            "narrator",
        )

    def with_truth(self) -> InstanceQuerySet:
        """Load corpus and family along, with the truth and the certificate."""
        return self.select_related("corpus", "family")

    def without_truth(self) -> InstanceQuerySet:
        """Load corpus and family along, and leave the truth in the database."""
        truth = ("family__truth", "family__certificate", "narration")
        return self.select_related("corpus", "family").defer(*truth)


class Instance(models.Model):
    """A family in one surface: what a model receives.

    `documents` is the instance JSON's, spans included: it is truth and not for visitors.
    """

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="instances")
    family = models.ForeignKey(Family, on_delete=models.CASCADE, related_name="instances")
    sample_id = models.CharField(max_length=64)
    level = models.CharField(max_length=3)
    genre = models.CharField(max_length=16)
    condition = models.CharField(max_length=8, choices=[(c, c) for c in CONDITIONS.values()])
    realization = models.PositiveSmallIntegerField()
    burial = models.PositiveSmallIntegerField(null=True, blank=True)
    contract = models.CharField(max_length=8)
    narrator = models.CharField(max_length=64)
    prompt = models.TextField()
    documents = models.JSONField()
    narration = models.JSONField(
        null=True,
        blank=True,
        help_text="How a chat model told it: model, prompts, replies, refusals. Truth as well.",
    )
    sha256 = models.CharField(max_length=64, help_text="Of the canonical instance JSON.")

    objects = InstanceQuerySet.as_manager()

    class Meta:
        ordering = ("corpus", "pk")
        constraints = (
            models.UniqueConstraint(fields=("corpus", "sample_id"), name="worlds_instance_id"),
            models.CheckConstraint(
                condition=Q(condition__in=tuple(CONDITIONS.values())),
                name="worlds_instance_condition_is_known",
            ),
        )
        indexes = (
            # A page of a long list is found by an index alone, whatever it is filtered by.
            models.Index(
                fields=("corpus", "level", "family", "condition", "realization"),
                name="worlds_instance_level",
            ),
            models.Index(
                fields=("corpus", "condition", "level", "family", "realization"),
                name="worlds_instance_condition",
            ),
            models.Index(
                fields=("corpus", "genre", "level", "family", "condition", "realization"),
                name="worlds_instance_genre",
            ),
            models.Index(
                fields=("corpus", "condition", "genre", "level", "family", "realization"),
                name="worlds_instance_narrowed",
            ),
            # Whether a text that somebody judged is still there.
            models.Index(fields=("corpus", "sha256"), name="worlds_instance_sha256"),
        )

    def __str__(self) -> str:
        return self.sample_id

    def get_absolute_url(self) -> str:
        """Return the page of the instance; costs a query unless the corpus is loaded."""
        return reverse("worlds:instance_detail", args=(self.corpus.slug, self.sample_id))

    @property
    def told_as(self) -> str:
        """Say how the world is written out: in papers, in notation or as a story."""
        if self.burial is not None:
            by = ", by a model" if self.narrator == "chat" else ""
            return f"story, burial {self.burial}{by}"
        return "notation" if self.condition == "formal" else "papers"


def _held_back() -> Exists:
    """Whether a distractor of the corpus still lacks an approval that the corpus requires."""
    items = apps.get_model("worlds", "ReviewItem").objects.holding_back()
    return Exists(items.filter(corpus=OuterRef("pk")))


def _counted(model: type[models.Model]) -> Subquery:
    """Count a model's rows of each corpus; joins would multiply each other.

    As a function, not an aggregate, it groups nothing: SQLite counts three times as fast.
    """
    rows = model._default_manager.filter(corpus=OuterRef("pk")).order_by()
    counted = Func(template="COUNT(*)", output_field=models.IntegerField())
    return Subquery(rows.annotate(n=counted).values("n"))
