"""One list out of a large JSON object, without holding the object.

Logs of whole evaluations are a single object: a header, then a list of samples that may be hundreds
of megabytes long. What comes before and after the list is skipped in place; of the list one item at
a time is kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from grading.core.formats.stream import LIMITS, Chunk, Cutter, Damaged, Limits, Piece, Strings

__all__ = ["members", "text_at"]

_MARKS = re.compile(rb'["\[\]{},:]')
_TOKENS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?P<end>")?+|[\[\]{},:]', re.DOTALL)
_MAX_KEY = 64


def members(chunks: Iterable[Chunk], key: str, limits: Limits = LIMITS) -> Iterator[Piece]:
    """Every item of the list that stands under a key of the outermost object."""
    seeker = _Seeker(key.encode())
    cutter: Cutter | None = None
    for chunk in chunks:
        if isinstance(chunk, Damaged):
            yield chunk.at(cutter.number if cutter else 1)
            return
        rest = chunk
        if cutter is None:
            start = seeker.seek(chunk)
            if start is None:
                continue
            cutter = Cutter(limits.line_bytes, ends_at_its_bracket=True)
            rest = chunk[start:]
        yield from cutter.feed(rest)
        if cutter.ended:
            return
    if cutter is None:
        yield Piece(1, b"", f"no list under {key}; expected one")
    else:
        yield from cutter.finish()


def text_at(head: bytes, path: tuple[str, ...]) -> str | None:
    """A text at a path of keys, as far as the first bytes of a JSON object show it."""
    keys: list[str] = []  # of the objects around this place; a list counts as a nameless one
    last, depth_of_value = "", -1
    for found in _TOKENS.finditer(head):
        mark = found[0]
        if mark in (b"{", b"["):
            keys.append("")
        elif mark in (b"}", b"]"):
            if keys:
                keys.pop()
        elif mark == b":":
            if keys:
                keys[-1] = last
            depth_of_value = len(keys)
            continue
        elif mark.startswith(b'"'):
            if not found["end"]:
                return None
            last = _text(mark)
            if depth_of_value == len(keys) and tuple(keys) == path:
                return last
        depth_of_value = -1
    return None


def _text(mark: bytes) -> str:
    try:
        return str(json.loads(mark))
    except ValueError:
        return ""


class _Seeker:
    """Walks over an object until the list under a key of it begins."""

    def __init__(self, key: bytes) -> None:
        self.wanted = key
        self.depth = 0
        self.key: bytes | None = None
        self.text = b""
        self.strings = Strings()

    def seek(self, chunk: bytes) -> int | None:
        """Where the list begins in this chunk."""
        position = 0
        while position < len(chunk):
            if self.strings.inside:
                end = self.strings.skip(chunk, position)
                if self.depth == 1 and len(self.text) <= _MAX_KEY:
                    self.text += chunk[position : min(end, position + _MAX_KEY + 1)]
                position = end
                continue
            found = _MARKS.search(chunk, position)
            if found is None:
                return None
            position = found.end()
            if self._step(found[0]):
                return found.start()
        return None

    def _step(self, mark: bytes) -> bool:
        """Take one mark in; whether it opens the list."""
        if mark == b'"':
            self.strings.inside = True
            self.text = b""
        elif mark in b"[{":
            if mark == b"[" and self.depth == 1 and self.key == self.wanted:
                return True
            self.depth += 1
        elif mark in b"]}":
            self.depth -= 1
        elif self.depth == 1:
            # The text of a key ends with its quote.
            self.key = self.text.removesuffix(b'"') if mark == b":" else None
        return False
