"""What every page may show."""

from __future__ import annotations

from django.http import HttpRequest

from worlds.core import GENERATOR_VERSION

__all__ = ["generator"]


def generator(request: HttpRequest) -> dict[str, int]:
    """The version of the generator, for the footer."""
    return {"generator_version": GENERATOR_VERSION}
