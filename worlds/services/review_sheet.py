"""All that a reviewer needs to judge one distractor: its claim, its refutation, its record.

Nothing here is for visitors: whoever calls it has asked first whether the reader may know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from worlds.core.instance import Document, Span
from worlds.core.model import Bridge, Unit, World
from worlds.core.policy import Action
from worlds.core.prose.formal import constraint_text
from worlds.core.prose.spans import cut
from worlds.models import ReviewEntry, ReviewItem, Said
from worlds.services.evidence import Change, action_in_words, changes_of
from worlds.services.instances import world_of
from worlds.services.reviewing import Content

__all__ = ["Bait", "CoreClue", "Note", "ReviewPaper", "ReviewPiece", "ReviewSheet", "sheet_of"]


@dataclass(frozen=True, slots=True)
class CoreClue:
    """A clue of the refutation: what it says, and the sentence that says it."""

    unit: str
    words: str
    clause: str
    paper: int


@dataclass(frozen=True, slots=True)
class Bait:
    """What becomes of a reader who believes the distractor in the place of a clue."""

    clue: str
    models: int
    changes: tuple[Change, ...]
    action: str
    action_changed: bool


@dataclass(frozen=True, slots=True)
class Note:
    """A comment on the text as it stands, numbered in the order of the record."""

    number: int
    entry: ReviewEntry
    paper: int


@dataclass(frozen=True, slots=True)
class ReviewPiece:
    """A stretch of a paper: the unit whose clause it is part of, and the notes on it.

    `label` is the unit if its clause starts here; `ending` holds the notes whose words end here.
    """

    text: str
    unit: str = ""
    label: str = ""
    notes: tuple[int, ...] = ()
    ending: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewPaper:
    """One document of the record, cut at the borders of clauses and comments.

    A record that is told as a story is one document, of the channel `story`.
    """

    id: str
    number: int
    channel: str
    heading: str
    pieces: tuple[ReviewPiece, ...]
    has_hedged: bool
    has_core: bool


@dataclass(frozen=True, slots=True)
class ReviewSheet:
    """What the page of an item shows of the world and of the record."""

    hypothesis: str
    formal: str
    kind: str
    is_story: bool
    clause: str
    paper: int
    core: tuple[CoreClue, ...]
    bridges: tuple[Bridge, ...]
    witness: tuple[Change, ...]
    bait: Bait | None
    true_action: str
    shown: tuple[ReviewPaper, ...]
    others: tuple[ReviewPaper, ...]
    notes: tuple[Note, ...]


def sheet_of(item: ReviewItem, content: Content, entries: Iterable[ReviewEntry]) -> ReviewSheet:
    """The sheet of an item that was loaded with its family; no query.

    `shown` are the papers that hold the distractor or its refutation, `others` the rest.
    """
    world = world_of(item.family)
    unit = next(each for each in world.units if each.id == item.unit)
    assert unit.hypothesis is not None
    proofs = item.family.certificate["distractors"]
    proof = next(each for each in proofs if each["unit"] == item.unit)
    core = _core(proof.get("refuted_by", ()), world, content.documents)
    notes = _notes(content, entries)
    lit = {item.unit, *(clue.unit for clue in core)}
    is_story = item.instance.burial is not None
    papers = [
        _paper(document, item.unit, lit, notes, story=is_story) for document in content.documents
    ]
    answers = proof.get("with_bridges", ())
    return ReviewSheet(
        hypothesis=unit.hypothesis.describe(world.mark_of),
        formal=constraint_text(unit.hypothesis),
        kind=item.kind,
        is_story=is_story,
        clause=content.clause,
        paper=content.document.number,
        core=core,
        bridges=tuple(bridge for bridge in world.bridges if bridge.id in answers),
        witness=changes_of(proof.get("witness") or {}, world),
        bait=_bait(proof, world),
        true_action=action_in_words(world.action),
        shown=tuple(
            sorted(
                (p for p in papers if p.has_hedged or p.has_core), key=lambda p: not p.has_hedged
            )
        ),
        others=tuple(p for p in papers if not (p.has_hedged or p.has_core)),
        notes=notes,
    )


def _core(
    units: Sequence[str], world: World, documents: Iterable[Document]
) -> tuple[CoreClue, ...]:
    places = {span.unit: (document, span) for document in documents for span in document.spans}
    clues: Mapping[str, Unit] = {unit.id: unit for unit in world.clues}
    found = []
    for name in units:
        document, span = places[name]
        constraint = clues[name].constraint
        assert constraint is not None
        words = constraint.describe(world.mark_of)
        found.append(CoreClue(name, words, document.clause(span), document.number))
    return tuple(found)


def _bait(proof: Mapping[str, Any], world: World) -> Bait | None:
    told = proof.get("bait")
    if not told:
        return None
    action = told["action"]
    return Bait(
        clue=told["clue"],
        models=told["models"],
        changes=changes_of(proof.get("witness") or {}, world),
        action=action_in_words(Action(action["verb"], action["item"], action["party"])),
        action_changed=told["action_changed"],
    )


def _notes(content: Content, entries: Iterable[ReviewEntry]) -> tuple[Note, ...]:
    """The comments on this very text, in the order of the record."""
    numbers = {document.id: document.number for document in content.documents}
    placed = sorted(
        (
            entry
            for entry in entries
            if entry.said == Said.COMMENT and entry.content_sha256 == content.sha256
        ),
        key=lambda entry: (numbers[entry.document], entry.start, entry.end, entry.pk),
    )
    return tuple(Note(n, entry, numbers[entry.document]) for n, entry in enumerate(placed, 1))


def _paper(
    document: Document, hedged: str, lit: set[str], notes: Sequence[Note], *, story: bool
) -> ReviewPaper:
    here = [note for note in notes if note.entry.document == document.id]
    marks = [Span(str(n.number), n.entry.start or 0, n.entry.end or 0) for n in here]
    clauses = [span for span in document.spans if span.unit in lit]
    units = {span.unit for span in clauses}
    return ReviewPaper(
        id=document.id,
        number=document.number,
        channel="story" if story else document.channel,
        heading="" if story else document.heading,  # No reader of a story sees it.
        pieces=_pieces(document.text, clauses, marks),
        has_hedged=hedged in units,
        has_core=bool(units - {hedged}),
    )


def _pieces(text: str, clauses: list[Span], marks: list[Span]) -> tuple[ReviewPiece, ...]:
    """Cut a text at all borders. Units are named E…, notes by their number alone."""
    pieces: list[ReviewPiece] = []
    labelled: set[str] = set()
    ends = {
        end: tuple(int(span.unit) for span in group)
        for end, group in groupby(sorted(marks, key=lambda s: s.end), key=lambda s: s.end)
    }
    at = 0
    for segment in cut(text, [*clauses, *marks]):
        at += len(segment.text)
        unit = next((name for name in segment.units if not name.isdecimal()), "")
        pieces.append(
            ReviewPiece(
                text=segment.text,
                unit=unit,
                label="" if unit in labelled else unit,
                notes=tuple(int(name) for name in segment.units if name.isdecimal()),
                ending=ends.get(at, ()),
            )
        )
        labelled.add(unit)
    return tuple(pieces)
