"""Editions: a run that is graded again, while what was graded before stays as it is.

A run is graded again when the code that grades has changed, or when a file is added that was
forgotten. Either makes a further edition, with records of its own. The board shows the newest
edition that is read to its end; the ones before keep their records and their frozen report.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from grading.models import Submission, SubmissionKind
from grading.services.freezing import grader_sha256
from worlds.core.errors import BadInput

__all__ = ["current_edition", "is_outdated", "newest_edition", "next_edition", "regrade"]


def newest_edition(submission: Submission) -> Submission:
    """The edition of a run that was opened last, graded or not; costs a query."""
    newest = Submission.objects.of_run(submission).select_related("corpus").last()
    return newest or submission


def current_edition(submission: Submission) -> Submission | None:
    """The edition of a run that the board shows, if one is graded; costs a query."""
    return Submission.objects.graded().of_run(submission).first()


def is_outdated(submission: Submission) -> bool:
    """Whether other code than the code at hand graded it."""
    return submission.imported is not None and submission.grader_sha256 != grader_sha256()


def next_edition(newest: Submission, created_by: User | None) -> Submission:
    """A further edition of a run, not stored yet."""
    return Submission(
        corpus=newest.corpus,
        kind=newest.kind,
        model=newest.model,
        model_key=newest.model_key,
        run=newest.run,
        edition=newest.edition + 1,
        created_by=created_by,
    )


def regrade(submission: Submission, *, created_by: User | None = None) -> Submission:
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
        edition = next_edition(newest, created_by)
        try:
            with transaction.atomic():
                edition.save(force_insert=True)
                edition.files.set(newest.files.all())
        except IntegrityError:
            continue  # Somebody opened the same edition at this moment: look again.
        return edition
