"""What a corpus expects of a submission and what is there, counted by status."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count

from grading.core.statuses import Status
from grading.models import Submission

__all__ = ["Standing", "forgotten_of", "standing_of"]

_SECOND_FILE = {
    "openai-batch": "An OpenAI batch has a second file, for the requests that ended in an error.",
    "inspect-eval": "A run that was resumed has a second log.",
    "inspect-json": "A run that was resumed has a second log.",
}


@dataclass(frozen=True, slots=True)
class Standing:
    """Counts of one submission.

    `by_status` counts records, and under `missing` the instances without any; with several epochs
    there are more records than instances.
    """

    expected: int
    present: int
    records: int
    by_status: tuple[tuple[str, int], ...]

    @property
    def missing(self) -> int:
        """How many instances have no record."""
        return self.expected - self.present


def standing_of(submission: Submission) -> Standing:
    """Count; costs three queries."""
    expected = submission.corpus.instances.count()
    present = submission.records.aggregate(n=Count("instance", distinct=True))["n"]
    counted = dict(submission.records.order_by().values_list("status").annotate(n=Count("pk")))
    counted[Status.MISSING.value] = expected - present
    return Standing(
        expected=expected,
        present=present,
        records=sum(n for status, n in counted.items() if status != Status.MISSING),
        by_status=tuple((status.value, counted.get(status.value, 0)) for status in Status),
    )


def forgotten_of(submission: Submission, standing: Standing) -> str:
    """Which file may be forgotten when replies are missing of a graded run; else nothing."""
    if submission.imported is None or not standing.missing:
        return ""
    known = [_SECOND_FILE[name] for name in submission.formats if name in _SECOND_FILE]
    return known[0] if known else "What is missing may stand in another file of the run."
