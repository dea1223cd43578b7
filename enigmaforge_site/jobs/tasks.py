"""The doorbell: enqueue a job, ring for a worker, and the one task that answers.

A ring that is lost costs time, not work: the sweeper rings again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import partial

from celery import shared_task
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from enigmaforge_site.jobs import registry, services
from enigmaforge_site.jobs.models import Job

__all__ = ["enqueue", "retry", "ring", "run", "run_now"]

log = logging.getLogger(__name__)


def enqueue(
    kind: str,
    payload: Mapping[str, services.Scalar],
    *,
    title: str,
    key: str = "",
    link: str = "",
    total: int | None = None,
    created_by: User | None = None,
) -> Job:
    """Write a job (see `services.create`) and ring for a worker once the row is committed."""
    job = services.create(
        kind, payload, title=title, key=key, link=link, total=total, created_by=created_by
    )
    transaction.on_commit(partial(ring, job.pk))
    return job


def retry(job: Job) -> Job:
    """Put a paused or ended job back to waiting (see `services.retry`) and ring."""
    job = services.retry(job)
    transaction.on_commit(partial(ring, job.pk))
    return job


def ring(job_id: int) -> bool:
    """Call for a worker; say whether the broker took the message."""
    try:
        run.delay(job_id)
    except (OperationalError, OSError) as error:
        log.warning("job %d waits for the next sweep: the broker says %s", job_id, error)
        return False
    Job.objects.filter(pk=job_id).update(rung=timezone.now())
    return True


@shared_task(name="jobs.run")
def run(job_id: int) -> None:
    """Do a job, if it is there to be done."""
    run_now(job_id)


def run_now(job_id: int) -> None:
    """Do a job in this process; a job that another worker has is left alone."""
    job = services.claim(job_id)
    if job is None:  # Another worker was first, or the job is over.
        return
    with services.recorded_failure(job):
        registry.step_of(job.kind)(job)
        services.finish(job)
