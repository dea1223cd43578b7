"""The job row: what is to be done, who is on it, how far it has come.

Two numbers guard it. `lease` counts the claims: a worker writes only under the number it was given,
so one that was taken for dead and wakes up again can change nothing. `attempts` counts starts in a
row that achieved nothing: progress sets it back to zero, so a long job may be interrupted for ever,
while one that kills its worker at the same step is given up.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

__all__ = ["LIVE", "MOST_ATTEMPTS", "OPEN", "Job", "JobQuerySet", "State"]

MOST_ATTEMPTS = 3


class State(models.TextChoices):
    """Where a job stands. Only the first two can still change by themselves."""

    QUEUED = "queued", "waiting"
    RUNNING = "running", "running"
    PAUSED = "paused", "paused"
    DONE = "done", "done"
    FAILED = "failed", "failed"
    CANCELLED = "cancelled", "cancelled"


LIVE = (State.QUEUED, State.RUNNING)
"""A worker has such a job, or will take it."""

OPEN = (*LIVE, State.PAUSED)
"""Such a job holds its key; a paused one waits for a person to let it go on."""


class JobQuerySet(models.QuerySet["Job"]):
    """Questions asked of the jobs."""

    def live(self) -> JobQuerySet:
        """Return the jobs that wait for a worker or have one."""
        return self.filter(state__in=LIVE)

    def stalled(self, now: datetime) -> JobQuerySet:
        """Return the running jobs whose worker has shown no sign of life for a whole lease."""
        silent_since = now - timedelta(seconds=settings.JOB_LEASE_SECONDS)
        return self.filter(state=State.RUNNING, beat__lt=silent_since)

    def claimable(self, now: datetime) -> JobQuerySet:
        """Return the jobs that a worker may start: waiting ones and stalled ones."""
        silent_since = now - timedelta(seconds=settings.JOB_LEASE_SECONDS)
        return self.filter(
            Q(state=State.QUEUED) | Q(state=State.RUNNING, beat__lt=silent_since),
        )

    def due_a_ring(self, now: datetime) -> JobQuerySet:
        """Return the claimable jobs nobody has rung for lately: their message may be lost."""
        rung_before = now - timedelta(seconds=settings.JOB_LEASE_SECONDS)
        return self.claimable(now).filter(Q(rung=None) | Q(rung__lt=rung_before))

    def visible_to(self, user: User | AnonymousUser) -> JobQuerySet:
        """Return a user's own jobs and those nobody started by hand; all of them for staff."""
        if not user.is_authenticated:
            return self.none()
        if user.is_staff:
            return self.all()
        return self.filter(Q(created_by=user.pk) | Q(created_by=None))


class Job(models.Model):
    """One piece of work for a worker process."""

    kind = models.CharField(max_length=64)
    key = models.CharField(
        max_length=200,
        blank=True,
        help_text="What the job is about; of all open jobs with one key there is only one.",
    )
    title = models.CharField(max_length=200)
    link = models.CharField(max_length=200, blank=True, help_text="Where the result can be read.")
    payload = models.JSONField(default=dict)
    state = models.CharField(max_length=16, choices=State.choices, default=State.QUEUED)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(null=True, blank=True)
    note = models.CharField(max_length=200, blank=True, help_text="What the job is doing now.")
    error = models.TextField(blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease = models.PositiveIntegerField(default=0)
    cancel_requested = models.BooleanField(default=False)
    pause_requested = models.BooleanField(default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="jobs",
    )
    created = models.DateTimeField(default=timezone.now)
    started = models.DateTimeField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True)
    beat = models.DateTimeField(null=True, blank=True, help_text="The last sign of life.")
    rung = models.DateTimeField(null=True, blank=True, help_text="When a worker was last called.")

    objects = JobQuerySet.as_manager()

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("key",),
                condition=Q(state__in=("queued", "running", "paused")) & ~Q(key=""),
                name="jobs_one_open_job_per_key",
            ),
            models.CheckConstraint(condition=Q(state__in=State.values), name="jobs_state_is_known"),
        )
        indexes = (models.Index(fields=("state", "beat"), name="jobs_state_beat"),)

    def __str__(self) -> str:
        return f"job {self.pk}: {self.title}"

    def get_absolute_url(self) -> str:
        """Return the page that shows the job's progress."""
        return reverse("jobs:detail", args=(self.pk,))

    @property
    def is_live(self) -> bool:
        """Say whether the job is still waiting or running."""
        return self.state in LIVE

    @property
    def has_steps(self) -> bool:
        """Say whether the job is known to have several steps, so that it can pause between two."""
        return self.total is not None and self.total > 1

    @property
    def stalled_since(self) -> datetime | None:
        """Return the last sign of life of a job whose worker has gone silent, else `None`."""
        if self.state != State.RUNNING or self.beat is None:
            return None
        lease = timedelta(seconds=settings.JOB_LEASE_SECONDS)
        return self.beat if self.beat < timezone.now() - lease else None

    def argument(self, name: str) -> Any:
        """Return one value of the payload; a job without it was made by other code than ours."""
        if name not in self.payload:
            raise KeyError(f"job {self.pk} ({self.kind}) has no {name!r} in its payload")
        return self.payload[name]
