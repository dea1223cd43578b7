"""Rows of grading: a submission holds files, its files' rows become records or row issues.

A record is a reply to one instance in one epoch, with its grade. What a corpus expects and no file
holds has no row: it is missing, which is computed. Nothing that was graded is graded over: a run is
graded again as a further edition of it. Reports are frozen: their bytes never change.
"""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Exists, Func, OuterRef, Q, Subquery
from django.db.models.fields.json import KT
from django.db.models.lookups import Contains
from django.urls import reverse
from django.utils import timezone

from enigmaforge_site.jobs.models import Job
from grading.core.statuses import Status
from worlds.models import Corpus, Instance

__all__ = [
    "CONTRADICTED",
    "Attempt",
    "ControlRun",
    "Outcome",
    "Participant",
    "Record",
    "RecordQuerySet",
    "Report",
    "RowIssue",
    "Stint",
    "Submission",
    "SubmissionKind",
    "SubmissionQuerySet",
    "UploadedFile",
    "has_finding",
]

_STATUSES = tuple(status.value for status in Status if status is not Status.MISSING)


class SubmissionKind(models.TextChoices):
    """Who replied: a model somebody ran, one of our own controls, or a person."""

    MODEL = "model", "model"
    CONTROL = "control", "control"
    HUMAN = "human", "person"


class Outcome(models.TextChoices):
    """How the reply of a record came out, in one word; every graded record has one."""

    SUCCESS = "success", "world and action right"
    WORLD = "world", "world right, action wrong"
    ACTION = "action", "action right, world wrong"
    WRONG = "wrong", "both wrong"
    UNREADABLE = "unreadable", "no readable answer"


_OUTCOMES = {
    Outcome.SUCCESS: Q(task_success=True),
    Outcome.WORLD: Q(world_exact=True, action_correct=False),
    Outcome.ACTION: Q(world_exact=False, action_correct=True),
    Outcome.WRONG: Q(world_exact=False, action_correct=False, unreadable=""),
    Outcome.UNREADABLE: ~Q(unreadable=""),
}


class SubmissionQuerySet(models.QuerySet["Submission"]):
    """Questions asked of the submissions."""

    def graded(self) -> SubmissionQuerySet:
        """Return of each run the newest edition that is read to its end; these make a board."""
        newer = Submission.objects.filter(
            corpus=OuterRef("corpus"),
            kind=OuterRef("kind"),
            model_key=OuterRef("model_key"),
            run=OuterRef("run"),
            edition__gt=OuterRef("edition"),
        ).exclude(imported=None)
        return self.exclude(imported=None).filter(~Exists(newer))

    def of_run(self, submission: Submission) -> SubmissionQuerySet:
        """Return every edition of a submission's run, the first one first."""
        return self.filter(
            corpus=submission.corpus_id,
            kind=submission.kind,
            model_key=submission.model_key,
            run=submission.run,
        ).order_by("edition")

    def of_models(self) -> SubmissionQuerySet:
        """Return what people uploaded, without the controls."""
        return self.filter(kind=SubmissionKind.MODEL)

    def for_lists(self) -> SubmissionQuerySet:
        """Load what a row of a list shows."""
        # Counted by itself, not joined: so it is counted for the rows alone that are shown.
        records = Record.objects.filter(submission=OuterRef("pk")).order_by()
        counted = Func(template="COUNT(*)", output_field=models.IntegerField())
        rows = self.select_related("corpus", "job", "created_by")
        return rows.annotate(
            stored_records=Subquery(records.annotate(stored=counted).values("stored"))
        )


class Submission(models.Model):
    """The replies of one run of one solver to a corpus.

    `model` is the name as it was given, `model_key` what names are compared by. A second run of a
    model is a submission of its own, numbered by `run`: replies of two runs are never pooled. The
    same run graded again, by newer code or with a file that was forgotten, is a further `edition`:
    it has records of its own, and the one before stays as it is. `imported` is set once, with the
    last record; a submission without it may be partial.
    """

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="submissions")
    kind = models.CharField(
        max_length=8, choices=SubmissionKind.choices, default=SubmissionKind.MODEL
    )
    model = models.CharField(max_length=120)
    model_key = models.CharField(max_length=360)
    run = models.PositiveIntegerField(default=1)
    edition = models.PositiveIntegerField(default=1)
    files: models.ManyToManyField[UploadedFile, Any] = models.ManyToManyField(
        "UploadedFile", related_name="editions", help_text="All that this edition is read from."
    )
    grader_sha256 = models.CharField(
        max_length=64, blank=True, help_text="Of the code that graded it; empty when unknown."
    )
    report = models.ForeignKey(
        "Report",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="The last frozen report that has its scores.",
    )
    formats = models.JSONField(default=list, help_text="The formats found in its files.")
    stated_models = models.JSONField(default=list, help_text="The names its files give the model.")
    repeated = models.PositiveIntegerField(default=0, help_text="Identical rows left out.")
    issue_count = models.PositiveIntegerField(default=0)
    rejected = models.FileField(blank=True, max_length=200, help_text="Every row issue, as JSONL.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="submissions",
    )
    job = models.ForeignKey(Job, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    created = models.DateTimeField(default=timezone.now)
    imported = models.DateTimeField(null=True, blank=True)

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("corpus", "kind", "model_key", "run", "edition"),
                name="grading_submission_edition",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=SubmissionKind.values), name="grading_submission_kind"
            ),
        )

    def __str__(self) -> str:
        return f"{self.label} on {self.corpus.slug}"

    def get_absolute_url(self) -> str:
        """Return the page of the submission."""
        return reverse("grading:submission_detail", args=(self.pk,))

    @property
    def label(self) -> str:
        """The name of the model, with the number of the run from the second on."""
        return self.model if self.run == 1 else f"{self.model} ({self.run})"

    @property
    def job_key(self) -> str:
        """What the job that imports this submission is filed under."""
        return f"import_submission:{self.pk}"


def _generated_name(_: UploadedFile, __: str) -> str:
    """A name of our own: the one a browser sends is data, never a path."""
    token = uuid.uuid4().hex
    return f"received/{token[:2]}/{token}"


class UploadedFile(models.Model):
    """One file of a run, stored under a name of our own.

    `submission` is the edition that it came with; the later editions of the run are read from it
    too. `claim` names corpus, solver and content in one value: the same file of the same solver is
    stored once, whoever comes first. A constraint cannot look through the submission for it.
    """

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="received")
    name = models.CharField(max_length=200, help_text="As the browser gave it; only shown.")
    stored = models.FileField(upload_to=_generated_name, max_length=200)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    claim = models.CharField(max_length=64, unique=True)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.name


class RowIssue(models.Model):
    """One row that could not be taken, and why. The first of them; the file has them all."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="issues")
    file = models.CharField(max_length=200)
    line = models.PositiveIntegerField(help_text="From 1; 0 is the file as a whole.")
    field = models.CharField(max_length=120)
    found = models.CharField(max_length=300)
    expected = models.CharField(max_length=500)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.file}, row {self.line}, {self.field}"


CONTRADICTED = "contradicted-clue"
"""What is asked of a diagnosis beside its findings: whether the reply contradicts a clue."""


def has_finding(name: str) -> Contains | Q:
    """The condition that a record's diagnosis found this, for queries of records.

    `name` is that of a `Kind`, or `CONTRADICTED`. Databases differ in what they can ask of a list
    in JSON; all can search its text.
    """
    if name == CONTRADICTED:
        return Q(diagnosis__contradicted__0__isnull=False)
    return Contains(KT("diagnosis__findings"), f'"{name}"')


class RecordQuerySet(models.QuerySet["Record"]):
    """Questions asked of the records."""

    def with_status(self, status: str) -> RecordQuerySet:
        """Return those of one status."""
        return self.filter(status=status)

    def in_condition(self, condition: str) -> RecordQuerySet:
        """Return those whose instance has this condition."""
        return self.filter(instance__condition=condition)

    def at_level(self, level: str) -> RecordQuerySet:
        """Return those whose instance has this level."""
        return self.filter(instance__level=level)

    def with_outcome(self, outcome: Outcome) -> RecordQuerySet:
        """Return those that came out like this; missing mass has no outcome."""
        return self.exclude(grade=None).filter(_OUTCOMES[outcome])

    def with_finding(self, name: str) -> RecordQuerySet:
        """Return those whose diagnosis found this, whatever unit it is about."""
        return self.filter(has_finding(name))

    def for_lists(self) -> RecordQuerySet:
        """Load what a row of a list shows, and neither the reply nor any text."""
        return self.select_related("instance").only(
            "submission_id", "epoch", "status", "stop_unknown", "unreadable", "n", "stated", "tp",
            "world_exact", "action_correct", "policy_consistent", "task_success", "diagnosis",
            "instance__sample_id", "instance__level", "instance__genre", "instance__condition",
            "instance__realization",
        )  # fmt: skip


class Record(models.Model):
    """One reply to one instance in one epoch, and its grade.

    The counts stand in columns of their own, for queries; `grade` has the verdict on every fact.
    Both are empty for missing mass. `answer_start:answer_end` is what was graded, in code points.
    """

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="records")
    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="records")
    epoch = models.PositiveIntegerField(default=1)
    file = models.ForeignKey(UploadedFile, on_delete=models.CASCADE, related_name="+")
    line = models.PositiveIntegerField()
    status = models.CharField(max_length=12, choices=[(s, s) for s in _STATUSES])
    raw_marker = models.CharField(max_length=200, blank=True)
    stop_unknown = models.BooleanField(default=False)
    completion = models.TextField(blank=True)
    error = models.TextField(blank=True)
    input_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    output_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    answer_start = models.PositiveIntegerField(null=True, blank=True)
    answer_end = models.PositiveIntegerField(null=True, blank=True)
    unreadable = models.CharField(max_length=200, blank=True, help_text="Why nothing was graded.")
    grade = models.JSONField(null=True, blank=True)
    diagnosis = models.JSONField(default=dict, blank=True)
    n = models.PositiveSmallIntegerField(default=0)
    stated = models.PositiveIntegerField(default=0)
    tp = models.PositiveSmallIntegerField(default=0)
    world_exact = models.BooleanField(default=False)
    action_correct = models.BooleanField(default=False)
    policy_consistent = models.BooleanField(null=True, blank=True)
    task_success = models.BooleanField(default=False)

    objects = RecordQuerySet.as_manager()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("submission", "instance", "epoch"), name="grading_record_once"
            ),
            models.CheckConstraint(condition=Q(status__in=_STATUSES), name="grading_record_status"),
            models.CheckConstraint(
                condition=Q(tp__lte=models.F("n")) & Q(tp__lte=models.F("stated")),
                name="grading_record_counts",
            ),
        )

    def __str__(self) -> str:
        return f"{self.instance_id} epoch {self.epoch}: {self.status}"

    def get_absolute_url(self) -> str:
        """Return the page of the record."""
        return reverse("grading:record_detail", args=(self.submission_id, self.pk))

    @property
    def is_missing_mass(self) -> bool:
        """Say whether there is no reply to grade."""
        return not Status(self.status).is_scored

    @property
    def outcome(self) -> Outcome | None:
        """How the reply came out; None for missing mass."""
        if self.is_missing_mass:
            return None
        if self.unreadable:
            return Outcome.UNREADABLE
        if self.world_exact:
            return Outcome.SUCCESS if self.action_correct else Outcome.WORLD
        return Outcome.ACTION if self.action_correct else Outcome.WRONG


class ControlRun(models.Model):
    """The latest run of one control on one corpus: what was expected and what came out."""

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="control_runs")
    control = models.CharField(max_length=64)
    label = models.CharField(max_length=200)
    exact = models.BooleanField(help_text="Whether it must come out exactly as expected.")
    passed = models.BooleanField()
    expected = models.JSONField()
    found = models.JSONField()
    source_sha256 = models.CharField(max_length=64, help_text="Of the code that graded it.")
    submission = models.ForeignKey(
        Submission, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("corpus", "control"), name="grading_control_once"),
        )

    def __str__(self) -> str:
        return f"{self.control} on {self.corpus_id}: {'passed' if self.passed else 'failed'}"


class Report(models.Model):
    """A frozen report: canonical JSON and its SHA-256. The one confirmed last is shown.

    The text is stored, not a parsed object: a database may write a number in another way.
    """

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="reports")
    sha256 = models.CharField(max_length=64)
    content = models.TextField()
    created = models.DateTimeField(default=timezone.now)
    confirmed = models.DateTimeField(
        default=timezone.now, help_text="When the stored rows last gave exactly this."
    )

    class Meta:
        ordering = ("-confirmed", "-pk")
        constraints = (
            models.UniqueConstraint(fields=("corpus", "sha256"), name="grading_report_once"),
        )

    def __str__(self) -> str:
        return self.sha256[:8]

    @property
    def payload(self) -> dict[str, Any]:
        """The report as JSON types; parsed anew at each call."""
        parsed: dict[str, Any] = json.loads(self.content)
        return parsed


class Participant(models.Model):
    """A person who solves instances of one corpus.

    Others see the `label` alone: drawn at random unless the person gave a name. `submission` holds
    what they answered, graded as an upload is; it is made anew with every further answer.
    """

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="participants")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    label = models.CharField(max_length=120)
    label_key = models.CharField(max_length=360)
    consent_sha256 = models.CharField(max_length=64, help_text="Of the text that was agreed to.")
    consented = models.DateTimeField(default=timezone.now)
    submission = models.OneToOneField(
        Submission, on_delete=models.SET_NULL, null=True, blank=True, related_name="participant"
    )

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("corpus", "user"), name="grading_participant_once"),
            models.UniqueConstraint(
                fields=("corpus", "label_key"), name="grading_participant_label"
            ),
        )

    def __str__(self) -> str:
        return f"{self.label} on {self.corpus_id}"

    @property
    def job_key(self) -> str:
        """What the job that grades the answers of this person is filed under."""
        return f"grade_answers:{self.pk}"


class Attempt(models.Model):
    """A person's work on one instance: notes, and entries of mark, word and value as typed.

    Nothing of it is final before `submitted`, and nothing changes after.
    """

    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="attempts")
    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="+")
    notes = models.TextField(blank=True)
    entries = models.JSONField(default=list, blank=True)
    opened = models.DateTimeField(default=timezone.now)
    saved = models.DateTimeField(default=timezone.now)
    submitted = models.DateTimeField(null=True, blank=True)
    gave_up = models.BooleanField(default=False)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("participant", "instance"), name="grading_attempt_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.participant_id} on {self.instance_id}"


class Stint(models.Model):
    """A stretch of work without a pause; `ended` is the last sign of life while it runs."""

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="stints")
    started = models.DateTimeField()
    ended = models.DateTimeField()
    running = models.BooleanField(default=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("attempt",), condition=Q(running=True), name="grading_stint_runs_alone"
            ),
            models.CheckConstraint(
                condition=Q(ended__gte=models.F("started")), name="grading_stint_goes_forward"
            ),
        )

    def __str__(self) -> str:
        return f"{self.started} to {self.ended}"
