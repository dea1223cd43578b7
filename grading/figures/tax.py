"""The discovery tax: by how many points success falls when the task must be found as well."""

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
from grading.figures.marks import marker, solver_axis, whiskers

__all__ = ["TITLE", "tax"]

TITLE = "Discovery tax"


def tax(view: View) -> Figure:
    """One point with its interval for each solver, and a line at zero."""
    found = [(solver, reading(solver.row["scores"]["tax"])) for solver in view.solvers]
    drawn = [(solver, cell) for solver, cell in found if isinstance(cell, Reading)]
    return Figure(
        name="tax",
        title=TITLE,
        lede=(
            "Task success with the question asked minus task success without it, family by "
            "family, over families whose replies are complete. Further right costs more."
        ),
        label=f"Discovery tax in points with 95 % intervals for {len(drawn)} solvers.",
        columns=(
            Column("number", "No."),
            Column("solver", "Solver"),
            Column("tax", "Discovery tax", "points", has_interval=True),
            Column("families", "Complete families"),
            Column("least", "Lower bound", "points"),
            Column("most", "Upper bound", "points"),
        ),
        rows=tuple(
            (solver.number, solver.label, cell, *_rest(solver, cell)) for solver, cell in found
        ),
        data=[_point(solver, cell) for solver, cell in drawn],
        layout=layout(
            showlegend=False,
            xaxis=axis("Points of task success", side="top", zeroline=True, zerolinewidth=2),
            yaxis=solver_axis([solver for solver, _ in drawn]),
        ),
        size=size_of(len(drawn)),
        note=(
            "The bounds are over all families, with every missing reply taken as wrong under one "
            f"condition and right under the other. {reasons([(s, [cell]) for s, cell in found])}"
        ).rstrip(),
        absent="" if drawn else "No solver here has a discovery tax.",
    )


def _rest(solver: Solver, cell: Reading | Absent) -> tuple[Any, ...]:
    """How many families it rests on, and its bounds."""
    if isinstance(cell, Absent):
        return (cell, cell, cell)
    score = solver.row["scores"]["tax"]
    bounds = (score["lower_bound"], score["upper_bound"])
    return (score["families"], *(Reading(bound) for bound in bounds))


def _point(solver: Solver, cell: Reading) -> dict[str, Any]:
    look = marker(solver)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": solver.tick,
        "x": [cell.value],
        "y": [solver.tick],
        "error_x": whiskers([cell], look["color"]) | {"thickness": 2, "width": 5},
        "marker": look,
        "hovertemplate": "%{y}: %{x:.1f} points<extra></extra>",
    }
