"""How numbers of a certificate are printed."""

from __future__ import annotations

from django import template

__all__ = ["grouped", "percent"]

register = template.Library()


@register.filter
def grouped(count: int) -> str:
    """A count with thousands set apart: `68,719,476,736`."""
    return f"{count:,}"


@register.filter
def percent(share: float) -> str:
    """A share of one in per cent: `12.5 %`."""
    return f"{share * 100:.1f} %"
