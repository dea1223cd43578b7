"""Remove a submission with all that belongs to it, files included."""

from __future__ import annotations

from grading.models import Submission

__all__ = ["discard_submission"]


def discard_submission(submission: Submission) -> None:
    """Delete the rows first, then the files: a file without a row harms nobody."""
    stored = [file.stored for file in submission.files.all()]
    if submission.rejected:
        stored.append(submission.rejected)
    submission.delete()
    for file in stored:
        file.delete(save=False)
