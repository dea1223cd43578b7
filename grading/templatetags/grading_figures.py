"""The rows of a figure's table, and the figure as the page's script takes it.

A map of statuses has close to a thousand cells, for which a template takes ten times as long as
this does. A figure is drawn once from a frozen report, so both are kept for the figures shown last.
"""

from __future__ import annotations

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join, json_script
from django.utils.safestring import SafeString

from grading.figures import Absent, Column, Figure, Reading
from grading.figures.base import Cell
from grading.templatetags.grading_numbers import score

__all__ = ["figure_rows", "figure_spec"]

_MOST_KEPT = 32

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=_MOST_KEPT)
def figure_spec(figure: Figure) -> SafeString:
    """The figure as JSON, inside its own element."""
    return json_script(figure.spec, figure.spec_id)


@register.simple_tag
@lru_cache(maxsize=_MOST_KEPT)
def figure_rows(figure: Figure) -> SafeString:
    """The numbers of a figure as rows of a table; a reason in the place of each that is not."""
    at_least = format_html("{} ", render_to_string("grading/_at_least.html"))
    rows = (
        (format_html_join("", "{}", ((_cell(*pair, at_least),) for pair in _pairs(figure, row))),)
        for row in figure.rows
    )
    return format_html_join("\n", "<tr>{}</tr>", rows)


def _pairs(figure: Figure, row: tuple[Cell, ...]) -> zip[tuple[Column, Cell]]:
    return zip(figure.columns, row, strict=True)


def _cell(column: Column, cell: Cell, at_least: SafeString) -> SafeString:
    if isinstance(cell, Absent):
        return format_html('<td class="is-absent">{}</td>', cell.words)
    if isinstance(cell, Reading):
        return format_html(
            "<td data-numeric>{}{}{}</td>",
            at_least if cell.at_least else "",
            score(cell.value, column.unit),
            _interval(column, cell),
        )
    if column.is_numeric:
        return format_html("<td data-numeric>{}</td>", cell)
    return format_html("<td><bdi>{}</bdi></td>", cell)


def _interval(column: Column, cell: Reading) -> SafeString | str:
    if cell.low is None or cell.high is None:
        return ""
    ends = (score(end, column.unit) for end in (cell.low, cell.high))
    return format_html(' <span class="range">[{}, {}]</span>', *ends)
