"""Figures: what plotly takes, the numbers of the report, and words where there is no number."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest

from grading.figures import FIGURES, Absent, Figure, Reading, Solver, View, level_curves
from grading.figures.levels import MOST_PANELS
from tests.grading.figures.builders import report, solvers

TOKENS = Path(__file__).parents[3] / "static" / "css" / "tokens.css"


def figure(name: str, *only: str, **view: str) -> Figure:
    chosen = tuple(one for one in solvers() if not only or one.label in only)
    return FIGURES[name](View(chosen, **view))


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for part in value.values() for text in _strings(part)]
    if isinstance(value, list | tuple):
        return [text for part in value for text in _strings(part)]
    return [value] if isinstance(value, str) else []


def _cells(found: Figure, solver: str) -> dict[str, Any]:
    names = [column.name for column in found.columns]
    return next(dict(zip(names, row, strict=True)) for row in found.rows if row[1] == solver)


ALL = [*FIGURES, "level-curves"]


def _any(name: str) -> Figure:
    return level_curves(solvers()[0]) if name == "level-curves" else figure(name)


@pytest.mark.parametrize("name", ALL)
def test_plotly_takes_every_figure_wide_and_narrow(name: str) -> None:
    """Plotly's own classes check each key and value; tokens stand for colours."""
    found = _any(name)
    text = re.sub(r'"--font[\w-]+"', '"serif"', json.dumps(found.spec, allow_nan=False))
    spec = json.loads(re.sub(r'"--[\w-]+"', '"black"', text))
    go.Figure(data=spec["data"], layout=spec["layout"])
    go.Figure(data=spec["data"], layout=spec["layout"] | spec["narrow"])
    assert found.absent == ""
    assert spec["data"] != []


@pytest.mark.parametrize("name", ALL)
def test_every_colour_and_font_of_a_figure_is_a_token_of_the_style_sheet(name: str) -> None:
    defined = set(re.findall(r"(--[\w-]+):", TOKENS.read_text(encoding="utf-8")))
    used = {text for text in _strings(_any(name).spec) if text.startswith("--")}
    assert used
    assert used <= defined
    assert [text for text in _strings(_any(name).spec) if re.fullmatch(r"#[0-9a-f]+", text)] == []


@pytest.mark.parametrize("name", ALL)
def test_each_row_of_a_table_has_a_cell_for_each_column(name: str) -> None:
    found = _any(name)
    assert found.rows != ()
    assert {len(row) for row in found.rows} == {len(found.columns)}


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_of_nobody_says_so(name: str) -> None:
    found = FIGURES[name](View(()))
    assert found.absent.endswith(".")
    assert list(found.data) == []


@pytest.mark.parametrize("name", FIGURES)
def test_names_are_never_markup_in_a_picture(name: str) -> None:
    assert [text for text in _strings(figure(name).spec) if "<b>says" in text] == []


def test_a_name_like_a_token_is_not_one() -> None:
    assert Solver(1, "--accent", {"kind": "model"}).tick == "1 --accent"


def test_a_long_name_loses_its_middle_and_two_of_them_stay_apart() -> None:
    ends = ("2026-11", "2026-12")
    ticks = [
        Solver(4, f"lab/a-model-with-a-long-name-{end}", {"kind": "model"}).tick for end in ends
    ]
    assert ticks == ["4 lab/a-model-wi…e-2026-11", "4 lab/a-model-wi…e-2026-12"]
    assert Solver(1, "x" * 24, {"kind": "model"}).tick == "1 " + "x" * 24


def test_the_axis_of_f1_begins_left_of_everything_drawn() -> None:
    found = figure("intuition", "needs guidance")
    (low,) = [row[2].low for row in found.rows]
    begin, end = found.layout["xaxis"]["range"]
    assert begin <= low
    assert low - begin < 0.14
    assert end == 1.03


def test_intuition_is_drawn_against_f1_of_all_or_of_one_condition() -> None:
    cells = _cells(figure("intuition"), "needs guidance")
    assert (cells["fact_f1"].value, cells["intuition"].value) == (round(2 / 3, 9), 0.0)
    guided = figure("intuition", condition="explicit")
    assert _cells(guided, "needs guidance")["fact_f1"].value == 1.0
    assert "under the explicit condition" in guided.label
    drawn = {trace["name"][2:]: trace for trace in guided.data}
    assert (drawn["needs guidance"]["x"], drawn["needs guidance"]["y"]) == ([1.0], [0.0])


def test_models_differ_by_symbol_and_references_are_open() -> None:
    symbols = [trace["marker"]["symbol"] for trace in figure("intuition").data]
    assert len(set(symbols)) == len(symbols) == 4
    assert [symbol for symbol in symbols if symbol.endswith("-open")] == symbols[-1:]


def test_who_has_no_number_stands_in_the_table_in_words_and_in_the_note() -> None:
    found = figure("intuition")
    cell = _cells(found, "<b>says nothing</b>")["intuition"]
    assert isinstance(cell, Absent)
    assert "no reply was scored" in cell.words
    assert found.note == "Without a number, so not drawn: 4 &lt;b&gt;says nothing&lt;/b&gt;."


def test_a_value_that_missing_replies_could_raise_is_a_lower_bound() -> None:
    assert _cells(figure("intuition"), "lacks a family")["intuition"].at_least
    assert not _cells(figure("intuition"), "solves all")["intuition"].at_least


def test_levels_put_guided_beside_unguided_in_a_panel_for_each_solver() -> None:
    found = figure("levels", "solves all", "needs guidance")
    assert found.panels == 2
    lines = {(t["yaxis"], t["name"]): t["y"] for t in found.data}
    assert lines == {
        ("y", "guided (explicit)"): [100.0, 100.0],
        ("y", "unguided (implicit)"): [100.0, 100.0],
        ("y2", "guided (explicit)"): [100.0, 100.0],
        ("y2", "unguided (implicit)"): [0.0, 0.0],
    }
    assert len({t["line"]["dash"] for t in found.data}) == 2
    assert [(row[2], row[3].value, row[4].value) for row in found.rows[2:]] == [
        ("L00", 100.0, 0.0),
        ("L01", 100.0, 0.0),
    ]


def test_levels_show_as_many_panels_as_fit_and_say_how_many_are_left() -> None:
    one = solvers()[0]
    many = tuple(Solver(n, f"copy {n}", one.row) for n in range(1, MOST_PANELS + 3))
    found = FIGURES["levels"](View(many))
    assert found.panels == MOST_PANELS
    assert "2 more can be chosen" in found.note
    assert found.layout["grid"]["rows"] == 2
    assert found.narrow["grid"]["columns"] == 1


def test_level_curves_of_one_solver_have_every_condition() -> None:
    found = level_curves(solvers()[0])
    assert [trace["name"] for trace in found.data] == [
        "guided (explicit)",
        "unguided (implicit)",
        "formal",
    ]
    assert [column.name for column in found.columns] == ["level", "explicit", "implicit", "formal"]


def test_a_report_of_an_earlier_version_has_no_levels_and_no_map() -> None:
    old = [
        Solver(one.number, one.label, {**one.row, "cells": [], "status_groups": []})
        for one in solvers()
    ]
    for name in ("levels", "statuses"):
        assert FIGURES[name](View(tuple(old))).absent


def test_decisions_differ_by_hatching() -> None:
    found = figure("decisions")
    assert [trace["marker"]["pattern"]["shape"] for trace in found.data] == ["", "/"]
    cells = _cells(found, "needs guidance")
    assert (cells["retention"].value, cells["earned_decisions"].value) == (0.0, 100.0)


def test_the_tax_has_its_interval_families_and_bounds() -> None:
    cells = _cells(figure("tax"), "lacks a family")
    assert (cells["tax"].value, cells["families"]) == (0.0, 7)
    assert (cells["least"], cells["most"]) == (Reading(-12.5), Reading(12.5))
    assert _cells(figure("tax"), "needs guidance")["tax"].value == 100.0


def test_the_map_of_statuses_counts_every_record_once() -> None:
    found = figure("statuses")
    total = sum(row[3] for row in found.rows if isinstance(row[3], int))
    assert total == sum(row["expected"] for row in report()["rows"])
    names = [column.name for column in found.columns]
    refused = sum(int(str(row[names.index("refused")])) for row in found.rows)
    assert refused == 24 + 3


def test_the_map_shows_the_chosen_status_under_the_chosen_condition() -> None:
    found = figure("statuses", "lacks a family", status="refused", condition="implicit")
    cells, texts = found.data
    assert cells["y"] == ["implicit L00", "implicit L01"]
    assert cells["z"] == [[25.0], [0.0]]
    assert list(texts["text"]) == ["1/4", "0/4"]
    assert found.layout["coloraxis"]["cmax"] == 25
    answered = figure("statuses", "lacks a family", status="answered").data[0]
    assert answered["z"][0] == [75.0]
