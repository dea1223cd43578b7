"""The figures of a frozen report, as a reader chose them, and each one's numbers as CSV.

Nothing is computed here: figures draw what the report holds. A void report holds no solver.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from grading.figures import (
    FIGURES,
    Absent,
    Column,
    Figure,
    Reading,
    Solver,
    View,
    level_curves,
)
from grading.figures.base import Cell
from grading.models import Report
from grading.services.board_controls import LABELS
from grading.services.board_csv import neutral
from grading.services.reading import read_once

__all__ = [
    "REFERENCES_TOO",
    "Gallery",
    "figure_csv",
    "gallery_of",
    "solvers_of",
]

REFERENCES_TOO = ("intuition",)
"""The figures that show the reference controls where no solver is chosen."""

_MOST = 40
"""So many solvers one picture shows where none are chosen: the first in the report's order."""


_MOST_KEPT = 32
"""So many figures are kept in memory: what a frozen report draws never changes."""


@dataclass(frozen=True, slots=True, eq=False)
class Gallery:
    """What the figures of one report are drawn from; one that is kept for each report."""

    sha256: str
    is_void: bool
    conditions: tuple[str, ...]
    solvers: tuple[Solver, ...]

    @property
    def models(self) -> tuple[Solver, ...]:
        """The solvers that are no controls: models, and people beside them."""
        return tuple(solver for solver in self.solvers if not solver.is_reference)

    def figure(
        self, name: str, *, keys: Sequence[str] = (), condition: str = "", status: str = ""
    ) -> Figure:
        """Draw one figure of `FIGURES`; without keys of everybody that it is meant for."""
        return _drawn(self, name, tuple(keys), condition, status)

    def levels(self, key: str) -> Figure:
        """Draw the level curves of one solver."""
        return _levels(self, key)


def gallery_of(report: Report) -> Gallery:
    """Read a report; parsed when it is first asked for."""
    return _read(report)


def solvers_of(payload: Mapping[str, Any]) -> tuple[Solver, ...]:
    """The solvers of a report in its order, numbered from 1."""
    return tuple(
        Solver(number, _label(row), row) for number, row in enumerate(payload["rows"], start=1)
    )


def figure_csv(figure: Figure, sha256: str) -> str:
    """The numbers of a figure for spreadsheets; what has no number is named in `notes`."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([*_head(figure.columns), "notes", "report_sha256"])
    for row in figure.rows:
        cells = [cell for pair in zip(figure.columns, row, strict=True) for cell in _written(*pair)]
        writer.writerow([*cells, _notes(figure.columns, row), sha256])
    return out.getvalue()


@lru_cache(maxsize=_MOST_KEPT)
def _drawn(
    gallery: Gallery, name: str, keys: tuple[str, ...], condition: str, status: str
) -> Figure:
    chosen = tuple(solver for solver in gallery.solvers if solver.row["key"] in keys)
    if not chosen:
        chosen = (gallery.solvers if name in REFERENCES_TOO else gallery.models)[:_MOST]
    return FIGURES[name](View(chosen, condition, status))


@lru_cache(maxsize=_MOST_KEPT)
def _levels(gallery: Gallery, key: str) -> Figure:
    return level_curves(next(each for each in gallery.solvers if each.row["key"] == key))


@read_once
def _read(sha256: str, payload: Mapping[str, Any]) -> Gallery:
    return Gallery(
        sha256=sha256,
        is_void=payload["void"],
        conditions=tuple(payload["corpus"]["conditions"]),
        solvers=solvers_of(payload),
    )


def _label(row: Mapping[str, Any]) -> str:
    model: str = row["model"]
    return model if row["kind"] in ("model", "human") else LABELS.get(model, model)


def _head(columns: Sequence[Column]) -> Iterator[str]:
    for column in columns:
        yield column.name
        if column.has_interval:
            yield from (f"{column.name}_low", f"{column.name}_high")


def _written(column: Column, cell: Cell) -> list[str | int | float | None]:
    """A cell of the table in the columns that it takes in a file."""
    if isinstance(cell, Reading):
        return [cell.value, cell.low, cell.high] if column.has_interval else [cell.value]
    empty = [None] * (3 if column.has_interval else 1)
    if isinstance(cell, Absent):
        return list(empty)
    return [neutral(cell) if isinstance(cell, str) else cell, *empty[1:]]


def _notes(columns: Sequence[Column], row: Sequence[Cell]) -> str:
    return "; ".join(
        f"{column.name}: {cell.words}"
        for column, cell in zip(columns, row, strict=True)
        if isinstance(cell, Absent)
    )
