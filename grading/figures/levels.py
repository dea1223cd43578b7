"""Success by level: guided (the question is asked) against unguided (nothing says there is one)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grading.figures.base import (
    Absent,
    Column,
    Figure,
    Reading,
    Row,
    Solver,
    View,
    axis,
    layout,
    plain,
    reading,
)
from grading.figures.marks import whiskers

__all__ = ["MOST_PANELS", "TITLE", "level_curves", "levels"]

TITLE = "Success by level, guided against unguided"

MOST_PANELS = 6
_COLUMNS = 3

_LOOKS: Mapping[str, tuple[str, str, str, str]] = {
    "explicit": ("guided (explicit)", "--accent", "circle", "solid"),
    "implicit": ("unguided (implicit)", "--role-clue", "diamond", "dash"),
    "formal": ("formal", "--role-bridge-note", "square", "dot"),
}
"""Of each condition its words, colour, symbol and dash."""

_BESIDE = {"explicit": -0.07, "implicit": 0.07, "formal": 0.0}

_SOLVER = (Column("number", "No."), Column("solver", "Solver"))


def levels(view: View) -> Figure:
    """One panel for each solver, of which there are at most `MOST_PANELS`."""
    models = [solver for solver in view.solvers if solver.row.get("cells")]
    shown = models[:MOST_PANELS]
    left = len(models) - len(shown)
    more = f" {left} more can be chosen; a picture holds {MOST_PANELS}." if left else ""
    return _figure(
        shown,
        ("explicit", "implicit"),
        name="levels",
        title=TITLE,
        lede=(
            "The same worlds with the question asked and with nothing but the record. "
            "The gap between the lines is what discovery costs at that level."
        ),
        note=f"95 % intervals over the families of a level.{more}",
        is_named=True,
    )


def level_curves(solver: Solver) -> Figure:
    """One solver under every condition."""
    return _figure(
        [solver] if solver.row.get("cells") else [],
        tuple(_LOOKS),
        name="level-curves",
        title="Success by level under each condition",
        lede="Task success: world exact and action correct, with 95 % intervals over families.",
        note="",
        is_named=False,
    )


def _figure(
    shown: Sequence[Solver],
    conditions: Sequence[str],
    *,
    name: str,
    title: str,
    lede: str,
    note: str,
    is_named: bool,
) -> Figure:
    columns = min(_COLUMNS, len(shown)) or 1
    rows = -(-len(shown) // columns)
    names = sorted({level for solver in shown for level in _levels(solver)})
    return Figure(
        name=name,
        title=title,
        lede=lede,
        label=(
            f"Line charts of task success by level, {' against '.join(conditions)}, "
            f"for {len(shown)} solver{'' if len(shown) == 1 else 's'}."
        ),
        columns=_columns(conditions, is_named=is_named),
        rows=tuple(
            (solver.number, solver.label, *row) if is_named else row
            for solver in shown
            for row in _table(solver, conditions)
        ),
        data=[
            curve
            for place, solver in enumerate(shown, start=1)
            for condition in conditions
            for curve in _curve(solver, condition, place, names)
        ],
        layout=_layout(shown, names, _grid(rows, columns)),
        narrow={
            "grid": _grid(len(shown), 1),
            "legend": _legend(-0.16 / max(1, len(shown))),
        },
        size="small" if rows == 1 else "medium",
        panels=len(shown),
        note=note,
        absent="" if shown else "No solver here has scores by level and condition.",
    )


def _layout(
    shown: Sequence[Solver], names: Sequence[str], grid: Mapping[str, Any]
) -> dict[str, Any]:
    return layout(
        grid=grid,
        annotations=[_heading(solver, at) for at, solver in enumerate(shown, start=1)],
        margin={"l": 8, "r": 16, "t": 34, "b": 8},
        legend=_legend(-0.1),
        **_axes(len(shown), names),
    )


def _columns(conditions: Sequence[str], *, is_named: bool) -> tuple[Column, ...]:
    return (
        *(_SOLVER if is_named else ()),
        Column("level", "Level"),
        *(
            Column(condition, _LOOKS[condition][0].capitalize(), "0–100", has_interval=True)
            for condition in conditions
        ),
    )


def _grid(rows: int, columns: int) -> dict[str, Any]:
    return {
        "rows": rows,
        "columns": columns,
        "pattern": "independent",
        "xgap": 0.12,
        "ygap": 0.34,
    }


def _legend(y: float) -> dict[str, Any]:
    return {"orientation": "h", "x": 0, "y": round(y, 3), "yanchor": "top"}


def _suffix(place: int) -> str:
    return "" if place == 1 else str(place)


def _axes(count: int, names: Sequence[str]) -> dict[str, Any]:
    axes: dict[str, Any] = {}
    for place in range(1, count + 1):
        across = axis(
            range=[-0.5, len(names) - 0.5],
            tickmode="array",
            tickvals=list(range(len(names))),
            ticktext=list(names),
            zeroline=False,
        )
        axes[f"xaxis{_suffix(place)}"] = across
        axes[f"yaxis{_suffix(place)}"] = axis(range=[-4, 104], zeroline=False, dtick=25)
    return axes


def _heading(solver: Solver, place: int) -> dict[str, Any]:
    return {
        "text": solver.tick,
        "xref": f"x{_suffix(place)} domain",
        "yref": f"y{_suffix(place)} domain",
        "x": 0,
        "y": 1,
        "yshift": 4,
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 13, "color": "--ink"},
    }


def _levels(solver: Solver) -> list[str]:
    return sorted({cell["level"] for cell in solver.row["cells"]})


def _cell(solver: Solver, level: str, condition: str) -> Reading | Absent:
    for cell in solver.row["cells"]:
        if (cell["level"], cell["condition"]) == (level, condition):
            return reading(cell["scores"]["task_success"])
    return Absent("the corpus has no instance here")


def _table(solver: Solver, conditions: Sequence[str]) -> list[Row]:
    return [
        (level, *(_cell(solver, level, condition) for condition in conditions))
        for level in _levels(solver)
    ]


def _curve(
    solver: Solver, condition: str, place: int, names: Sequence[str]
) -> list[dict[str, Any]]:
    """The line of a condition, a little beside those of others, so that intervals can be seen."""
    found = [(at, level, _cell(solver, level, condition)) for at, level in enumerate(names)]
    points = [(at, level, cell) for at, level, cell in found if isinstance(cell, Reading)]
    if not points:
        return []
    words, colour, symbol, dash = _LOOKS[condition]
    beside = _BESIDE[condition]
    return [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": words,
            "legendgroup": condition,
            "showlegend": place == 1,
            "xaxis": f"x{_suffix(place)}",
            "yaxis": f"y{_suffix(place)}",
            "x": [at + beside for at, *_ in points],
            "y": [cell.value for *_, cell in points],
            "text": [level for _, level, _ in points],
            "error_y": whiskers([cell for *_, cell in points], colour),
            "line": {"color": colour, "dash": dash, "width": 2},
            "marker": {"symbol": symbol, "size": 9, "color": colour},
            "hovertemplate": f"{plain(words)}, %{{text}}: %{{y:.1f}}<extra></extra>",
        }
    ]
