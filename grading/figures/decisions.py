"""Retention and earned decisions as paired bars: what survives discovery, and what was luck."""

from __future__ import annotations

from typing import Any

from grading.figures.base import (
    Absent,
    Column,
    Figure,
    Reading,
    Solver,
    View,
    axis,
    layout,
    reading,
    reasons,
    size_of,
)
from grading.figures.marks import solver_axis, whiskers

__all__ = ["TITLE", "decisions"]

TITLE = "Discovery retention and earned decisions"

_BARS = (
    ("retention", "Discovery retention", "--accent", ""),
    ("earned_decisions", "Earned decisions", "--role-clue", "/"),
)
"""Of each bar its score, words, colour and hatching."""


def decisions(view: View) -> Figure:
    """Two bars for each solver."""
    found = [
        (solver, tuple(reading(solver.row["scores"][name]) for name, *_ in _BARS))
        for solver in view.solvers
    ]
    solvers = [
        solver for solver, cells in found if any(isinstance(cell, Reading) for cell in cells)
    ]
    return Figure(
        name="decisions",
        title=TITLE,
        lede=(
            "How much of the facts is still found when nobody asks for them, and how many of the "
            "correct actions rest on a world that is right in everything."
        ),
        label=(
            "Paired horizontal bars of discovery retention and earned decisions for "
            f"{len(solvers)} solvers, with 95 % intervals."
        ),
        columns=(
            Column("number", "No."),
            Column("solver", "Solver"),
            *(Column(name, words, "0–100", has_interval=True) for name, words, *_ in _BARS),
        ),
        rows=tuple((solver.number, solver.label, *cells) for solver, cells in found),
        data=[_bars(found, at) for at in range(len(_BARS))] if solvers else [],
        layout=layout(
            barmode="group",
            bargap=0.35,
            xaxis=axis(rangemode="tozero", side="top", zeroline=True),
            yaxis=solver_axis(solvers),
            legend={"orientation": "h", "x": 0, "y": -0.04, "yanchor": "top"},
        ),
        size=size_of(2 * len(solvers)),
        note=reasons(found),
        absent="" if solvers else "No solver here has either number.",
    )


def _bars(found: list[tuple[Solver, tuple[Reading | Absent, ...]]], at: int) -> dict[str, Any]:
    _, words, colour, hatching = _BARS[at]
    bars = [(solver, cell) for solver, cells in found if isinstance(cell := cells[at], Reading)]
    return {
        "type": "bar",
        "orientation": "h",
        "name": words,
        "x": [cell.value for _, cell in bars],
        "y": [solver.tick for solver, _ in bars],
        "error_x": whiskers([cell for _, cell in bars], "--ink"),
        "marker": {
            "color": colour,
            "pattern": {
                "shape": hatching,
                "fillmode": "overlay",
                "fgcolor": "--paper",
                "fgopacity": 1,
                "size": 7,
                "solidity": 0.25,
            },
        },
        "hovertemplate": "%{y}: %{x:.1f}<extra>%{fullData.name}</extra>",
    }
