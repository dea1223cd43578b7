"""A record as its pages show it: papers cut into pieces at the borders of clause spans.

The cut is made here, in code points, and never in the browser. Pieces carry plain text only: the
templates escape it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from worlds.core.instance import Document
from worlds.core.prose.conditions import printed
from worlds.core.prose.spans import segments

__all__ = ["Marking", "Paper", "Piece", "around_papers", "clauses_of", "papers_of"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a paper's text; `units` are those whose clause covers it, first the one shown.

    `label` is the unit that starts here, if one does. `forcing` and `missing` answer a question
    that was asked of the record: what forces a fact, and which clue is thought away.
    """

    text: str
    units: tuple[str, ...] = ()
    role: str = ""
    label: str = ""
    contradicted: bool = False
    forcing: bool = False
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Paper:
    """One document of a record; without spans it has a single piece.

    `channel` is the document's, or `story` for a record that is told as one. `name` is what a
    reference calls it.
    """

    number: int
    channel: str
    heading: str
    pieces: tuple[Piece, ...]
    name: str = ""

    @property
    def paragraphs(self) -> tuple[tuple[Piece, ...], ...]:
        """The pieces, those of a story parted at its line ends; clauses hold none."""
        if self.channel != "story":
            return (self.pieces,)
        parted: list[list[Piece]] = [[]]
        for piece in self.pieces:
            first, *others = [piece.text] if piece.units else piece.text.split("\n")
            parted[-1].append(replace(piece, text=first))
            parted.extend([replace(piece, text=other)] for other in others)
        return tuple(tuple(piece for piece in part if piece.text) for part in parted)


@dataclass(frozen=True, slots=True)
class Marking:
    """What is told of the units in a text: all of it is truth.

    `roles` maps unit ids to roles; the rest names units by their ids.
    """

    roles: Mapping[str, str]
    contradicted: Collection[str] = ()
    forcing: Collection[str] = ()
    missing: str = ""

    def piece(self, text: str, units: tuple[str, ...], label: str) -> Piece:
        """A stretch of text as this marking shows it."""
        return Piece(
            text=text,
            units=units,
            role=self.roles.get(units[0], "") if units else "",
            label=label,
            contradicted=any(unit in self.contradicted for unit in units),
            forcing=any(unit in self.forcing for unit in units),
            missing=self.missing in units,
        )


def papers_of(
    documents: Iterable[Document],
    *,
    roles: Mapping[str, str] | None = None,
    contradicted: Collection[str] = (),
    forcing: Collection[str] = (),
    missing: str = "",
    story: bool = False,
) -> tuple[Paper, ...]:
    """The papers of a record; a story is one paper.

    `roles` maps unit ids to roles and is truth: without it the text comes in one piece, and
    nothing tells where a clause stands.
    """
    if roles is None:
        return tuple(_paper(each, (Piece(each.text),), story=story) for each in documents)
    marking = Marking(roles, contradicted, forcing, missing)
    return tuple(_paper(each, _cut(each, marking), story=story) for each in documents)


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


def _cut(document: Document, marking: Marking) -> tuple[Piece, ...]:
    pieces = []
    labelled: set[str] = set()
    for segment in segments(document):
        starting = next((unit for unit in segment.units if unit not in labelled), "")
        labelled.update(segment.units)
        pieces.append(marking.piece(segment.text, segment.units, starting))
    return tuple(pieces)


def _paper(document: Document, pieces: tuple[Piece, ...], *, story: bool) -> Paper:
    if story:  # Its heading is not in the prompt, so no reader sees it.
        return Paper(document.number, "story", "", pieces, "the story")
    name = f"paper {document.number}"
    return Paper(document.number, document.channel, document.heading, pieces, name)
