"""The rows of a figure's table: numbers in their units, reasons, and names that are only text."""

from __future__ import annotations

from grading.figures import Absent, Column, Figure, Reading
from grading.templatetags.grading_figures import figure_rows

COLUMNS = (
    Column("number", "No."),
    Column("solver", "Solver"),
    Column("fact_f1", "Fact F1", "0–1", has_interval=True),
    Column("tax", "Tax", "points", has_interval=True),
)


def _rows(*cells: object) -> str:
    return figure_rows(Figure("f", "F", "", "", COLUMNS, (cells,)))  # type: ignore[arg-type]


def test_numbers_stand_in_their_units_with_their_intervals() -> None:
    row = _rows(3, "kestrel", Reading(0.5, 0.25, 0.75), Reading(-3.06))
    assert row == (
        "<tr><td data-numeric>3</td><td><bdi>kestrel</bdi></td>"
        '<td data-numeric>0.500 <span class="range">[0.250, 0.750]</span></td>'
        "<td data-numeric>−3.1</td></tr>"
    )


def test_a_lower_bound_and_a_reason_are_told() -> None:
    row = _rows(1, "kestrel", Reading(0.5, at_least=True), Absent("nothing <here>"))
    assert "at least</span></span> 0.500</td>" in " ".join(row.split())
    assert '<td class="is-absent">nothing &lt;here&gt;</td>' in row


def test_a_name_is_text() -> None:
    assert "<bdi>&lt;b&gt;kestrel</bdi>" in _rows(1, "<b>kestrel", Reading(0), Reading(0))
