"""How one instance reads: its length, and how often it says a thing in the same way.

A corpus is judged by `survey`; this is for whoever tries a single world, and judges nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from worlds.core.bridges import BridgeFact, bank
from worlds.core.instance import Instance
from worlds.core.packs import Pack, pack
from worlds.core.prose.survey.records import Piece, pieces_of
from worlds.core.prose.survey.repetition import worn

__all__ = ["Repetition", "repetition_of"]


@dataclass(frozen=True, slots=True)
class Repetition:
    """The repetition figures of one instance; all but `words` are 0 for a formal one.

    `words` counts the prompt, `told` the documents and `evidence` the units in them. Of the
    `clauses`, `repeated` have a skeleton (marks, names and numbers masked) that another one has;
    `commonest` and `bare_commonest` are shares of all clauses, the bare one with the words of the
    lexicon masked too. `worn` counts wordings used three times while others stay unused.
    """

    words: int
    told: int
    evidence: int
    clauses: int
    skeletons: int
    repeated: int
    commonest: float
    bare_skeletons: int
    bare_commonest: float
    worn: int


def repetition_of(
    instance: Instance,
    *,
    genre: Pack | None = None,
    facts: Sequence[BridgeFact] | None = None,
) -> Repetition:
    """The figures of one instance; takes about a tenth of a second.

    `genre` is the pack of its genre and `facts` the whole bank, unless given.
    """
    chosen = pack(instance.id.family.genre) if genre is None else genre
    pieces: tuple[Piece, ...] = ()
    if instance.documents:
        pieces = pieces_of(instance, chosen, bank() if facts is None else facts)
    plain = Counter(piece.plain for piece in pieces)
    bare = Counter(piece.bare for piece in pieces)
    return Repetition(
        words=_words(instance.prompt),
        told=sum(_words(document.text) for document in instance.documents),
        evidence=sum(_words(d.clause(span)) for d in instance.documents for span in d.spans),
        clauses=len(pieces),
        skeletons=len(plain),
        repeated=sum(count for count in plain.values() if count > 1),
        commonest=_largest_share(plain),
        bare_skeletons=len(bare),
        bare_commonest=_largest_share(bare),
        worn=worn(pieces),
    )


def _words(text: str) -> int:
    return len(text.split())


def _largest_share(skeletons: Counter[str]) -> float:
    return max(skeletons.values(), default=0) / max(1, skeletons.total())
