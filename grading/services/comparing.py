"""Solvers of a board beside each other, from their stored rows.

A comparison of two over 600 instances takes a few hundredths of a second, so it is computed when it
is asked for; what is compared are the submissions that the board shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grading.core.compare import Comparison, Difference, Who, compare
from grading.core.metrics import METRICS, Unscored, tabulate
from grading.core.statistics import Bootstrap
from grading.models import Record, Submission
from grading.services.board import Drawn
from grading.services.rows import denominator_of, graded_rows
from worlds.models import Corpus, Instance

__all__ = ["Group", "Line", "Pair", "SideBySide", "pairs_of", "side_by_side"]

_METRICS = {metric.name: metric for metric in METRICS}


@dataclass(frozen=True, slots=True)
class Line:
    """One difference with the words and the unit of its score."""

    label: str
    unit: str
    found: Difference

    @property
    def drawn(self) -> Drawn:
        """The difference on an axis from −100 to 100, or −1 to 1, laid over 0 to 100."""
        found, half = self.found, 50 if self.unit == "0–1" else 0.5

        def along(number: float | None) -> float | None:
            return None if number is None else min(100.0, max(0.0, 50 + half * number))

        bounds = (found.least, found.most) if found.is_open else (None, None)
        return Drawn(
            along(found.value) or 0.0,
            along(found.interval.low),
            along(found.interval.high),
            along(bounds[0]),
            along(bounds[1]),
        )


@dataclass(frozen=True, slots=True)
class Group:
    """The instances that both solved, one of the two, or neither.

    `lacking` of them lack a reply of one of the two, which counts as not solved.
    """

    who: Who
    count: int
    lacking: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two submissions and what is said of them; where nothing can be, `reason` says why."""

    first: Submission
    second: Submission
    found: Comparison | None
    reason: str = ""

    @property
    def lines(self) -> list[Line]:
        """The differences, the score that boards rank by first."""
        if self.found is None:
            return []
        lines = [
            Line(_METRICS[each.metric].label, _METRICS[each.metric].unit, each)
            for each in self.found.differences
        ]
        return sorted(lines, key=lambda line: line.found.metric != "task_success")

    @property
    def groups(self) -> list[Group]:
        """Who solved how many instances."""
        if self.found is None:
            return []
        lacking = self.found.lacking
        return [
            Group(who, len(ids), sum(sample_id in lacking for sample_id in ids))
            for who, ids in self.found.solved.items()
        ]

    @property
    def complete_families(self) -> int:
        """How many families have every reply of both."""
        return self.lines[0].found.complete_families


@dataclass(frozen=True, slots=True)
class SideBySide:
    """One instance with the records of two submissions, by epoch; none where a reply is missing."""

    instance: Instance
    first: tuple[Record, ...]
    second: tuple[Record, ...]


def pairs_of(corpus: Corpus, submissions: Sequence[Submission], condition: str) -> list[Pair]:
    """Compare the first submission with each of the others; costs two queries.

    An empty condition is all of them.
    """
    denominator = denominator_of(corpus)
    rows = graded_rows(Submission.objects.filter(pk__in=[each.pk for each in submissions]))
    bootstrap = Bootstrap(corpus.sha256)
    tables = [tabulate(denominator, rows.get(each.pk, ())) for each in submissions]
    pairs = []
    for submission, table in zip(submissions[1:], tables[1:], strict=True):
        found = compare(bootstrap, tables[0], table, condition)
        if isinstance(found, Unscored):
            pairs.append(Pair(submissions[0], submission, None, found.reason))
        else:
            pairs.append(Pair(submissions[0], submission, found))
    return pairs


def side_by_side(corpus: Corpus, pair: Pair, sample_ids: Sequence[str]) -> list[SideBySide]:
    """The instances of one page with what both replied, without any reply or diagnosis."""
    instances = corpus.instances.filter(sample_id__in=sample_ids).for_lists()
    records = (
        Record.objects.filter(
            submission__in=(pair.first, pair.second), instance__sample_id__in=sample_ids
        )
        .order_by("epoch")
        .for_lists()
        .defer("diagnosis")
    )
    found: dict[tuple[int, int], list[Record]] = {}
    for record in records:
        found.setdefault((record.instance_id, record.submission_id), []).append(record)

    def of(instance: Instance, submission: Submission) -> tuple[Record, ...]:
        return tuple(found.get((instance.pk, submission.pk), ()))

    return [
        SideBySide(instance, of(instance, pair.first), of(instance, pair.second))
        for instance in sorted(instances, key=lambda instance: instance.sample_id)
    ]
