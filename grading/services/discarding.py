"""Remove a submission with all that belongs to it, files included."""

from __future__ import annotations

from django.db import transaction

from grading.models import Submission

__all__ = ["discard_submission"]


def discard_submission(submission: Submission) -> None:
    """Delete an edition of a run and those after it, which are read from its files as well.

    Rows go first, then the files: a file without a row harms nobody.
    """
    editions = Submission.objects.of_run(submission).filter(edition__gte=submission.edition)
    with transaction.atomic():
        doomed = list(editions.prefetch_related("received"))
        stored = [file.stored for edition in doomed for file in edition.received.all()]
        stored += [edition.rejected for edition in doomed if edition.rejected]
        for edition in reversed(doomed):
            edition.delete()
    for file in stored:
        file.delete(save=False)
