"""Read a long table a few rows at a time without leaving a question open.

A cursor that is still open holds on to the state of the database at its first row. If another
process writes meanwhile, SQLite then refuses every write of this connection at once, whatever its
timeout; a job that reports its progress while it reads would fail.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from django.db.models import Model, QuerySet

__all__ = ["in_batches"]

Row = TypeVar("Row", bound=Model)


def in_batches(rows: QuerySet[Row], size: int) -> Iterator[Row]:
    """Every row in the order of the keys; costs a query for each `size` of them."""
    ordered = rows.order_by("pk")
    batch = list(ordered[:size])
    while batch:
        yield from batch
        batch = list(ordered.filter(pk__gt=batch[-1].pk)[:size]) if len(batch) == size else []
