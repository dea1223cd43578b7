"""The sentences of a story that carry nothing: what stands between its units."""

from __future__ import annotations

import re

from worlds.core.instance import Document

__all__ = ["filler"]

_SENTENCE = re.compile(r"[^\n]+?[.?!]”?(?= [A-Z“]|\n|\Z)")


def filler(document: Document) -> list[str]:
    """Every sentence that overlaps no unit, in order, without its blanks."""
    return [
        found[0].strip()
        for found in _SENTENCE.finditer(document.text)
        if not any(s.start < found.end() and found.start() < s.end for s in document.spans)
    ]
