"""Everything that changes a job row, each as one conditional update.

    create ─► queued ─claim─► running ─finish─► done
                 │               ├─fail──► failed
                 ├──pause──►─────┼───────► paused         cancel: queued, running, paused
                 └──cancel──►────┴───────► cancelled      retry: paused, failed, cancelled ─► queued

A change goes through only if the row is still in the state, and under the lease, that the caller
believes. Nothing here rings the broker; `tasks` does.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone

from enigmaforge_site.jobs import stopping
from enigmaforge_site.jobs.models import MOST_ATTEMPTS, OPEN, Job, JobQuerySet, State
from worlds.core.errors import EnigmaError

__all__ = [
    "JobCancelled",
    "JobPaused",
    "JobStopped",
    "LeaseLost",
    "Scalar",
    "StopRequested",
    "cancel",
    "claim",
    "create",
    "fail",
    "finish",
    "pause",
    "progress",
    "recorded_failure",
    "release",
    "retry",
]

log = logging.getLogger(__name__)

_PAUSED = {"state": State.PAUSED, "pause_requested": False, "attempts": 0}
_SCALARS = (str, int, float, bool, type(None))
Scalar = str | int | float | bool | None


class JobStopped(Exception):
    """The step must end now, without a result. Steps let it pass."""


class JobCancelled(JobStopped):
    """Somebody asked for the job to be cancelled."""


class JobPaused(JobStopped):
    """Somebody asked for the job to be paused; it keeps what it has stored."""


class LeaseLost(JobStopped):
    """Another worker has taken the job over, or it is over."""


class StopRequested(JobStopped):
    """The worker is shutting down; the job goes on when one is back."""


def create(
    kind: str,
    payload: Mapping[str, Scalar],
    *,
    title: str,
    key: str = "",
    link: str = "",
    total: int | None = None,
    created_by: User | None = None,
) -> Job:
    """Write a waiting job, or return the open one that has the same key: it may be paused.

    The payload holds scalars only: a job must mean the same after a restart. `key` names what the
    job is about, for instance `forge_corpus:harbour`; without one, every call makes a job.
    """
    for name, value in payload.items():
        if not isinstance(value, _SCALARS):
            raise TypeError(f"payload[{name!r}] is a {type(value).__name__}; expected a scalar")
    while True:
        try:
            with transaction.atomic():
                return Job.objects.create(
                    kind=kind,
                    payload=dict(payload),
                    title=title,
                    key=key,
                    link=link,
                    total=total,
                    created_by_id=created_by.pk if created_by else None,
                )
        except IntegrityError:
            if known := _open_job(key):
                return known
            # It ended between the two questions: try again, unless the key was not the reason.
            if not key:
                raise


def claim(job_id: int) -> Job | None:
    """Take a waiting or stalled job; `None` if there is nothing to do for this caller.

    A stalled job that was to be cancelled is cancelled, one that was to be paused is paused. One
    that has died `MOST_ATTEMPTS` times in a row without progress fails.
    """
    now = timezone.now()
    claimable = Job.objects.filter(pk=job_id).claimable(now)
    claimable.filter(cancel_requested=True).update(state=State.CANCELLED, finished=now)
    claimable.filter(pause_requested=True).update(**_PAUSED)
    claimable.filter(attempts__gte=MOST_ATTEMPTS).update(
        state=State.FAILED,
        finished=now,
        error=f"The worker died {MOST_ATTEMPTS} times at the same step. See its log, then retry.",
    )
    taken = claimable.update(
        state=State.RUNNING,
        lease=F("lease") + 1,
        attempts=F("attempts") + 1,
        beat=now,
        started=Coalesce(F("started"), now),
    )
    # A second caller finds a fresh beat, so at most one of them gets past this line.
    return Job.objects.get(pk=job_id) if taken else None


def progress(job: Job, done: int, note: str = "", *, total: int | None = None) -> None:
    """Record a finished step and a sign of life; raise if the job must stop here.

    Call it once per chunk of a second or so, in the same transaction as the chunk's rows: either
    both are stored, or, when another worker has the job, neither. Raises `LeaseLost`,
    `JobCancelled`, `JobPaused` or `StopRequested`, all `JobStopped`; a step lets them pass.
    """
    changes: dict[str, object] = {"done": done, "note": note[:200], "beat": timezone.now()}
    if total is not None:
        changes["total"] = total
    if done > job.done:
        changes["attempts"] = 0
    if not _held(job).update(**changes):
        raise LeaseLost(f"{job} is no longer ours")
    for name, value in changes.items():
        setattr(job, name, value)
    asked = _held(job).values_list("cancel_requested", "pause_requested").first()
    if asked and asked[0]:
        raise JobCancelled(f"{job} was cancelled")
    if asked and asked[1]:
        raise JobPaused(f"{job} was paused")
    if stopping.is_requested():
        raise StopRequested(f"{job} waits for the next worker")


def finish(job: Job) -> bool:
    """Mark the job done; return whether it was still ours to finish."""
    done = F("done") if job.total is None else job.total
    return bool(_held(job).update(state=State.DONE, done=done, note="", finished=timezone.now()))


def fail(job: Job, reason: str) -> bool:
    """Mark the job failed, with the reason that its page shows."""
    return bool(_held(job).update(state=State.FAILED, error=reason[:2000], finished=timezone.now()))


def release(job: Job) -> bool:
    """Put a running job back to waiting, at once and without counting the attempt."""
    return bool(_held(job).update(state=State.QUEUED, attempts=0, rung=None))


def cancel(job: Job) -> bool:
    """Cancel a job now, a running one at its next step; say whether there was something to do."""
    idle = Job.objects.filter(pk=job.pk, state__in=(State.QUEUED, State.PAUSED))
    if idle.update(state=State.CANCELLED, finished=timezone.now()):
        return True
    running = Job.objects.filter(pk=job.pk, state=State.RUNNING)
    return bool(running.update(cancel_requested=True))


def pause(job: Job) -> bool:
    """Pause a waiting job now and a running one at its next step; say whether that can be.

    Only a job of several steps can: any other would begin anew. It keeps its key, and no worker
    takes it until it is let go on with `retry`.
    """
    several = Job.objects.filter(pk=job.pk, total__gt=1)
    if several.filter(state=State.QUEUED).update(**_PAUSED):
        return True
    return bool(several.filter(state=State.RUNNING).update(pause_requested=True))


def retry(job: Job) -> Job:
    """Put a paused, failed or cancelled job back to waiting, to go on after its last step.

    Returns the job that is open afterwards: another one, if its key has been taken since.
    """
    still = Job.objects.filter(pk=job.pk, state__in=(State.PAUSED, State.FAILED, State.CANCELLED))
    try:
        with transaction.atomic():
            still.update(
                state=State.QUEUED,
                attempts=0,
                error="",
                note="",
                cancel_requested=False,
                pause_requested=False,
                finished=None,
                rung=None,
            )
    except IntegrityError:
        return _open_job(job.key) or job
    return Job.objects.get(pk=job.pk)


@contextmanager
def recorded_failure(job: Job) -> Iterator[None]:
    """Turn however the body ends into the state of the job; nothing escapes but exits.

    An `EnigmaError` is shown with its own words, which say what to do. Anything else is a fault of
    ours: its name is shown and the traceback logged.
    """
    try:
        yield
    except JobCancelled:
        _held(job).update(state=State.CANCELLED, finished=timezone.now())
    except JobPaused:
        _held(job).update(**_PAUSED)
    except StopRequested:
        release(job)
    except LeaseLost as lost:
        log.info("%s", lost)
    except EnigmaError as error:
        fail(job, str(error))
    except Exception as error:
        log.exception("%s failed", job)
        fail(job, f"{type(error).__name__}: {error}. This is a fault in EnigmaForge; see its log.")


def _held(job: Job) -> JobQuerySet:
    return Job.objects.filter(pk=job.pk, state=State.RUNNING, lease=job.lease)


def _open_job(key: str) -> Job | None:
    return Job.objects.filter(key=key, state__in=OPEN).exclude(key="").first()
