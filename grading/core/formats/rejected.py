"""Our own rejected.jsonl, mended: each line says what was wrong with a row, and holds the row.

``{"file", "line", "field", "found", "expected", "raw"}``: `raw` is the row as it was received, in
whatever format its file had. What is mended there is read again as that format reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grading.core.formats.base import Format
from grading.core.formats.decode import decode_object
from grading.core.formats.rows import Malformed, Row, told

__all__ = ["Rejected"]

_KEYS = frozenset({"file", "line", "field", "found", "expected", "raw"})


class Rejected(Format):
    """The rows that were not taken, sent again."""

    name = "rejected"
    label = "our rejected.jsonl, mended"
    id_field = "raw"
    layouts = ("lines",)

    def __init__(self, formats: Sequence[Format]) -> None:
        self._formats = [one for one in formats if "lines" in one.layouts]

    def matches(self, keys: frozenset[str]) -> bool:
        """Whether rows with these keys are rejected ones."""
        return keys >= _KEYS

    def row(self, record: dict[str, Any], line: int) -> Row:
        """The row that stands in `raw`; raises Malformed."""
        raw = record.get("raw")
        if not isinstance(raw, str) or not raw:
            raise Malformed("raw", told(raw), "the row itself, mended")
        inner = decode_object(raw.encode("utf-8", "surrogatepass"))
        for one in self._formats:
            if one.matches(frozenset(inner)):
                return one.row(inner, line)
        keys = ", ".join(sorted(inner)[:6]) or "none"
        raise Malformed("raw", f"an object with the keys {keys}", "a row of one of the formats")
