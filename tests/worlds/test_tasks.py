"""The jobs of worlds, done in this process as the worker would do them."""

from __future__ import annotations

from threading import Event

import pytest
from django.contrib.auth.models import User

from enigmaforge_site.jobs import services as jobs
from enigmaforge_site.jobs import tasks as job_tasks
from enigmaforge_site.jobs.models import Job, State
from tests.worlds.builders import OrderCorpus, minted
from worlds import services, tasks
from worlds.core.ids import FamilyId
from worlds.models import Corpus, Instance, LostFamily
from worlds.services.minting import Outcome, candidate


def test_forge_job_fills_and_completes_the_corpus(
    corpus: Corpus, order_corpus: OrderCorpus
) -> None:
    forged = order_corpus("forged")
    job = tasks.enqueue_corpus(forged)
    job_tasks.run_now(job.pk)
    job.refresh_from_db()
    forged.refresh_from_db()
    assert (job.state, job.done, job.total) == (State.DONE, 2, 2)
    assert job.link == "/corpora/forged/"
    assert forged.sha256 == corpus.sha256


def test_forge_job_that_is_run_twice_doubles_nothing(order_corpus: OrderCorpus) -> None:
    corpus = order_corpus()
    job_tasks.run_now(tasks.enqueue_corpus(corpus).pk)
    again = tasks.enqueue_corpus(corpus)
    job_tasks.run_now(again.pk)
    again.refresh_from_db()
    assert again.state == State.DONE
    assert (corpus.families.count(), corpus.instances.count()) == (2, 10)
    assert Job.objects.filter(kind="run_controls").count() == 1


def test_corpus_is_forged_by_one_job_at_a_time(order_corpus: OrderCorpus) -> None:
    corpus = order_corpus()
    assert tasks.enqueue_corpus(corpus) == tasks.enqueue_corpus(corpus)


def test_cancelled_forge_job_keeps_whole_families_only(order_corpus: OrderCorpus) -> None:
    corpus = order_corpus()
    job = tasks.enqueue_corpus(corpus)
    claimed = jobs.claim(job.pk)
    assert claimed is not None
    jobs.cancel(job)
    with pytest.raises(jobs.JobCancelled):
        tasks.forge_corpus(claimed)
    assert (corpus.families.count(), corpus.instances.count()) == (0, 0)
    job_tasks.run_now(jobs.retry(_cancelled(job)).pk)
    assert corpus.families.count() == 2


def test_family_that_takes_long_shows_signs_of_life_and_can_be_cancelled(
    order_corpus: OrderCorpus,
) -> None:
    corpus = order_corpus()
    job = tasks.enqueue_corpus(corpus)
    claimed = jobs.claim(job.pk)
    assert claimed is not None
    jobs.cancel(job)
    released = Event()

    def slow(family: FamilyId) -> Outcome:
        released.wait(timeout=60)
        return minted(family)

    with pytest.raises(jobs.JobCancelled):
        tasks.patient_minter(claimed, slow)(candidate(corpus, 0))
    released.set()
    job.refresh_from_db()
    assert job.note == f"forging {candidate(corpus, 0)}"


def test_worker_that_lost_its_lease_stores_nothing(order_corpus: OrderCorpus) -> None:
    corpus = order_corpus()
    claimed = jobs.claim(tasks.enqueue_corpus(corpus).pk)
    assert claimed is not None
    Job.objects.filter(pk=claimed.pk).update(lease=claimed.lease + 1)
    with pytest.raises(jobs.LeaseLost):
        tasks.forge_corpus(claimed)
    assert corpus.families.count() == 0


def test_corpus_that_cannot_be_filled_fails_with_a_sentence(order_corpus: OrderCorpus) -> None:
    corpus = order_corpus()
    LostFamily.objects.bulk_create(
        LostFamily(corpus=corpus, place=0, family_id=f"lost {n}", reason="died") for n in range(30)
    )
    job = tasks.enqueue_corpus(corpus)
    job_tasks.run_now(job.pk)
    job.refresh_from_db()
    assert job.state == State.FAILED
    assert "no certified world for place 1 of corpus harbour" in job.error


def test_lost_family_is_told_in_a_line(corpus: Corpus) -> None:
    lost = LostFamily(corpus=corpus, place=0, family_id="ef1-chain-L00-maritime-s1", reason="died")
    assert services.step_note(lost) == "lost ef1-chain-L00-maritime-s1: died"
    assert services.step_note(corpus.families.get(place=1)) == "L00 maritime, family 2"


def test_recheck_job_stores_what_the_engine_says(implicit: Instance, owner: User) -> None:
    recheck = tasks.enqueue_recheck(implicit.family, "z3", link="/x/", created_by=owner)
    assert recheck.is_live
    assert recheck.job is not None
    job_tasks.run_now(recheck.job.pk)
    recheck = type(recheck).objects.get(pk=recheck.pk)
    assert (recheck.outcome, recheck.is_live) == ("proved", False)
    assert recheck.created_by == owner


def test_an_engine_rechecks_a_family_in_one_job_at_a_time(implicit: Instance) -> None:
    first = tasks.enqueue_recheck(implicit.family, "z3", link="/x/")
    assert tasks.enqueue_recheck(implicit.family, "z3", link="/x/") == first
    assert tasks.enqueue_recheck(implicit.family, "dpll", link="/x/") != first


def test_recheck_whose_job_was_cancelled_before_it_began_is_unknown(implicit: Instance) -> None:
    recheck = tasks.enqueue_recheck(implicit.family, "z3", link="/x/")
    assert recheck.job is not None
    jobs.cancel(recheck.job)
    recheck = type(recheck).objects.get(pk=recheck.pk)
    assert (recheck.outcome, recheck.is_live) == ("unknown", False)


def _cancelled(job: Job) -> Job:
    Job.objects.filter(pk=job.pk).update(state=State.CANCELLED)
    job.refresh_from_db()
    return job
