"""Lint."""

from __future__ import annotations

from dataclasses import dataclass

from worlds.core.packs.model import Pack

__all__ = ["Finding", "check"]


@dataclass(frozen=True, slots=True)
class Finding:
    where: str
    what: str


def check(pack: Pack) -> tuple[Finding, ...]:
    return ()
