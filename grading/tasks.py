"""What the worker does for grading: import, withdraw, run the controls, freeze a report."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from enigmaforge_site.jobs import services as jobs
from enigmaforge_site.jobs.models import Job
from enigmaforge_site.jobs.registry import job_kind
from enigmaforge_site.jobs.tasks import enqueue
from grading.models import Participant, Submission
from grading.services.answering import grade_answers
from grading.services.controlling import run_controls, steps_of_controls
from grading.services.discarding import discard_submission
from grading.services.freezing import freeze_report
from grading.services.importing import import_submission
from worlds.models import Corpus

__all__ = [
    "enqueue_answers",
    "enqueue_controls",
    "enqueue_import",
    "enqueue_report",
    "enqueue_withdrawal",
]


@job_kind("import_submission")
def _import_submission(job: Job) -> None:
    """Import the files of a submission, then freeze the report that has it."""
    submission = Submission.objects.select_related("corpus").get(pk=job.argument("submission_id"))
    expected = submission.corpus.instances.count()

    def on_progress(done: int, note: str) -> None:
        jobs.progress(job, done, note, total=max(expected, done))

    import_submission(submission, on_progress=on_progress)
    stored = submission.records.count()
    jobs.progress(job, stored, "computing the scores", total=stored)
    freeze_report(submission.corpus)


@job_kind("withdraw_submission")
def _withdraw_submission(job: Job) -> None:
    """Remove an edition of a run with those after it, then freeze the report that lacks them."""
    corpus = Corpus.objects.get(pk=job.argument("corpus_id"))
    submission = Submission.objects.filter(pk=job.argument("submission_id")).first()
    if submission is not None:  # Else it was removed before this job was interrupted.
        discard_submission(submission)
    jobs.progress(job, 1, "computing the report", total=1)
    freeze_report(corpus)


@job_kind("run_controls")
def _run_controls(job: Job) -> None:
    """Run the controls that this code has not run on a corpus, then freeze its report."""
    corpus = Corpus.objects.get(pk=job.argument("corpus_id"))
    steps = steps_of_controls(corpus)
    run_controls(
        corpus,
        on_progress=lambda done, note: jobs.progress(job, done, note, total=steps),
    )
    jobs.progress(job, steps, "computing the report", total=steps)
    freeze_report(corpus)


@job_kind("grade_answers")
def _grade_answers(job: Job) -> None:
    """Grade what a person handed in, then freeze the report that has it."""
    found = Participant.objects.select_related("corpus", "submission")
    participant = found.get(pk=job.argument("participant_id"))

    def on_progress(done: int, note: str) -> None:
        jobs.progress(job, done, note)

    grade_answers(participant, on_progress=on_progress)
    freeze_report(participant.corpus)


@job_kind("freeze_report")
def _freeze_report(job: Job) -> None:
    """Compute a corpus's report anew from the stored rows."""
    freeze_report(Corpus.objects.get(pk=job.argument("corpus_id")))


def enqueue_import(submission: Submission, *, created_by: User | None = None) -> Job:
    """Have a submission imported; while a job does so already, return that one."""
    with transaction.atomic():
        job = enqueue(
            "import_submission",
            {"submission_id": submission.pk},
            title=f"Grade {submission.label} on {submission.corpus.slug}"[:200],
            key=submission.job_key,
            link=submission.get_absolute_url(),
            created_by=created_by,
        )
        Submission.objects.filter(pk=submission.pk).update(job=job)
    return job


def enqueue_withdrawal(submission: Submission, *, link: str, created_by: User | None = None) -> Job:
    """Have an edition of a run removed with those after it; their imports are cancelled."""
    editions = Submission.objects.of_run(submission).filter(edition__gte=submission.edition)
    for edition in editions.exclude(job=None).select_related("job"):
        assert edition.job is not None
        jobs.cancel(edition.job)
    return enqueue(
        "withdraw_submission",
        {"submission_id": submission.pk, "corpus_id": submission.corpus_id},
        title=f"Withdraw {submission.label} from {submission.corpus.slug}"[:200],
        key=f"withdraw_submission:{submission.pk}",
        link=link,
        created_by=created_by,
    )


def enqueue_controls(corpus: Corpus, *, link: str, created_by: User | None = None) -> Job:
    """Have the controls run on a corpus; while a job does so already, return that one."""
    return enqueue(
        "run_controls",
        {"corpus_id": corpus.pk},
        title=f"Run the controls on {corpus.slug}",
        key=f"run_controls:{corpus.slug}",
        link=link,
        created_by=created_by,
    )


def enqueue_answers(participant: Participant, *, link: str) -> Job:
    """Have a person's answers graded; while a job does so already, return that one.

    The job is nobody's: whose it is would tell who is behind a label.
    """
    return enqueue(
        "grade_answers",
        {"participant_id": participant.pk},
        title=f"Grade the answers of {participant.label} on {participant.corpus.slug}"[:200],
        key=participant.job_key,
        link=link,
    )


def enqueue_report(corpus: Corpus) -> Job:
    """Have the report of a corpus computed anew; while a job does so already, return that one."""
    return enqueue(
        "freeze_report",
        {"corpus_id": corpus.pk},
        title=f"Compute the report on {corpus.slug}",
        key=f"freeze_report:{corpus.slug}",
    )
