"""The board as CSV, for spreadsheets and for programs.

UTF-8 without a byte order mark, commas, CR LF. A text that a spreadsheet would take for a formula
gets an apostrophe in front, and so does one that begins with an apostrophe, so `restored` gives
every text back as it was. Numbers are never touched: -0.142 stays a number. A score that does not
exist is an empty cell, and the column `notes` says why.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterator

from grading.core.normal import storable
from grading.services.board import Board, BoardRow

__all__ = ["board_csv", "cells_of", "fields_of", "neutral", "restored"]

_FORMULA = ("=", "+", "-", "@")
_PARTS = ("value", "low", "high", "lower_bound", "upper_bound", "answered_only")

Cell = str | int | float | None


def board_csv(board: Board) -> str:
    """One line per solver, in the order of the report; of a void board only the head."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(list(fields_of(board)))
    for row in board.rows:
        writer.writerow([_written(cell) for cell in cells_of(row, board)])
    return out.getvalue()


def neutral(text: str) -> str:
    """A text that no spreadsheet runs.

    >>> neutral("=1+1"), neutral("kestrel")
    ("'=1+1", 'kestrel')
    """
    text = storable(text)
    # Spreadsheets skip leading space, and some read full-width signs as signs.
    seen = unicodedata.normalize("NFKC", text).lstrip()
    return f"'{text}" if seen.startswith(_FORMULA) or text.startswith("'") else text


def restored(cell: str) -> str:
    """The text that `neutral` was given.

    >>> restored(neutral("'=1+1"))
    "'=1+1"
    """
    return cell.removeprefix("'")


def fields_of(board: Board) -> Iterator[str]:
    """The names of the fields of a row, with their units."""
    yield from ("rank", "solver", "kind", "corpus", "corpus_sha256", "report_sha256", "controls")
    yield from ("scored", "expected", "coverage_percent", "is_lower_bound", "epochs")
    for column in board.columns:
        unit = {"0–1": "_0_1", "0–100": "_percent", "points": "_points"}.get(column.unit, "")
        yield f"{column.name}{unit}"
        yield from (f"{column.name}_{part}" for part in _PARTS[1:])
    yield from ("answered", "truncated", "refused", "filtered", "failed", "missing")
    yield from ("stop_unknown", "notes")


def cells_of(row: BoardRow, board: Board) -> Iterator[Cell]:
    """The fields of a row, in the order of their names."""
    yield from (row.rank.replace("–", " to "), row.label, row.kind)
    yield from (str(board.corpus["name"]), str(board.corpus["sha256"]), board.sha256)
    yield board.controls_state
    yield from (row.scored, row.expected, row.coverage)
    yield from ("yes" if row.is_lower_bound else "no", row.epochs)
    for column in board.columns:
        cell = row.cells[column.name]
        yield from (getattr(cell, part) for part in _PARTS)
    yield from (count for _, count in row.statuses)
    yield row.stop_unknown
    yield "; ".join(_notes(row, board))


def _notes(row: BoardRow, board: Board) -> Iterator[str]:
    if row.unranked:
        yield f"no rank: {row.unranked}"
    for column in board.columns:
        if words := row.cells[column.name].words:
            yield f"{column.name}: {words}"


def _written(cell: Cell) -> str | int | float:
    if cell is None:
        return ""
    return neutral(cell) if isinstance(cell, str) else cell
