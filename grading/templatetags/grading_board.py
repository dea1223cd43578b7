"""The parts of a board that its frozen report alone decides, rendered once in a process.

A board of 30 solvers has a thousand cells, and a template takes longer for them than for all the
rest of the page. There is one `Board` for each digest of a report, so what is kept under it never
changes. Nothing in it depends on who reads, and no form is in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from grading.services.board import Board, BoardRow, Slice, slice_of

__all__ = ["board_part", "board_rows", "entry_part", "slice_rows"]

_MOST_KEPT = 64

Links = tuple[tuple[str, str], ...]
"""The key and the address of every submission of a board that is still there."""

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=_MOST_KEPT)
def board_part(board: Board, name: str) -> SafeString:
    """A template that takes a board and nothing else."""
    return render_to_string(name, {"board": board})


@register.simple_tag
@lru_cache(maxsize=_MOST_KEPT)
def entry_part(entry: BoardRow, name: str) -> SafeString:
    """A template that takes one row of a board, as `entry`, and nothing else."""
    return render_to_string(name, {"entry": entry})


@register.simple_tag
def board_rows(board: Board, rows: Iterable[BoardRow], links: Links, name: str) -> SafeString:
    """The rows in their order, each by the template that takes one row."""
    rendered = _rows(board, links, name)
    return format_html_join("", "{}", ((rendered[row.key],) for row in rows))


@register.simple_tag
def slice_rows(board: Board, part: Slice) -> SafeString:
    """The rows of a slice in its order."""
    rendered = _slice_rows(board, part.kind, part.value)
    return format_html_join("", "{}", ((rendered[row.key],) for row, _ in part.rows))


@lru_cache(maxsize=_MOST_KEPT)
def _rows(board: Board, links: Links, name: str) -> Mapping[str, SafeString]:
    """Every row of a board by its key."""
    hrefs = dict(links)
    return {
        row.key: render_to_string(name, {"row": row, "href": hrefs.get(row.key, "")})
        for row in board.rows
    }


@lru_cache(maxsize=_MOST_KEPT)
def _slice_rows(board: Board, kind: str, value: str) -> Mapping[str, SafeString]:
    return {
        row.key: render_to_string("grading/_board_slice_row.html", {"row": row, "cells": cells})
        for row, cells in slice_of(board, kind, value).rows
    }
