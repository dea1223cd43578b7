"""The parts of a board that are rendered once, and what makes them be rendered anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grading.services.board import Board, board_of
from grading.services.controlling import run_controls
from grading.services.freezing import freeze_report
from grading.templatetags.grading_board import board_part, board_rows
from tests.grading.builders import corpus_of, graded, lines, rows_of

pytestmark = pytest.mark.django_db

ROW = "grading/_board_row.html"


@pytest.fixture
def board(settings: Any, tmp_path: Path) -> Board:
    settings.MEDIA_ROOT = tmp_path
    corpus = corpus_of(levels=["L00"], families=2)
    run_controls(corpus)
    graded(corpus, lines(rows_of(corpus)), model="kestrel")
    return board_of(freeze_report(corpus))


def test_a_part_is_rendered_once(board: Board) -> None:
    first = board_part(board, "grading/_board_scores.html")
    assert "Intuition" in first
    assert board_part(board, "grading/_board_scores.html") is first


def test_rows_come_in_the_order_they_are_given_in(board: Board) -> None:
    parts = [board_rows(board, [row], (), ROW) for row in board.rows]
    assert board_rows(board, board.rows[::-1], (), ROW) == "".join(reversed(parts))


def test_a_row_loses_its_link_with_its_submission(board: Board) -> None:
    row = next(row for row in board.rows if row.label == "kestrel")
    linked = board_rows(board, [row], ((row.key, "/submissions/7/"),), ROW)
    assert '<a href="/submissions/7/"><bdi>kestrel</bdi></a>' in linked
    assert "<a href" not in board_rows(board, [row], (), ROW)
