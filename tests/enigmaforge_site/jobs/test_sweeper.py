"""A worker that hears no ring is told from one that has nothing to do or is at work."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from enigmaforge_site.jobs.models import Job, State
from enigmaforge_site.jobs.sweeper import DEAF_AFTER, Listener
from tests.enigmaforge_site.jobs.kinds import KIND

pytestmark = pytest.mark.django_db


def _long_ago() -> timedelta:
    return timedelta(seconds=settings.JOB_LEASE_SECONDS + 1)


def _unheard_job() -> Job:
    return Job.objects.create(kind=KIND, title="Waiting", rung=timezone.now() - _long_ago())


def _rings(listener: Listener, count: int) -> list[bool]:
    return [listener.is_deaf() for _ in range(count)]


def test_rings_unheard_for_too_long_mean_a_deaf_worker() -> None:
    _unheard_job()
    assert _rings(Listener(), DEAF_AFTER + 1) == [False] * DEAF_AFTER + [True]


def test_a_worker_with_nothing_to_do_is_not_deaf() -> None:
    assert not any(_rings(Listener(), DEAF_AFTER + 2))


def test_a_job_that_was_never_rung_for_says_nothing() -> None:
    Job.objects.create(kind=KIND, title="New")
    assert not any(_rings(Listener(), DEAF_AFTER + 2))


def test_a_job_rung_for_lately_says_nothing() -> None:
    Job.objects.create(kind=KIND, title="New", rung=timezone.now())
    assert not any(_rings(Listener(), DEAF_AFTER + 2))


def test_somebody_at_work_is_why_others_wait() -> None:
    _unheard_job()
    Job.objects.create(kind=KIND, title="At work", state=State.RUNNING, beat=timezone.now())
    assert not any(_rings(Listener(), DEAF_AFTER + 2))


def test_an_answer_starts_the_count_anew() -> None:
    job = _unheard_job()
    listener = Listener()
    _rings(listener, DEAF_AFTER)
    Job.objects.filter(pk=job.pk).update(state=State.RUNNING, beat=timezone.now())
    assert not listener.is_deaf()
    Job.objects.filter(pk=job.pk).update(state=State.QUEUED, beat=None)
    assert _rings(listener, DEAF_AFTER) == [False] * DEAF_AFTER


def test_a_stalled_job_whose_rings_go_unheard_counts() -> None:
    past = timezone.now() - _long_ago()
    Job.objects.create(kind=KIND, title="Lost", state=State.RUNNING, beat=past, rung=past)
    assert _rings(Listener(), DEAF_AFTER + 1)[-1]
