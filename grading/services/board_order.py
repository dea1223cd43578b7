"""Which rows of a board are shown, and in which order.

Apart from the board, because a slice of it is put in order by the same rule: what has no value
comes last in both directions, and equal rows keep the order they had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from grading.services.names import model_key

__all__ = ["Listed", "Order", "narrowed", "ordered", "read_order"]


class Listed(Protocol):
    """What a row is narrowed by; `coverage` is in percent."""

    @property
    def label(self) -> str:
        """The name of the solver."""

    @property
    def kind(self) -> str:
        """What kind of solver it is."""

    @property
    def coverage(self) -> float:
        """Scored among expected replies."""


Order = tuple[str, bool]
"""The name of a column, and whether the highest value comes first."""

T = TypeVar("T")
L = TypeVar("L", bound=Listed)


def read_order(sort: str, keys: Sequence[str], default: str) -> Order:
    """The order that a query string asks for, `-` before a name for the highest first.

    >>> read_order("-tax", ("rank", "tax"), "rank"), read_order("nonsense", ("rank",), "rank")
    (('tax', True), ('rank', False))
    """
    name, descending = sort.removeprefix("-"), sort.startswith("-")
    return (name, descending) if name in keys else (default, False)


def ordered(rows: Iterable[T], value: Callable[[T], Any], *, descending: bool) -> tuple[T, ...]:
    """The rows by a value, numbers or texts alone; those where it is None come last.

    >>> ordered([2, None, 3], lambda row: row, descending=True)
    (3, 2, None)
    """
    valued = [(value(row), row) for row in rows]
    known = [pair for pair in valued if pair[0] is not None]
    known.sort(key=lambda pair: pair[0], reverse=descending)
    return tuple(row for _, row in [*known, *(pair for pair in valued if pair[0] is None)])


def narrowed(
    rows: Iterable[L], *, kind: str = "", name: str = "", least_coverage: float = 0
) -> tuple[L, ...]:
    """The rows of one kind whose name holds `name`, whatever its case, with enough coverage."""
    sought = model_key(name)
    return tuple(
        row
        for row in rows
        if kind in ("", row.kind)
        and sought in model_key(row.label)
        and row.coverage >= least_coverage
    )
