"""Editions: a run that is graded again, while what was graded before stays as it is.

A run is graded again when the code that grades has changed, or when a file is added that was
forgotten. Either makes a further edition, with records of its own. The board shows the newest
edition that is read to its end; the ones before keep their records and their frozen report.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from grading.models import Report, Submission, SubmissionKind
from grading.services.freezing import grader_sha256, latest_report
from worlds.core.errors import BadInput
from worlds.models import Corpus

__all__ = [
    "Editions",
    "editions_of",
    "find_submission",
    "is_outdated",
    "newest_edition",
    "next_edition",
    "outdated_runs",
    "regrade",
    "report_of",
]


@dataclass(frozen=True, slots=True)
class Editions:
    """One edition of a run among all of them; `shown` is the one on the board, if one is."""

    submission: Submission
    all: tuple[Submission, ...]
    shown: Submission | None

    @property
    def is_superseded(self) -> bool:
        """Whether the board shows a newer edition than this one."""
        return self.shown is not None and self.shown.edition > self.submission.edition

    @property
    def is_outdated(self) -> bool:
        """Whether other code than the code at hand graded what the board shows."""
        return self.shown is not None and is_outdated(self.shown)


def editions_of(submission: Submission) -> Editions:
    """Every edition of a submission's run, with its report and job; costs a query."""
    rows = Submission.objects.of_run(submission).select_related("corpus", "report", "job")
    editions = tuple(rows)
    graded = [edition for edition in editions if edition.imported is not None]
    return Editions(submission, editions, graded[-1] if graded else None)


def report_of(editions: Editions) -> Report | None:
    """The report with an edition's scores: the latest, or the last one while it was on the board.

    Costs a query. There is none for a new edition that no report has yet.
    """
    submission = editions.submission
    if editions.is_superseded or (submission.edition > 1 and submission.report is None):
        return submission.report
    return latest_report(submission.corpus)


def find_submission(number: int) -> Submission:
    """The submission of that number; raises BadInput when there is none."""
    submission = Submission.objects.select_related("corpus").filter(pk=number).first()
    if submission is None:
        raise BadInput("submission", number, "the number of a submission, as in its address")
    return submission


def outdated_runs(corpus: Corpus) -> QuerySet[Submission]:
    """What the board shows of models and other code than the code at hand graded."""
    shown = Submission.objects.filter(corpus=corpus).graded().of_models()
    return shown.exclude(grader_sha256=grader_sha256()).select_related("corpus").order_by("pk")


def newest_edition(submission: Submission) -> Submission:
    """The edition of a run that was opened last, graded or not; costs a query."""
    newest = Submission.objects.of_run(submission).select_related("corpus").last()
    return newest or submission


def is_outdated(submission: Submission) -> bool:
    """Whether other code than the code at hand graded it."""
    return submission.imported is not None and submission.grader_sha256 != grader_sha256()


def next_edition(newest: Submission, created_by: User | None) -> Submission:
    """A further edition of a run, not stored yet; `created_by` is whose upload it is."""
    return Submission(
        corpus=newest.corpus,
        kind=newest.kind,
        model=newest.model,
        model_key=newest.model_key,
        run=newest.run,
        edition=newest.edition + 1,
        created_by=created_by,
    )


def regrade(submission: Submission) -> Submission:
    """Open an edition of a run for the code at hand; the stored files are still to be read.

    One that was opened before and is not graded yet is returned again. Raises BadInput for a
    control, which is run again instead, and for a run that this code has graded already.
    """
    if submission.kind != SubmissionKind.MODEL:
        raise BadInput("submission", submission.label, "the replies of a model; see: controls")
    while True:
        newest = newest_edition(submission)
        if newest.imported is None:
            return newest
        if not is_outdated(newest):
            told = f"{newest.label}, which this code has graded"
            raise BadInput("submission", told, "one that an earlier version of the grader graded")
        edition = next_edition(newest, newest.created_by)
        try:
            with transaction.atomic():
                edition.save(force_insert=True)
                edition.files.set(newest.files.all())
        except IntegrityError:
            continue  # Somebody opened the same edition at this moment: look again.
        return edition
