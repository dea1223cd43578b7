"""Stored records as the plain rows that the core counts; never as objects."""

from __future__ import annotations

from collections import defaultdict

from django.db.models import QuerySet

from grading.core.metrics import Corpus as Denominator
from grading.core.metrics import Item
from grading.core.records import GradedRow
from grading.core.statuses import Status
from grading.models import Record, Submission
from worlds.models import Corpus

__all__ = ["denominator_of", "graded_rows"]

_COLUMNS = (
    "instance__sample_id", "epoch", "status", "stop_unknown", "n", "stated", "tp", "world_exact",
    "action_correct", "policy_consistent", "task_success",
)  # fmt: skip


def denominator_of(corpus: Corpus) -> Denominator:
    """The instances that a solver is expected to answer, by id; one query."""
    rows = corpus.instances.order_by("sample_id").values_list(
        "sample_id", "family__family_id", "level", "genre", "condition", "realization", "burial",
        "contract",
    )  # fmt: skip
    return Denominator(corpus.slug, corpus.sha256, tuple(Item(*row) for row in rows))


def graded_rows(submissions: QuerySet[Submission]) -> dict[int, tuple[GradedRow, ...]]:
    """The rows of each submission by its primary key, ordered by id and epoch; one query."""
    found: dict[int, list[GradedRow]] = defaultdict(list)
    query = Record.objects.filter(submission__in=submissions)
    query = query.order_by("instance__sample_id", "epoch")
    for pk, sample_id, epoch, status, *rest in query.values_list("submission_id", *_COLUMNS):
        found[pk].append(GradedRow(sample_id, epoch, Status(status), *rest))
    return {pk: tuple(rows) for pk, rows in found.items()}
