"""Parts of plotly's traces that several figures draw: whiskers, symbols, lines of solvers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grading.figures.base import COLOURS, SYMBOLS, Reading, Solver, axis

__all__ = ["marker", "solver_axis", "whiskers"]


def whiskers(readings: Sequence[Reading], colour: str) -> dict[str, Any]:
    """Error bars from the intervals; a reading without an interval has none."""
    return {
        "type": "data",
        "symmetric": False,
        "array": [0 if r.high is None else round(r.high - r.value, 9) for r in readings],
        "arrayminus": [0 if r.low is None else round(r.value - r.low, 9) for r in readings],
        "color": colour,
        "thickness": 1.2,
        "width": 3,
    }


def marker(solver: Solver) -> dict[str, Any]:
    """The symbol of a solver: filled in a colour for a model, grey and open for a reference."""
    at = solver.number - 1
    symbol = SYMBOLS[at % len(SYMBOLS)]
    if solver.is_reference:
        return {
            "symbol": f"{symbol}-open",
            "color": "--muted",
            "size": 10,
            "line": {"color": "--muted", "width": 2},
        }
    return {
        "symbol": symbol,
        "color": COLOURS[at % len(COLOURS)],
        "size": 11,
        "line": {"color": "--paper", "width": 1},
    }


def solver_axis(solvers: Sequence[Solver]) -> dict[str, Any]:
    """A vertical axis with one line for each solver, the first on top."""
    return axis(
        type="category",
        categoryorder="array",
        categoryarray=[solver.tick for solver in solvers],
        autorange="reversed",
        showgrid=False,
    )
