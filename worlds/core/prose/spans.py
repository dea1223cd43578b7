"""Cut a paper into stretches that carry the same units, for display.

Spans may overlap or nest. Cutting at every border gives stretches that each carry a set of units,
so markup never has to nest. Positions are code points.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from worlds.core.errors import SpanLost
from worlds.core.instance import Document, Span

__all__ = ["Segment", "at_grapheme", "cut", "segments"]

_JOINER = "\u200d"
_EXTENDING = ("\ufe0e", "\ufe0f", _JOINER)


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text and the units whose spans cover all of it, in order of their start."""

    text: str
    units: tuple[str, ...]


def segments(document: Document) -> tuple[Segment, ...]:
    """The stretches of a document; their texts joined are the document's text.

    Raises SpanLost for a span that is empty, out of range or cuts through a grapheme.
    """
    for span in document.spans:
        document.clause(span)
        if not (at_grapheme(document.text, span.start) and at_grapheme(document.text, span.end)):
            raise SpanLost(document.id, span.unit)
    return cut(document.text, document.spans)


def cut(text: str, spans: Sequence[Span]) -> tuple[Segment, ...]:
    """The stretches of a text between all borders of spans that lie inside it."""
    borders = sorted({0, len(text), *(s.start for s in spans), *(s.end for s in spans)})
    ordered = sorted(spans, key=lambda s: (s.start, -s.end, s.unit))
    return tuple(
        Segment(
            text[start:end],
            tuple(dict.fromkeys(s.unit for s in ordered if s.start <= start and end <= s.end)),
        )
        for start, end in pairwise(borders)
    )


def at_grapheme(text: str, at: int) -> bool:
    """Whether a place does not split a letter from its accents, or an emoji from its joiners."""
    if at in (0, len(text)):
        return True
    here, before = text[at], text[at - 1]
    extends = (
        unicodedata.combining(here) or here in _EXTENDING or unicodedata.category(here) == "Mn"
    )
    return not extends and before != _JOINER
