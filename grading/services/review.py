"""A record held against the truth, for whoever may see it: facts, action, findings, clues.

Everything is read from what was stored when the reply was graded; nothing is graded here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from grading.models import Record
from worlds.core.constraints import Value
from worlds.core.instance import Document
from worlds.core.model import World
from worlds.core.policy import Action
from worlds.services import EvidenceCard, documents_of, evidence_of, world_of
from worlds.services.evidence import action_in_words

__all__ = ["Contradiction", "FactRow", "Finding", "Reply", "Review", "reply_of", "review_of"]

_MOST_SHOWN = 60_000

_FINDINGS = {
    "followed-provisional": "Followed the provisional rule, which a later paper supersedes.",
    "stopped-at-apparent-goal": "Answered the apparent question and stopped there.",
    "adopted-distractor": "Took {unit}, which only reports what others say, for evidence.",
    "missed-bridge": "The stated facts are those of a wrong answer to {unit}.",
    "right-world-wrong-action": "Found the whole world, and drew the wrong action from it.",
    "lucky-action": "The action is right, the world it should rest on is not.",
    "partial-world": "Found a part of the world.",
    "unreadable": "Nothing in the reply could be read as an answer.",
}


@dataclass(frozen=True, slots=True)
class FactRow:
    """One fact: what the reply states of it, what is true, and the verdict."""

    mark: str
    role: str
    stated: tuple[str, ...]
    truth: Value
    verdict: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of the diagnosis, by kind and in words."""

    kind: str
    unit: str
    words: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A clue that cannot be true in the world that the reply states."""

    card: EvidenceCard
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply cut at the borders of what was graded.

    `left_out` counts characters that are not shown, `earlier` the answers before the graded one.
    """

    before: str
    graded: str
    after: str
    left_out: int
    earlier: int = 0


@dataclass(frozen=True, slots=True)
class Review:
    """All that is known about a graded record."""

    facts: tuple[FactRow, ...]
    unknown: tuple[str, ...]
    action_stated: str
    action_count: int
    action_required: str
    findings: tuple[Finding, ...]
    contradicted: tuple[Contradiction, ...]


def review_of(record: Record) -> Review | None:
    """Explain a record that was loaded with its family; None for missing mass. No query."""
    if record.grade is None:
        return None
    family = record.instance.family
    world = world_of(family)
    documents = documents_of(record.instance.documents)
    units = tuple(record.diagnosis.get("contradicted", ()))
    cards = evidence_of(world, family.certificate, documents, contradicted=units)
    grade = record.grade
    return Review(
        facts=_facts(grade["verdicts"], world),
        unknown=tuple(grade["unknown"]),
        action_stated=_action(grade["action"]),
        action_count=grade["action_count"],
        action_required=action_in_words(world.action),
        findings=tuple(_finding(each) for each in record.diagnosis.get("findings", ())),
        contradicted=tuple(
            Contradiction(card, _quotes(documents, card.id)) for card in cards if card.contradicted
        ),
    )


def reply_of(record: Record) -> Reply:
    """The reply as it was received, cut where the graded answer begins and ends.

    A very long one is shortened outside of what was graded, and then at the graded end itself.
    """
    text = record.completion
    if record.answer_start is None or record.answer_end is None:
        return _shortened(text, "", "")
    start, end = record.answer_start, record.answer_end
    cut = _shortened(text[:start], text[start:end], text[end:])
    return replace(cut, earlier=(record.grade or {}).get("earlier", 0))


def _shortened(before: str, graded: str, after: str) -> Reply:
    whole = len(before) + len(graded) + len(after)
    graded = graded[:_MOST_SHOWN]
    room = (_MOST_SHOWN - len(graded)) // 2
    if not graded:
        before, after = before[: 2 * room], ""
    else:
        before, after = before[-room:] if room else "", after[:room]
    return Reply(before, graded, after, whole - len(before) - len(graded) - len(after))


def _facts(verdicts: Sequence[Mapping[str, Any]], world: World) -> tuple[FactRow, ...]:
    variables = {variable.id: variable for variable in world.variables}
    return tuple(
        FactRow(
            mark=each["mark"],
            role=variables[each["variable"]].role,
            stated=tuple(each["stated"]),
            truth=world.solution[each["variable"]],
            verdict=each["verdict"],
        )
        for each in verdicts
    )


def _action(action: Mapping[str, str] | None) -> str:
    return action_in_words(Action(**action)) if action else ""


def _finding(finding: Mapping[str, Any]) -> Finding:
    kind, unit = finding["kind"], finding.get("unit") or ""
    return Finding(kind, unit, _FINDINGS.get(kind, kind).format(unit=unit))


def _quotes(documents: Sequence[Document], unit: str) -> tuple[str, ...]:
    return tuple(
        document.clause(span)
        for document in documents
        for span in document.spans
        if span.unit == unit
    )
