"""The job row: every change is conditional, so two workers cannot both have a job."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from enigmaforge_site.jobs import services, stopping
from enigmaforge_site.jobs.models import MOST_ATTEMPTS, Job, State
from worlds.core.errors import BadInput

pytestmark = pytest.mark.django_db


def _job(**fields: Any) -> Job:
    return services.create("tests.any", {}, title="A job", **fields)


def _fresh(job: Job) -> Job:
    return Job.objects.get(pk=job.pk)


def _claimed(**fields: Any) -> Job:
    job = services.claim(_job(**fields).pk)
    assert job is not None
    return job


def _claim_and_hang_up(number: int) -> Job | None:
    try:
        return services.claim(number)
    finally:
        connection.close()


def _silence(job: Job) -> None:
    """Let the worker of a job look dead."""
    Job.objects.filter(pk=job.pk).update(beat=timezone.now() - timedelta(hours=1))


def test_create_writes_a_waiting_job() -> None:
    job = _fresh(services.create("k", {"n": 1, "name": "x"}, title="T", link="/x/", total=3))
    assert (job.kind, job.payload, job.title, job.link) == ("k", {"n": 1, "name": "x"}, "T", "/x/")
    assert (job.state, job.done, job.total, job.attempts) == (State.QUEUED, 0, 3, 0)


def test_create_refuses_a_payload_that_is_no_scalar() -> None:
    with pytest.raises(TypeError, match=r"payload\['rows'\] is a list; expected a scalar"):
        services.create("k", {"rows": []}, title="T")  # type: ignore[dict-item]


def test_a_key_has_one_open_job() -> None:
    first = _job(key="forge_corpus:harbour")
    assert _job(key="forge_corpus:harbour").pk == first.pk
    assert _job(key="forge_corpus:mill").pk != first.pk
    assert _job().pk != _job().pk


def test_a_key_is_free_again_when_its_job_is_over() -> None:
    first = _claimed(key="k")
    services.finish(first)
    assert _job(key="k").pk != first.pk


def test_the_database_itself_allows_one_open_job_per_key() -> None:
    _job(key="k")
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.create(kind="x", title="x", key="k")


def test_a_job_is_claimed_once() -> None:
    job = _job()
    claimed = services.claim(job.pk)
    assert claimed is not None
    assert (claimed.state, claimed.lease, claimed.attempts) == (State.RUNNING, 1, 1)
    assert services.claim(job.pk) is None


@pytest.mark.parametrize("state", [State.DONE, State.FAILED, State.CANCELLED])
def test_a_job_that_is_over_is_not_claimed(state: State) -> None:
    job = _job()
    Job.objects.filter(pk=job.pk).update(state=state)
    assert services.claim(job.pk) is None
    assert services.claim(job.pk + 1) is None


def test_a_stalled_job_passes_to_the_next_worker_and_the_first_can_change_nothing() -> None:
    first = _claimed()
    _silence(first)
    second = services.claim(first.pk)
    assert second is not None
    assert second.lease == first.lease + 1
    with pytest.raises(services.LeaseLost):
        services.progress(first, 5)
    assert not services.finish(first)
    assert not services.fail(first, "no")
    assert not services.release(first)
    assert (_fresh(first).state, _fresh(first).done) == (State.RUNNING, 0)
    assert services.finish(second)


def test_rows_of_a_chunk_are_not_stored_when_the_job_was_lost() -> None:
    first = _claimed()
    _silence(first)
    services.claim(first.pk)
    with pytest.raises(services.LeaseLost), transaction.atomic():
        row = _job()
        services.progress(first, 1)
    assert not Job.objects.filter(pk=row.pk).exists()


def test_progress_is_stored_and_a_sign_of_life() -> None:
    job = _claimed()
    _silence(job)
    services.progress(job, 2, "x" * 500, total=4)
    fresh = _fresh(job)
    assert (fresh.done, fresh.total, fresh.note) == (2, 4, "x" * 200)
    assert fresh.stalled_since is None


def test_finish_fills_the_bar() -> None:
    job = _claimed(total=7)
    services.finish(job)
    assert (_fresh(job).state, _fresh(job).done, _fresh(job).is_live) == (State.DONE, 7, False)


def test_a_job_that_dies_without_progress_is_given_up() -> None:
    job = _job()
    for _ in range(MOST_ATTEMPTS):
        claimed = services.claim(job.pk)
        assert claimed is not None
        _silence(claimed)
    assert services.claim(job.pk) is None
    assert _fresh(job).state == State.FAILED
    assert _fresh(job).error.startswith("The worker died 3 times at the same step.")


def test_a_job_that_gets_on_may_be_interrupted_for_ever() -> None:
    job = _job()
    for number in range(MOST_ATTEMPTS * 2):
        claimed = services.claim(job.pk)
        assert claimed is not None
        services.progress(claimed, number + 1)
        _silence(claimed)
    assert _fresh(job).state == State.RUNNING


def test_repeating_a_finished_step_is_no_progress() -> None:
    job = _claimed()
    services.progress(job, 1)
    for _ in range(MOST_ATTEMPTS):
        _silence(job)
        again = services.claim(job.pk)
        assert again is not None
        services.progress(again, 1)
        job = again
    _silence(job)
    assert services.claim(job.pk) is None


def test_a_waiting_job_is_cancelled_at_once() -> None:
    job = _job()
    assert services.cancel(job)
    assert _fresh(job).state == State.CANCELLED
    assert not services.cancel(job)


def test_a_running_job_is_cancelled_at_its_next_step() -> None:
    job = _claimed()
    assert services.cancel(job)
    assert _fresh(job).state == State.RUNNING
    with services.recorded_failure(job):
        services.progress(job, 1)
        pytest.fail("the step must not go on")
    assert _fresh(job).state == State.CANCELLED


def test_a_stalled_job_that_was_to_be_cancelled_is_cancelled_by_the_next_claim() -> None:
    job = _claimed()
    services.cancel(job)
    _silence(job)
    assert services.claim(job.pk) is None
    assert _fresh(job).state == State.CANCELLED


def test_a_waiting_job_is_paused_at_once_and_no_worker_takes_it() -> None:
    job = _job(total=4)
    assert services.pause(job)
    assert (_fresh(job).state, _fresh(job).is_live) == (State.PAUSED, False)
    assert services.claim(job.pk) is None
    assert not Job.objects.due_a_ring(timezone.now()).exists()
    assert not services.pause(job)


def test_a_running_job_is_paused_at_its_next_step_and_keeps_what_it_stored() -> None:
    job = _claimed(total=4)
    services.progress(job, 1)
    assert services.pause(job)
    assert _fresh(job).state == State.RUNNING
    with services.recorded_failure(job):
        services.progress(job, 2)
        pytest.fail("the step must not go on")
    fresh = _fresh(job)
    assert (fresh.state, fresh.done, fresh.attempts) == (State.PAUSED, 2, 0)
    assert not services.finish(job)


def test_a_paused_job_goes_on_when_it_is_let() -> None:
    job = _claimed(total=4)
    services.progress(job, 1)
    services.pause(job)
    with services.recorded_failure(job):
        services.progress(job, 2)
    again = services.retry(job)
    assert (again.state, again.done, again.pause_requested) == (State.QUEUED, 2, False)
    claimed = services.claim(job.pk)
    assert claimed is not None
    services.progress(claimed, 3)
    assert services.finish(claimed)


@pytest.mark.parametrize("total", [None, 1])
def test_a_job_without_steps_is_not_paused(total: int | None) -> None:
    job = _job(total=total)
    assert not job.has_steps
    assert not services.pause(job)
    claimed = services.claim(job.pk)
    assert claimed is not None
    assert not services.pause(claimed)
    services.progress(claimed, 0)


@pytest.mark.parametrize("state", [State.DONE, State.FAILED, State.CANCELLED])
def test_a_job_that_is_over_is_not_paused(state: State) -> None:
    job = _job(total=4)
    Job.objects.filter(pk=job.pk).update(state=state)
    assert not services.pause(job)
    assert _fresh(job).state == state


def test_a_paused_job_keeps_its_key() -> None:
    job = _job(key="k", total=4)
    services.pause(job)
    assert _job(key="k").pk == job.pk
    assert _fresh(job).state == State.PAUSED
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.create(kind="x", title="x", key="k")


def test_a_paused_job_is_cancelled_at_once() -> None:
    job = _job(total=4)
    services.pause(job)
    assert services.cancel(job)
    assert _fresh(job).state == State.CANCELLED


def test_of_pause_and_cancel_the_cancel_counts() -> None:
    job = _claimed(total=4)
    services.pause(job)
    services.cancel(job)
    with services.recorded_failure(job):
        services.progress(job, 1)
    assert _fresh(job).state == State.CANCELLED
    assert not services.retry(job).pause_requested


def test_a_stalled_job_that_was_to_be_paused_is_paused_by_the_next_claim() -> None:
    job = _claimed(total=4)
    services.pause(job)
    _silence(job)
    assert services.claim(job.pk) is None
    assert _fresh(job).state == State.PAUSED
    with pytest.raises(services.LeaseLost):
        services.progress(job, 1)


def test_a_job_handed_back_while_it_was_to_be_paused_is_paused_by_the_next_claim() -> None:
    job = _claimed(total=4)
    services.pause(job)
    services.release(job)
    assert services.claim(job.pk) is None
    assert _fresh(job).state == State.PAUSED


@pytest.mark.parametrize("end", [services.fail, lambda job, _: services.cancel(job)])
def test_an_ended_job_goes_on_after_its_last_step(end: Any) -> None:
    job = _claimed()
    services.progress(job, 3)
    end(job, "broken")
    with services.recorded_failure(job):
        services.progress(job, 4)
    again = services.retry(job)
    assert (again.state, again.error, again.cancel_requested) == (State.QUEUED, "", False)
    assert again.done >= 3
    assert services.claim(job.pk) is not None


def test_retry_leaves_a_job_alone_that_is_not_over() -> None:
    job = _claimed()
    assert services.retry(job).state == State.RUNNING


def test_retry_returns_the_job_that_has_taken_the_key_since() -> None:
    job = _claimed(key="k")
    services.fail(job, "broken")
    other = _job(key="k")
    assert services.retry(job).pk == other.pk
    assert _fresh(job).state == State.FAILED


def test_an_error_of_the_field_is_shown_in_its_own_words() -> None:
    job = _claimed()
    with services.recorded_failure(job):
        raise BadInput("level", "L9", "L00 to L05")
    assert _fresh(job).state == State.FAILED
    assert _fresh(job).error == str(BadInput("level", "L9", "L00 to L05"))


def test_any_other_error_is_named_as_a_fault_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    job = _claimed()
    with services.recorded_failure(job):
        raise ZeroDivisionError("division by zero")
    assert _fresh(job).error.startswith("ZeroDivisionError: division by zero. This is a fault")
    assert "Traceback" in caplog.text


def test_a_stopping_worker_hands_its_job_back_without_counting_the_attempt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job = _claimed()
    monkeypatch.setattr(stopping, "is_requested", lambda: True)
    with services.recorded_failure(job):
        services.progress(job, 1)
    assert (_fresh(job).state, _fresh(job).attempts, _fresh(job).done) == (State.QUEUED, 0, 1)


def test_due_a_ring_are_the_jobs_that_nobody_was_called_for_lately() -> None:
    now = timezone.now()
    never, just, long_ago, stalled, working, over = (_job() for _ in range(6))
    Job.objects.filter(pk=just.pk).update(rung=now)
    Job.objects.filter(pk=long_ago.pk).update(rung=now - timedelta(hours=1))
    for job in (stalled, working, over):
        services.claim(job.pk)
    _silence(stalled)
    services.finish(Job.objects.get(pk=over.pk))
    assert set(Job.objects.due_a_ring(now)) == {never, long_ago, stalled}


@pytest.mark.django_db(transaction=True)
def test_of_many_claims_at_once_one_wins() -> None:
    if connection.vendor == "sqlite":
        # Threads share the one connection of a database in memory; claims queue up behind it.
        numbers = [_job().pk for _ in range(4)]
        claims = [services.claim(number) for number in numbers * 3]
    else:
        numbers = [_job().pk for _ in range(20)]
        with ThreadPoolExecutor(8) as pool:
            claims = list(pool.map(_claim_and_hang_up, numbers * 8))
    assert sorted(job.pk for job in claims if job) == numbers
