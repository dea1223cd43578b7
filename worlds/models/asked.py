"""Rows of what people ask the worker for and read once: a fresh opinion, a world to try."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from enigmaforge_site.jobs.models import Job
from worlds.models.corpora import Family

__all__ = ["Recheck", "Trial"]


class Recheck(models.Model):
    """One engine's fresh opinion of a family's uniqueness, asked for on its page.

    The verdict is blank until the engine answers; an engine that was stopped leaves `unknown`.
    """

    family = models.ForeignKey(Family, on_delete=models.CASCADE, related_name="rechecks")
    job = models.OneToOneField(Job, on_delete=models.SET_NULL, null=True, related_name="+")
    engine = models.CharField(max_length=16, default="z3")
    version = models.CharField(max_length=32, blank=True)
    verdict = models.CharField(
        max_length=8,
        blank=True,
        choices=[(v, v) for v in ("proved", "refuted", "unknown")],
    )
    reason = models.CharField(max_length=200, blank=True, help_text="Why there is no answer.")
    work = models.JSONField(default=dict, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="rechecks",
    )
    created = models.DateTimeField(default=timezone.now)
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.CheckConstraint(
                condition=Q(verdict__in=("", "proved", "refuted", "unknown")),
                name="worlds_recheck_verdict",
            ),
        )

    def __str__(self) -> str:
        return f"{self.engine} on {self.family}: {self.verdict or 'not yet'}"

    @property
    def is_live(self) -> bool:
        """Say whether an answer may still come; costs a query unless the job is loaded."""
        return not self.verdict and self.job is not None and self.job.is_live

    @property
    def outcome(self) -> str:
        """The verdict; `unknown` for a recheck that ended without one."""
        return self.verdict or ("" if self.is_live else "unknown")

    @property
    def silent_since(self) -> datetime | None:
        """Since when no worker has shown a sign of life on a live recheck, once that is long."""
        if not self.is_live or self.job is None:
            return None
        if self.job.stalled_since:
            return self.job.stalled_since
        overdue = timezone.now() - self.created > timedelta(seconds=settings.JOB_LEASE_SECONDS)
        return self.created if overdue and self.job.started is None else None

    @property
    def wait_seconds(self) -> int:
        """After how many seconds to ask again: soon while it is young, seldom without a worker."""
        if self.silent_since:
            return 15
        return 1 if timezone.now() - self.created < timedelta(minutes=1) else 5


class Trial(models.Model):
    """A few surfaces that somebody tries, forged by a job and kept for a while.

    `key` is made of what is asked and of the code that answers, so the same request finds the same
    row. `families` and `surfaces` are filled as the job goes on; both are truth.
    """

    key = models.CharField(max_length=64, unique=True)
    wanted = models.JSONField(help_text="The ids of the surfaces, in order.")
    families = models.JSONField(
        default=dict, help_text="By family id: its cost, or why it is lost."
    )
    surfaces = models.JSONField(default=dict, help_text="By id: the instance and its figures.")
    job = models.ForeignKey(Job, on_delete=models.SET_NULL, null=True, related_name="+")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="trials",
    )
    created = models.DateTimeField(default=timezone.now)
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"trial of {', '.join(self.wanted)}"

    @property
    def is_live(self) -> bool:
        """Say whether more may still come; costs a query unless the job is loaded."""
        return self.finished is None and self.job is not None and self.job.is_live
