"""Lists as a record writes them, `x, y and z`: joined and read in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

__all__ = ["listed", "read_list"]

T = TypeVar("T")


def listed(items: Sequence[str], last: str) -> str:
    """The items joined by commas, and by `last` (" and ") before the last one."""
    if len(items) == 1:
        return items[0]
    return ", ".join(items[:-1]) + last + items[-1]


def read_list(
    text: str, at: int, item: Callable[[int, int], tuple[int, T] | None], last: str
) -> Iterator[tuple[int, list[T]]]:
    """The list of two items or more that stands at a place, if one does: its end and its items.

    `item` reads the i-th item at a place.
    """
    items: list[T] = []
    while True:
        read = item(len(items), at)
        if read is None:
            return
        at = read[0]
        items.append(read[1])
        if text.startswith(last, at):
            read = item(len(items), at + len(last))
            if read is not None:
                yield read[0], [*items, read[1]]
            return
        if not text.startswith(", ", at):
            return
        at += 2
