"""How scores are printed: one decimal of a hundred, three of one, a true minus sign."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

from grading.services.board import ScoreCell

__all__ = ["cell", "difference", "interval", "probability", "score"]

register = template.Library()


@register.filter
def score(value: float | None, unit: str = "0–100") -> str:
    """A score in its unit: `62.4`, `0.913`, `−3.1`; nothing for None."""
    if value is None:
        return ""
    decimals = 3 if unit == "0–1" else 1
    return f"{round(value, decimals) + 0.0:.{decimals}f}".replace("-", "−")


@register.filter
def difference(value: float | None, unit: str = "0–100") -> str:
    """A difference of scores with its sign: `+6.2`, `−3.1`; zero has none."""
    shown = score(value, unit)
    return f"+{shown}" if value is not None and value > 0 and float(shown) else shown


@register.filter
def probability(value: float) -> str:
    """A p value: three decimals, and nothing smaller than can be told."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


@register.filter
def interval(cell: ScoreCell) -> str:
    """The interval of a score: `[55.1, 69.2]`; nothing where there is none."""
    if cell.low is None or cell.high is None:
        return ""
    return f"[{score(cell.low, cell.unit)}, {score(cell.high, cell.unit)}]"


@register.filter
def cell(cells: Mapping[str, ScoreCell], name: str) -> ScoreCell:
    """The score of that name, out of a row's."""
    return cells[name]
