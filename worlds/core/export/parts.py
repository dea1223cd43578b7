"""Lines cut into parts that a tool takes: none has more lines or bytes than its limits say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from worlds.core.errors import BadInput
from worlds.core.export.base import Limits

__all__ = ["Part", "parts"]


@dataclass(frozen=True, slots=True)
class Part:
    """One line with its line end, and the number from 1 of the part that it belongs to."""

    number: int
    data: bytes


def parts(lines: Iterable[str], limits: Limits) -> Iterator[Part]:
    """The lines as UTF-8 in parts, one at a time; raises BadInput for a line over the limit.

    >>> [part.number for part in parts("abc", Limits(lines=2))]
    [1, 1, 2]
    """
    number, count, size = 1, 0, 0
    for line in lines:
        data = line.encode("utf-8") + b"\n"
        if limits.bytes is not None and len(data) > limits.bytes:
            raise BadInput("line", f"{len(data):,} bytes", f"at most {limits.bytes:,}")
        full = limits.lines is not None and count == limits.lines
        if full or (limits.bytes is not None and size + len(data) > limits.bytes):
            number, count, size = number + 1, 0, 0
        count, size = count + 1, size + len(data)
        yield Part(number, data)
