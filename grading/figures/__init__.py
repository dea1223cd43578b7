"""The figures of a report: plain rows in, plotly's JSON and the same numbers as a table out.

No Django and no plotly in here: a figure is a dict that the browser's plotly draws. Colours are
names of the style sheet's tokens (`--accent`), which the page turns into what they are under its
theme; so light, dark and print draw the same figure.
"""

from __future__ import annotations

from grading.figures.base import Absent, Column, Figure, Reading, Solver, View
from grading.figures.decisions import decisions
from grading.figures.intuition import intuition
from grading.figures.levels import level_curves, levels
from grading.figures.statuses import MISSING_MASS, statuses
from grading.figures.tax import tax

__all__ = [
    "FIGURES",
    "MISSING_MASS",
    "Absent",
    "Column",
    "Figure",
    "Reading",
    "Solver",
    "View",
    "level_curves",
]

FIGURES = {
    "intuition": intuition,
    "levels": levels,
    "decisions": decisions,
    "tax": tax,
    "statuses": statuses,
}
"""Each figure by its name in addresses, in the order in which they are shown."""
