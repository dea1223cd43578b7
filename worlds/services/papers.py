"""A record as its pages show it: papers cut into pieces at the borders of clause spans.

The cut is made here, in code points, and never in the browser. Pieces carry plain text only: the
templates escape it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from worlds.core.instance import Document
from worlds.core.prose.conditions import printed
from worlds.core.prose.spans import segments

__all__ = ["Paper", "Piece", "around_papers", "clauses_of", "papers_of"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a paper's text; `units` are those whose clause covers it, first the one shown.

    `label` is the unit that starts here, if one does.
    """

    text: str
    units: tuple[str, ...] = ()
    role: str = ""
    label: str = ""
    contradicted: bool = False


@dataclass(frozen=True, slots=True)
class Paper:
    """One document of a record; without spans it has a single piece."""

    number: int
    channel: str
    heading: str
    pieces: tuple[Piece, ...]


def papers_of(
    documents: Iterable[Document],
    *,
    roles: Mapping[str, str] | None = None,
    contradicted: Collection[str] = (),
) -> tuple[Paper, ...]:
    """The papers of a record.

    `roles` maps unit ids to roles and is truth: without it the text comes in one piece, and
    nothing tells where a clause stands.
    """
    if roles is None:
        return tuple(_paper(document, (Piece(document.text),)) for document in documents)
    return tuple(_cut(document, roles, contradicted) for document in documents)


def around_papers(prompt: str, documents: Sequence[Document]) -> tuple[str, str]:
    """What a prompt says before its papers, and after them.

    Without papers all of it is before; a prompt that does not hold them shows nothing around them.
    """
    if not documents:
        return prompt, ""
    story = printed(documents[0]) not in prompt
    first, last = (printed(document, story=story) for document in (documents[0], documents[-1]))
    before, found, _ = prompt.partition(first)
    _, found_last, after = prompt.rpartition(last)
    return (before.strip(), after.strip()) if found and found_last else ("", "")


def clauses_of(documents: Iterable[Document]) -> Mapping[str, str]:
    """The clause of each unit, word for word; the first where a unit has several."""
    found: dict[str, str] = {}
    for document in documents:
        for span in document.spans:
            found.setdefault(span.unit, document.clause(span))
    return found


def _cut(document: Document, roles: Mapping[str, str], contradicted: Collection[str]) -> Paper:
    pieces = []
    labelled: set[str] = set()
    for segment in segments(document):
        starting = next((unit for unit in segment.units if unit not in labelled), "")
        labelled.update(segment.units)
        pieces.append(
            Piece(
                text=segment.text,
                units=segment.units,
                role=roles.get(segment.units[0], "") if segment.units else "",
                label=starting,
                contradicted=any(unit in contradicted for unit in segment.units),
            )
        )
    return _paper(document, tuple(pieces))


def _paper(document: Document, pieces: tuple[Piece, ...]) -> Paper:
    return Paper(document.number, document.channel, document.heading, pieces)
