"""How numbers of a certificate are printed."""

from __future__ import annotations

from django import template

__all__ = ["duration", "grouped", "percent"]

register = template.Library()


@register.filter
def grouped(count: int) -> str:
    """A count with thousands set apart: `68,719,476,736`."""
    return f"{count:,}"


@register.filter
def percent(share: float) -> str:
    """A share of one in per cent: `12.5 %`."""
    return f"{share * 100:.1f} %"


@register.filter
def duration(seconds: float) -> str:
    """A stretch of time as people say it: `12 s`, `4 min`, `2 h 10 min`."""
    whole = max(1, round(seconds))
    if whole < 90:
        return f"{whole} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
