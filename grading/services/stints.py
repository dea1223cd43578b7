"""The clock of an attempt, kept on the server as stretches of work.

A browser may close without a word, so a running stint ends at its last sign of life: after
`IDLE` without any it counts as paused from then on. One person works on one instance at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max

from grading.models import Attempt, Stint

__all__ = ["IDLE", "is_running", "keep_alive", "seconds_by_attempt", "start_clock", "stop_clock"]

IDLE = timedelta(minutes=30)


def start_clock(attempt: Attempt, *, now: datetime) -> None:
    """Begin a stint, unless one runs; whatever else the same person works on is paused."""
    with transaction.atomic():
        # One writer at a time: a second tab may ask for the same.
        Attempt.objects.select_for_update().get(pk=attempt.pk)
        _end_idle(attempt, now)
        others = Stint.objects.filter(
            attempt__participant__user=attempt.participant.user_id, running=True
        ).exclude(attempt=attempt)
        others.update(running=False)
        if attempt.stints.filter(running=True).exists():
            return
        last = attempt.stints.aggregate(last=Max("ended"))["last"]
        began = max(now, last) if last else now
        attempt.stints.create(started=began, ended=began)


def keep_alive(attempt: Attempt, *, now: datetime) -> bool:
    """Count the time up to now, if the clock runs; says whether it does."""
    _end_idle(attempt, now)
    running = attempt.stints.filter(running=True)
    # A clock that was set back moves nothing.
    running.filter(ended__lt=now).update(ended=now)
    return running.exists()


def stop_clock(attempt: Attempt, *, now: datetime) -> None:
    """Count the time up to now and pause."""
    keep_alive(attempt, now=now)
    attempt.stints.filter(running=True).update(running=False)


def is_running(attempt: Attempt, *, now: datetime) -> bool:
    """Whether the clock runs; nothing is changed."""
    return attempt.stints.filter(running=True, ended__gte=now - IDLE).exists()


def seconds_by_attempt(attempts: Iterable[int]) -> dict[int, int]:
    """Whole seconds worked, by the primary key of the attempt; one query."""
    worked: dict[int, timedelta] = {}
    rows = Stint.objects.filter(attempt__in=attempts)
    for attempt, started, ended in rows.values_list("attempt_id", "started", "ended"):
        worked[attempt] = worked.get(attempt, timedelta()) + (ended - started)
    return {attempt: int(spent.total_seconds()) for attempt, spent in worked.items()}


def _end_idle(attempt: Attempt, now: datetime) -> None:
    attempt.stints.filter(running=True, ended__lt=now - IDLE).update(running=False)
