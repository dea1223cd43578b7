"""The board as JSON: the fields of its CSV under the same names, without a spreadsheet's needs.

A score that does not exist is null, and `notes` says why. The numbers are the frozen report's own,
and its SHA-256 says which report that is.
"""

from __future__ import annotations

from grading.services.board import Board
from grading.services.board_csv import cells_of, fields_of
from worlds.core.codec import canonical

__all__ = ["FORMAT", "board_json"]

FORMAT = "enigmaforge.board/1"


def board_json(board: Board) -> str:
    """One object per solver, in the order of the report; of a void board none."""
    fields = list(fields_of(board))
    return canonical(
        {
            "format": FORMAT,
            "corpus": board.corpus["name"],
            "corpus_sha256": board.corpus["sha256"],
            "report_sha256": board.sha256,
            "void": board.is_void,
            "controls": board.controls_state,
            "fields": fields,
            "rows": [dict(zip(fields, cells_of(row, board), strict=True)) for row in board.rows],
        }
    )
