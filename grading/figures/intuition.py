"""Intuition against fact F1: whether a solver that finds the facts finds the task as well."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
from grading.figures.marks import marker, whiskers

__all__ = ["TITLE", "intuition"]

TITLE = "Intuition against fact F1"


def intuition(view: View) -> Figure:
    """One point for each solver: across the fact F1, up the intuition."""
    where = f"under the {view.condition} condition" if view.condition else "over all conditions"
    found = [(solver, _f1(solver, view.condition), _intuition(solver)) for solver in view.solvers]
    drawn = [
        (solver, f1, up)
        for solver, f1, up in found
        if isinstance(f1, Reading) and isinstance(up, Reading)
    ]
    return Figure(
        name="intuition",
        title=TITLE,
        lede=(
            "Whoever finds the facts when asked for them may still miss what they are for. "
            f"Across: fact F1 {where}. Up: tasks solved where nothing says that there is one."
        ),
        label=(
            f"Scatter plot of intuition against fact F1 {where} for {len(drawn)} solvers, "
            "with 95 % intervals."
        ),
        columns=(
            Column("number", "No."),
            Column("solver", "Solver"),
            Column("fact_f1", f"Fact F1 {where}", "0–1", has_interval=True),
            Column("intuition", "Intuition", "0–100", has_interval=True),
        ),
        rows=tuple((solver.number, solver.label, f1, up) for solver, f1, up in found),
        data=[_point(*each) for each in drawn],
        layout=layout(
            xaxis=axis(f"Fact F1 {where}", range=[_leftmost(drawn), 1.03], zeroline=False),
            yaxis=axis("Intuition", range=[-4, 104], zeroline=False),
        ),
        narrow={"showlegend": False},
        size="medium" if size_of(len(drawn)) in ("small", "medium") else "large",
        note=reasons([(solver, cells) for solver, *cells in found]),
        absent="" if drawn else "No solver here has both numbers.",
    )


def _leftmost(drawn: Sequence[tuple[Solver, Reading, Reading]]) -> float:
    """Where the axis begins: a little left of everything drawn, at a tenth."""
    ends = [f1.value if f1.low is None else f1.low for _, f1, _ in drawn]
    return math.floor(10 * min(ends, default=0.0)) / 10 - 0.03


def _f1(solver: Solver, condition: str) -> Reading | Absent:
    if not condition:
        return reading(solver.row["scores"]["fact_f1"])
    slices = solver.row["slices"].get("condition", {})
    if condition not in slices:
        return Absent("the corpus has no instance here")
    return reading(slices[condition]["fact_f1"])


def _intuition(solver: Solver) -> Reading | Absent:
    return reading(solver.row["scores"]["intuition"])


def _point(solver: Solver, f1: Reading, up: Reading) -> dict[str, Any]:
    look = marker(solver)
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": solver.tick,
        "x": [f1.value],
        "y": [up.value],
        "error_x": whiskers([f1], look["color"]),
        "error_y": whiskers([up], look["color"]),
        "marker": look,
        "text": [str(solver.number)],
        "textposition": "top right",
        "hovertemplate": "%{fullData.name}<br>F1 %{x:.3f}, intuition %{y:.1f}<extra></extra>",
    }
