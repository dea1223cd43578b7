"""The figures of a report: plain rows in, plotly's JSON and the same numbers as a table out.

No Django and no plotly in here: a figure is a dict that the browser's plotly draws. Colours are
names of the style sheet's tokens (`--accent`), which the page turns into what they are under its
theme; so light, dark and print draw the same figure.
"""

from __future__ import annotations

from grading.figures import decisions, intuition, levels, statuses, tax
from grading.figures.base import Absent, Column, Figure, Reading, Solver, View
from grading.figures.levels import level_curves
from grading.figures.statuses import MISSING_MASS

__all__ = [
    "FIGURES",
    "MISSING_MASS",
    "TITLES",
    "Absent",
    "Column",
    "Figure",
    "Reading",
    "Solver",
    "View",
    "level_curves",
]

FIGURES = {
    "intuition": intuition.intuition,
    "levels": levels.levels,
    "decisions": decisions.decisions,
    "tax": tax.tax,
    "statuses": statuses.statuses,
}
"""Each figure by its name in addresses, in the order in which they are shown."""

TITLES = {
    "intuition": intuition.TITLE,
    "levels": levels.TITLE,
    "decisions": decisions.TITLE,
    "tax": tax.TITLE,
    "statuses": statuses.TITLE,
}
