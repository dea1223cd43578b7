"""What a submission's replies show beyond its scores: its findings counted, its telling records.

Both tell the truth of instances, so they are for whoever may see it. Counts are of records, not of
findings: one record that adopted three distractors counts once, as the list behind the count does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any

from django.db.models import Case, Count, IntegerField, Value, When

from grading.core.diagnose import Kind
from grading.core.statuses import Status
from grading.models import CONTRADICTED, Record, Submission, has_finding

__all__ = [
    "MOST_TELLING",
    "Breakdown",
    "StatusLine",
    "Telling",
    "breakdown_of",
    "statuses_of",
    "telling_of",
]

MOST_TELLING = 10

_FOUND: Mapping[str, str] = {
    Kind.RIGHT_WORLD_WRONG_ACTION: "World exact, action wrong",
    Kind.LUCKY_ACTION: "Action right, world not exact",
    Kind.FOLLOWED_PROVISIONAL: "Followed the superseded rule",
    Kind.ADOPTED_DISTRACTOR: "Took a report for evidence",
    Kind.MISSED_BRIDGE: "Answered a bridge wrongly",
    Kind.STOPPED_AT_APPARENT_GOAL: "Stopped at the apparent goal",
    CONTRADICTED: "Contradicts a clue of the record",
    Kind.PARTIAL_WORLD: "Left facts without a value",
    Kind.UNREADABLE: "No readable answer",
}
"""Every finding in words, the most telling first."""

_TELLS = {
    Kind.RIGHT_WORLD_WRONG_ACTION: "It read everything rightly and did not see what to do with it.",
    Kind.LUCKY_ACTION: "It did the right thing for a wrong reason.",
    Kind.FOLLOWED_PROVISIONAL: "It acted on the rule that a later paper takes back.",
    Kind.ADOPTED_DISTRACTOR: "It believed what somebody only said.",
    Kind.MISSED_BRIDGE: "It reasoned soundly from a wrong piece of common knowledge.",
    Kind.STOPPED_AT_APPARENT_GOAL: "It answered the question that only seems to be asked.",
}
"""The findings that say something of how a solver thinks, and what they say."""


@dataclass(frozen=True, slots=True)
class Breakdown:
    """How many records have a finding, in all and for each condition in order."""

    kind: str
    words: str
    total: int
    counts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Telling:
    """A record worth reading, and why."""

    record: Record
    kind: Kind
    words: str


@dataclass(frozen=True, slots=True)
class StatusLine:
    """How many records ended in a status, in all and for each condition in order."""

    status: str
    is_missing_mass: bool
    total: int
    counts: tuple[tuple[str, int], ...]


def breakdown_of(submission: Submission, conditions: Sequence[str]) -> list[Breakdown]:
    """Count the findings by condition, those that occur; one query."""
    counted = {
        f"found{at}": Count("pk", filter=has_finding(kind)) for at, kind in enumerate(_FOUND)
    }
    rows = submission.records.order_by().values("instance__condition").annotate(**counted)
    found: dict[str, dict[str, Any]] = {row["instance__condition"]: dict(row) for row in rows}
    lines = []
    for at, (kind, words) in enumerate(_FOUND.items()):
        counts = tuple((each, found.get(each, {}).get(f"found{at}", 0)) for each in conditions)
        if total := sum(count for _, count in counts):
            lines.append(Breakdown(kind, words, total, counts))
    return lines


def telling_of(submission: Submission) -> list[Telling]:
    """The ten most telling records: one of each kind in turn, for as long as there are any.

    The kinds are those of `_TELLS` in their order. Of a kind the records under the implicit
    condition come first, then those of the highest level, then the order of ids and epochs. A
    record that is telling in two ways stands once, under the first. Costs a query for each kind.
    """
    queues = [[(kind, record) for record in _hardest(submission, kind)] for kind in _TELLS]
    chosen: dict[int, Telling] = {}
    for turn in chain.from_iterable(zip_longest(*queues)):
        if turn is not None and len(chosen) < MOST_TELLING:
            kind, record = turn
            chosen.setdefault(record.pk, Telling(record, kind, _TELLS[kind]))
    return list(chosen.values())


def statuses_of(row: Mapping[str, Any], conditions: Sequence[str]) -> list[StatusLine]:
    """The records of a report's row by status and condition; a status without any is left out."""
    found = {condition: Counter[str]() for condition in conditions}
    for group in row.get("status_groups", ()):
        found[group["condition"]].update(group["statuses"])
    return [
        StatusLine(
            status.value,
            not status.is_scored,
            row["statuses"][status.value],
            tuple((condition, found[condition][status.value]) for condition in conditions),
        )
        for status in Status
        if row["statuses"][status.value]
    ]


def _hardest(submission: Submission, kind: Kind) -> Sequence[Record]:
    implicit_first = Case(
        When(instance__condition="implicit", then=Value(0)),
        default=Value(1),
        output_field=IntegerField(),
    )
    return list(
        submission.records.with_finding(kind)
        .for_lists()
        .order_by(implicit_first, "-instance__level", "instance__sample_id", "epoch")[:MOST_TELLING]
    )
