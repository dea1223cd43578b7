"""Enqueue, ring, do: the doorbell and the one task behind it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from enigmaforge_site.celery import app
from enigmaforge_site.jobs import registry, services, sweeper, tasks
from enigmaforge_site.jobs.models import Job, State
from tests.enigmaforge_site.jobs.kinds import KIND


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    path = tmp_path / "ledger"
    path.touch()
    return path


def _waiting() -> int:
    """Return how many messages wait at the broker."""
    return len(list(_ready().glob("*.msg")))


def _ready() -> Path:
    return Path(app.conf.broker_transport_options["folder"]) / "ready"


@pytest.fixture(autouse=True)
def _empty_broker() -> None:
    _ready().mkdir(parents=True, exist_ok=True)
    for message in _ready().iterdir():
        message.unlink()


@pytest.mark.django_db(transaction=True)
def test_a_job_is_rung_for_when_its_row_is_committed(owner: User) -> None:
    with transaction.atomic():
        job = tasks.enqueue("k", {}, title="T", created_by=owner)
        assert _waiting() == 0
    assert _waiting() == 1
    assert Job.objects.get(pk=job.pk).rung is not None
    assert Job.objects.get(pk=job.pk).created_by == owner


@pytest.mark.django_db(transaction=True)
def test_a_job_that_is_rolled_back_is_not_rung_for() -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        tasks.enqueue("k", {}, title="T")
        raise ZeroDivisionError
    assert _waiting() == 0
    assert not Job.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_does_not_answer_costs_time_but_no_job() -> None:
    _ready().rmdir()
    _ready().write_text("a file, where the broker expects its folder")
    job = tasks.enqueue("k", {}, title="T")
    assert Job.objects.get(pk=job.pk).rung is None
    _ready().unlink()
    _ready().mkdir()
    assert sweeper.sweep() == [job.pk]
    assert _waiting() == 1


@pytest.mark.django_db
def test_the_sweeper_rings_once_for_lost_messages_and_dead_workers() -> None:
    lost = services.create("k", {}, title="written without a ring")
    dead = services.create("k", {}, title="its worker was killed")
    services.claim(dead.pk)
    Job.objects.filter(pk=dead.pk).update(beat=timezone.now() - timedelta(hours=1))
    assert sweeper.sweep() == [lost.pk, dead.pk]
    assert sweeper.sweep() == []


@pytest.mark.django_db
def test_run_now_does_a_job_to_its_end(ledger: Path) -> None:
    job = services.create(KIND, {"ledger": str(ledger), "steps": 3, "seconds": 0}, title="T")
    tasks.run_now(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, job.total) == (State.DONE, 3, 3)
    assert ledger.read_text() == "0\n1\n2\n"
    tasks.run_now(job.pk)
    assert ledger.read_text() == "0\n1\n2\n"


@pytest.mark.django_db
def test_a_kind_that_nobody_registered_fails_and_says_so() -> None:
    job = services.create("no.such", {}, title="T")
    tasks.run_now(job.pk)
    job.refresh_from_db()
    assert job.state == State.FAILED
    assert "no job kind 'no.such'" in job.error
    assert KIND in job.error


def test_run_jobs_does_every_waiting_job(run_jobs: Callable[[], int], ledger: Path) -> None:
    for steps in (1, 2):
        services.create(KIND, {"ledger": str(ledger), "steps": steps, "seconds": 0}, title="T")
    assert run_jobs() == 2
    assert ledger.read_text() == "0\n1\n"


def test_a_kind_is_registered_once() -> None:
    registry.job_kind("tests.once")(_step)
    registry.job_kind("tests.once")(_step)
    with pytest.raises(ValueError, match=r"'tests.once' is taken by tests\."):
        registry.job_kind("tests.once")(lambda job: None)


def _step(job: Job) -> None:
    """Do nothing."""
