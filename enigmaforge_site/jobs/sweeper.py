"""Ring again for jobs that nobody works on.

A thread in the main process of each worker. It finds jobs whose message was lost, whose worker was
killed, or that were written without a ring, and it may run in any number of workers: a job rung
twice is claimed once. It never does a job itself.
"""

from __future__ import annotations

import logging
import os
import threading
from typing import Any

from celery.signals import worker_ready, worker_shutting_down
from django.conf import settings
from django.db import connection
from django.utils import timezone

from enigmaforge_site.jobs import stopping, tasks
from enigmaforge_site.jobs.models import Job, State

__all__ = ["DEAF_AFTER", "Listener", "connect", "sweep"]

log = logging.getLogger(__name__)

DEAF_AFTER = 2
"""So many rings in a row, a lease apart, may go unheard."""

_over = threading.Event()


class Listener:
    """Counts the rings that nobody answered while nobody was at work."""

    def __init__(self) -> None:
        self.unheard = 0

    def is_deaf(self) -> bool:
        """Look at the jobs before a sweep; say whether rings have gone unheard for too long."""
        now = timezone.now()
        waiting = Job.objects.claimable(now)
        at_work = Job.objects.filter(state=State.RUNNING).exclude(pk__in=waiting.values("pk"))
        if at_work.exists() or not waiting.exists():
            self.unheard = 0
        elif Job.objects.due_a_ring(now).exclude(rung=None).exists():
            self.unheard += 1
        return self.unheard > DEAF_AFTER


def connect() -> None:
    """Start sweeping when this process turns out to be a worker."""
    worker_ready.connect(_start, dispatch_uid="jobs.sweeper.start")
    worker_shutting_down.connect(_stop, dispatch_uid="jobs.sweeper.stop")


def sweep() -> list[int]:
    """Ring for every job that is due a ring; return their numbers, oldest first."""
    due = Job.objects.due_a_ring(timezone.now()).order_by("pk")
    return [pk for pk in due.values_list("pk", flat=True) if tasks.ring(pk)]


def _start(**_: Any) -> None:
    _over.clear()
    threading.Thread(target=_sweep_until_over, name="job-sweeper", daemon=True).start()


def _stop(**_: Any) -> None:
    stopping.request()
    _over.set()


def _sweep_until_over() -> None:
    listener = Listener()
    while True:
        try:
            if listener.is_deaf():
                log.error("nobody answers the rings of this worker; it ends, to be started again")
                os._exit(1)
            sweep()
        except Exception:
            # The database may be away for a while; a sweeper that ends would never come back.
            log.exception("the sweep failed; the next one is in a few seconds")
        finally:
            # Not kept open: the pool forks from this process.
            connection.close()
        if _over.wait(settings.JOB_SWEEP_SECONDS):
            return
