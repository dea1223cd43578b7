"""What the worker does for worlds: forge a corpus, survey it, ask an engine again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.contrib.auth.models import User
from django.db import transaction

from enigmaforge_site.jobs import services as jobs
from enigmaforge_site.jobs.models import Job
from enigmaforge_site.jobs.registry import job_kind
from enigmaforge_site.jobs.tasks import enqueue
from worlds import services
from worlds.core.errors import BadInput
from worlds.core.ids import FamilyId, InstanceId
from worlds.models import Corpus, Family, LostFamily, Recheck, Trial
from worlds.services import Minter, Outcome

__all__ = [
    "enqueue_corpus",
    "enqueue_recheck",
    "enqueue_survey",
    "enqueue_trial",
    "forge_corpus",
    "patient_minter",
    "recheck",
    "survey_corpus",
    "try_world",
]

T = TypeVar("T")

_BEAT_SECONDS = 1


@job_kind("forge_corpus")
def forge_corpus(job: Job) -> None:
    """Mint every family that a corpus lacks, then give it its hash."""
    corpus = Corpus.objects.get(pk=job.argument("corpus_id"))

    def on_stored(row: Family | LostFamily) -> None:
        done = corpus.families.count()
        jobs.progress(job, done, services.step_note(row), total=corpus.family_count)

    minter = patient_minter(job, services.minter_of(corpus))
    services.mint_missing(corpus, minter=minter, on_stored=on_stored)
    services.complete_corpus(corpus)


def patient_minter(job: Job, mint: Minter) -> Minter:
    """A minter that shows a sign of life every second, however long one family takes."""

    def minter(family: FamilyId) -> Outcome:
        return _patiently(job, f"forging {family}", lambda: mint(family))

    return minter


def _patiently(job: Job, note: str, work: Callable[[], T]) -> T:
    """Do work that touches no database, with a sign of life every second.

    The work is done in a thread; this one goes on asking whether the job is to stop, and then
    leaves the thread to end by itself.
    """
    pool = ThreadPoolExecutor(max_workers=1)
    try:
        coming = pool.submit(work)
        while True:
            try:
                return coming.result(timeout=_BEAT_SECONDS)
            except TimeoutError:
                jobs.progress(job, job.done, note)
    finally:
        pool.shutdown(wait=False)


@job_kind("survey_corpus")
def survey_corpus(job: Job) -> None:
    """Compute the figures of a complete corpus, for its page."""
    corpus = Corpus.objects.get(pk=job.argument("corpus_id"))
    note = f"reading the records of {corpus.slug}"
    services.survey_corpus(corpus, compute=lambda work: _patiently(job, note, work))


@job_kind("recheck")
def recheck(job: Job) -> None:
    """Let one engine judge a family once more; cancelling the job kills it."""
    row = Recheck.objects.select_related("family").get(job=job)
    note = f"{services.ENGINES[row.engine]} is thinking"
    services.recheck_family(row, tick=lambda: jobs.progress(job, 0, note))


@job_kind("try_world")
def try_world(job: Job) -> None:
    """Forge the families of a trial that are not forged yet."""
    trial = Trial.objects.filter(pk=job.argument("trial_id")).first()
    if trial is None:
        raise BadInput("trial", job.argument("trial_id"), "one that is still kept; ask again")
    services.try_families(
        trial,
        do=lambda family, work: _patiently(job, f"forging {family}", work),
        on_stored=lambda done, total: jobs.progress(job, done, total=total),
    )


def enqueue_corpus(corpus: Corpus, *, created_by: User | None = None) -> Job:
    """Have a corpus forged; while a job does so already, return that one."""
    return enqueue("forge_corpus", **services.forge_job(corpus), created_by=created_by)


def enqueue_survey(corpus: Corpus, *, created_by: User | None = None) -> Job:
    """Have a complete corpus surveyed; while a job does so already, return that one."""
    return enqueue("survey_corpus", **services.survey_job(corpus), created_by=created_by)


def enqueue_recheck(
    family: Family, engine: str, *, link: str, created_by: User | None = None
) -> Recheck:
    """Have an engine judge a family; while it does so already, return that recheck."""
    with transaction.atomic():
        job = enqueue(
            "recheck",
            {"family_id": family.pk, "engine": engine},
            title=f"Ask {services.ENGINES[engine]} about {family.family_id}",
            key=f"recheck:{engine}:{family.pk}",
            link=link,
            created_by=created_by,
        )
        return services.open_recheck(job, family, engine, created_by=created_by)


def enqueue_trial(
    wanted: Sequence[InstanceId], *, link: str, created_by: User | None = None
) -> Trial:
    """Have a few surfaces forged to be looked at; those that were are not forged again."""
    with transaction.atomic():
        trial = services.open_trial(wanted, created_by=created_by)
        if trial.finished is None:
            families = len({instance.family for instance in wanted})
            trial.job = enqueue(
                "try_world",
                {"trial_id": trial.pk},
                title=f"Try {wanted[0].family}" + (", in other genres too" if families > 1 else ""),
                key=f"try_world:{trial.key}",
                link=link,
                total=families,
                created_by=created_by,
            )
            trial.save(update_fields=("job",))
        return trial
