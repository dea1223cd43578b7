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

from django.db.models import Case, IntegerField, Value, When
from django.db.models.fields.json import KT

from grading.core.diagnose import Kind
from grading.core.statuses import Status
from grading.models import CONTRADICTED, Record, Submission

__all__ = [
    "MOST_TELLING",
    "Breakdown",
    "Found",
    "StatusLine",
    "Telling",
    "breakdown_of",
    "findings_of",
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
class Found:
    """A record, the condition of its instance and what its diagnosis found."""

    pk: int
    condition: str
    kinds: frozenset[str]


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


def findings_of(submission: Submission) -> list[Found]:
    """The records with a finding, in the order of `telling_of`; costs a query.

    One query reads the diagnoses of all records; to ask for each kind would read them each time.
    """
    implicit_first = Case(
        When(instance__condition="implicit", then=Value(0)),
        default=Value(1),
        output_field=IntegerField(),
    )
    rows = submission.records.order_by(
        implicit_first, "-instance__level", "instance__sample_id", "epoch"
    ).values_list(
        "pk", "instance__condition", KT("diagnosis__findings"), KT("diagnosis__contradicted__0")
    )
    read = (Found(pk, condition, _kinds(*texts)) for pk, condition, *texts in rows)
    return [found for found in read if found.kinds]


def breakdown_of(found: Sequence[Found], conditions: Sequence[str]) -> list[Breakdown]:
    """Count the findings by condition, those that occur."""
    counted = Counter((kind, one.condition) for one in found for kind in one.kinds)
    lines = []
    for kind, words in _FOUND.items():
        counts = tuple((condition, counted[kind, condition]) for condition in conditions)
        if total := sum(count for _, count in counts):
            lines.append(Breakdown(kind, words, total, counts))
    return lines


def telling_of(found: Sequence[Found]) -> list[Telling]:
    """The ten most telling records: one of each kind in turn, for as long as there are any.

    The kinds are those of `_TELLS` in their order. Of a kind the records under the implicit
    condition come first, then those of the highest level, then the order of ids and epochs. A
    record that is telling in two ways stands once, under the first. Costs a query.
    """
    queues = [[(kind, one.pk) for one in found if kind in one.kinds] for kind in _TELLS]
    chosen: dict[int, Kind] = {}
    for turn in chain.from_iterable(zip_longest(*queues)):
        if turn is not None and len(chosen) < MOST_TELLING:
            kind, pk = turn
            chosen.setdefault(pk, kind)
    records = {record.pk: record for record in Record.objects.filter(pk__in=chosen).for_lists()}
    return [Telling(records[pk], kind, _TELLS[kind]) for pk, kind in chosen.items()]


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


def _kinds(findings: str | None, contradicted: str | None) -> frozenset[str]:
    """The kinds that a diagnosis names, as `has_finding` finds them in its text."""
    kinds = {kind for kind in _FOUND if findings and f'"{kind}"' in findings}
    return frozenset(kinds | {CONTRADICTED} if contradicted is not None else kinds)
