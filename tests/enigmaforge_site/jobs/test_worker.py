"""Real workers, really killed: the job goes on, and no step is lost or done twice.

Each test starts Celery workers on a database and a broker of their own, on the embedded default
and on PostgreSQL with Redis. The servers are those of this machine; where they do not run, their
half is skipped, but not in CI.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis
from django.core.management import call_command
from django.db import connections
from django.db.models import QuerySet

from enigmaforge_site.environment import Environment
from enigmaforge_site.jobs.models import Job, State
from tests.enigmaforge_site.jobs.kinds import KIND

POSTGRES = "postgres://root@127.0.0.1:5432"
REDIS = "redis://127.0.0.1:6379/15"
ALIAS = "site"
_ROOT = Path(__file__).parents[3]


@dataclass
class Site:
    """A database, a broker, and the workers started on them."""

    folder: Path
    environment: dict[str, str]
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def jobs(self) -> QuerySet[Job]:
        return Job.objects.using(ALIAS)

    @property
    def ledger(self) -> Path:
        return self.folder / "ledger"

    def add_job(self, steps: int, seconds: float, **payload: Any) -> Job:
        """Write a job without ringing for it, as if the message had been lost."""
        self.ledger.touch()
        payload |= {"ledger": str(self.ledger), "steps": steps, "seconds": seconds}
        return self.jobs.create(kind=KIND, title="Counting", payload=payload)

    def start_worker(self) -> subprocess.Popen[bytes]:
        log = (self.folder / f"worker{len(self.workers)}.log").open("wb")
        worker = subprocess.Popen(
            [
                *(sys.executable, "-m", "celery", "-A", "enigmaforge_site", "worker"),
                *("-c", "1", "-I", "tests.enigmaforge_site.jobs.kinds", "-l", "INFO"),
                *("--without-gossip", "--without-mingle", "--without-heartbeat"),
            ],
            cwd=_ROOT, env=os.environ | self.environment, start_new_session=True,
            stdout=log, stderr=log,
        )  # fmt: skip
        self.workers.append(worker)
        return worker

    def logs(self) -> str:
        return "\n".join(path.read_text() for path in sorted(self.folder.glob("*.log")))


def _kill(worker: subprocess.Popen[bytes]) -> None:
    """Kill a worker and its pool at one blow, as a power cut does."""
    if worker.poll() is None:
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait(10)


def _await(site: Site, what: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if what():
            return
        time.sleep(0.05)
    pytest.fail(f"waited in vain; the logs say:\n{site.logs()}")


def _is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(params=["embedded", "servers"])
def site(request: pytest.FixtureRequest, tmp_path: Path, django_db_blocker: Any) -> Iterator[Site]:
    name = f"enigmaforge_{uuid.uuid4().hex}"
    environment = {
        "ENIGMAFORGE_VAR": str(tmp_path),
        "ENIGMAFORGE_JOB_LEASE_SECONDS": "3",
        "ENIGMAFORGE_JOB_SWEEP_SECONDS": "1",
        "ENIGMAFORGE_DATABASE_URL": f"sqlite:///{tmp_path}/site.sqlite3",
    }
    if request.param == "servers":
        if os.environ.get("CI") != "true" and not (_is_listening(5432) and _is_listening(6379)):
            pytest.skip("no PostgreSQL on port 5432 or no Redis on port 6379 of this machine")
        environment["ENIGMAFORGE_DATABASE_URL"] = f"{POSTGRES}/{name}"
        environment["ENIGMAFORGE_BROKER_URL"] = REDIS
        with psycopg.connect(f"{POSTGRES}/test", autocommit=True) as server:
            server.execute(f"CREATE DATABASE {name}")
    database = Environment(environment).database("DATABASE_URL", tmp_path)
    if "sqlite" in database["ENGINE"]:
        database["OPTIONS"] = {"timeout": 20, "transaction_mode": "IMMEDIATE"}
    connections.settings[ALIAS] = connections.configure_settings(
        {"default": connections.settings["default"], ALIAS: database}
    )[ALIAS]
    site = Site(tmp_path, environment)
    with django_db_blocker.unblock():
        call_command("migrate", database=ALIAS, verbosity=0)
        yield site
        for worker in site.workers:
            _kill(worker)
        connections[ALIAS].close()
        del connections[ALIAS], connections.settings[ALIAS]
    if request.param == "servers":
        with psycopg.connect(f"{POSTGRES}/test", autocommit=True) as server:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")
        with redis.Redis.from_url(REDIS) as broker:
            # Only what the workers left: the database may be somebody's.
            for pattern in ("celery*", "unacked*", "_kombu.*"):
                for key in broker.scan_iter(pattern):
                    broker.delete(key)


def _numbers(site: Site) -> list[int]:
    return [int(line) for line in site.ledger.read_text().splitlines()]


@pytest.mark.slow
def test_a_job_of_a_killed_worker_goes_on_where_it_was(site: Site) -> None:
    job = site.add_job(steps=12, seconds=0.2)
    _kill_in_mid_job(site, site.start_worker())
    job.refresh_from_db(using=ALIAS)
    assert (job.state, job.lease) == (State.RUNNING, 1)

    site.start_worker()
    _await(site, lambda: site.jobs.get().state == State.DONE)
    job.refresh_from_db(using=ALIAS)
    assert (job.done, job.lease, job.error) == (12, 2, "")
    assert _numbers(site) == list(range(12))


def _kill_in_mid_job(site: Site, worker: subprocess.Popen[bytes]) -> None:
    site.ledger.touch()
    _await(site, lambda: 3 <= len(_numbers(site)) < 12)
    _kill(worker)


@pytest.mark.slow
def test_two_workers_share_the_jobs_and_do_none_twice(site: Site) -> None:
    for n in range(6):
        ledger = site.folder / f"ledger{n}"
        ledger.touch()
        payload = {"ledger": str(ledger), "steps": 3, "seconds": 0.05}
        site.jobs.create(kind=KIND, title=f"Counting {n}", payload=payload)
    site.start_worker()
    site.start_worker()
    _await(site, lambda: not site.jobs.exclude(state=State.DONE).exists())
    assert set(site.jobs.values_list("lease", flat=True)) == {1}
    for n in range(6):
        assert (site.folder / f"ledger{n}").read_text() == "0\n1\n2\n"


@pytest.mark.slow
def test_a_step_that_kills_its_process_is_given_up(site: Site) -> None:
    site.add_job(steps=4, seconds=0, dies_at=2)
    site.start_worker()
    _await(site, lambda: site.jobs.get().state == State.FAILED)
    job = site.jobs.get()
    assert (job.done, job.attempts) == (2, 3)
    assert "died 3 times at the same step" in job.error
    assert _numbers(site) == [0, 1]


@pytest.mark.slow
def test_a_worker_asked_to_stop_hands_its_job_back_at_the_next_step(site: Site) -> None:
    site.add_job(steps=600, seconds=0.2)
    worker = site.start_worker()
    _await(site, lambda: len(_numbers(site)) >= 3)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(30) == 0
    job = site.jobs.get()
    assert (job.state, job.attempts, job.done) == (State.QUEUED, 0, len(_numbers(site)))


@pytest.mark.slow
def test_a_running_job_is_cancelled_from_outside(site: Site) -> None:
    site.add_job(steps=600, seconds=0.1)
    site.start_worker()
    _await(site, lambda: len(_numbers(site)) >= 2)
    site.jobs.update(cancel_requested=True)
    _await(site, lambda: site.jobs.get().state == State.CANCELLED)
    assert site.jobs.get().done == len(_numbers(site))


@pytest.mark.slow
def test_a_running_job_is_paused_from_outside_and_goes_on_without_a_gap(site: Site) -> None:
    site.add_job(steps=30, seconds=0.1)
    site.start_worker()
    _await(site, lambda: len(_numbers(site)) >= 3)
    site.jobs.update(pause_requested=True)
    _await(site, lambda: site.jobs.get().state == State.PAUSED)
    paused = site.jobs.get()
    assert paused.done == len(_numbers(site)) < 30

    time.sleep(3)  # Several sweeps: none of them may wake it.
    assert (site.jobs.get().state, len(_numbers(site))) == (State.PAUSED, paused.done)

    site.jobs.filter(state=State.PAUSED).update(state=State.QUEUED, rung=None)
    _await(site, lambda: site.jobs.get().state == State.DONE)
    assert (site.jobs.get().lease, site.jobs.get().pause_requested) == (2, False)
    assert _numbers(site) == list(range(30))
