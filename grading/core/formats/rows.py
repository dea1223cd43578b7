"""What a file of replies becomes: rows, row errors, and one error for a file that is none."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from grading.core.normal import storable
from grading.core.statuses import Status
from worlds.core.errors import BadInput

__all__ = ["FileRejected", "Malformed", "Row", "RowError", "Seen", "Usage", "told"]

_MAX_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens, as far as the file tells."""

    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One reply to one instance.

    `line` is the line of the file, or the item of a JSON array, counted from 1. `completion` is
    the reply's text; an answer given as JSON arrives as its text. `raw_marker` is what the file
    says of how the reply ended; `stop_unknown` means that it does not say. `error` is the reason
    of a failure in the file's own words.
    """

    line: int
    sample_id: str
    epoch: int
    completion: str | None
    model: str | None
    status: Status
    raw_marker: str = ""
    stop_unknown: bool = False
    usage: Usage | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class RowError:
    """A row that is no reply: where, what was found, what was expected; `raw` is the row itself.

    `raw` is empty for a row over 64 KB.
    """

    file: str
    line: int
    field: str
    found: str
    expected: str
    raw: str = ""

    def __str__(self) -> str:
        return (
            f"{self.file}, line {self.line}, {self.field}: "
            f"found {self.found}; expected {self.expected}"
        )


class FileRejected(BadInput):
    """A file that cannot be read, or not further.

    Raised before the first row it says that no row counts; raised while rows are read it says that
    the reading stopped there, and the rows before it stay good.
    """

    def __init__(self, field: str, found: str, expected: str) -> None:
        super().__init__(field, found, expected)
        self.args = (f"{field}: found {found}; expected {expected}",)


class Malformed(Exception):
    """A row's field that is not as it should be, in words (see `told`); becomes a RowError."""

    def __init__(self, field: str, found: str, expected: str) -> None:
        self.field = field
        self.found = found
        self.expected = expected
        super().__init__(field)


class Seen:
    """The replies met so far in the files of one submission, by sample and epoch."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, int], tuple[bytes, str, int]] = {}

    def repeats(self, row: Row, file: str) -> bool:
        """Whether the same reply was met before; raises Malformed for a different one.

        The first reply of a key counts, whatever comes after it: replies are never merged.
        """
        told_by = (row.status.value, row.completion, row.error, row.raw_marker)
        digest = hashlib.sha256(repr(told_by).encode("utf-8")).digest()[:16]
        first = self._first.setdefault((row.sample_id, row.epoch), (digest, file, row.line))
        if first == (digest, file, row.line):
            return False
        if first[0] == digest:
            return True
        raise Malformed(
            "sample_id",
            f"another reply for {row.sample_id}, epoch {row.epoch}",
            f"one reply; the one in {first[1]}, line {first[2]}, is kept",
        )


def told(found: object) -> str:
    """A found value for a message: its JSON kind, and itself if it is short."""
    match found:
        case None:
            return "null"
        case bool():
            return "true" if found else "false"
        case int() | float():
            text = f"the number {found!r}"
        case str():
            text = f"the text {found!r}"
        case list():
            text = f"a list of {len(found)}"
        case dict():
            text = f"an object with the keys {', '.join(sorted(map(str, found))[:6]) or 'none'}"
        case _:
            text = type(found).__name__
    text = storable(text)
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"
