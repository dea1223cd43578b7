"""What to measure: which worlds, and who is told how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from worlds.core.errors import EnigmaError, Exhausted, ProseError
from worlds.core.ids import LEVELS, PROFILES, FamilyId
from worlds.core.mint import forge_family, mint
from worlds.core.model import World

__all__ = ["GENRE", "Missing", "Plan", "subjects"]

GENRE = "maritime"
"""The genre of every world here: names and wording make no difference to an engine."""


class Missing(EnigmaError):
    """A package that only the benchmark needs is not installed."""

    def __init__(self, package: str, without: str) -> None:
        self.package = package
        super().__init__(f"{without} is left out: {package} is missing; `make bench` installs it")


def _silent(_: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Plan:
    """How many worlds of which levels; each pair is measured `rounds` times and the best counts."""

    worlds: int = 20
    levels: tuple[str, ...] = LEVELS
    profiles: tuple[str, ...] = PROFILES
    rounds: int = 2
    tell: Callable[[str], None] = _silent

    def pairs(self, *levels: str) -> Iterator[tuple[str, str]]:
        """The profiles and levels to measure, of those given or of all."""
        for profile in self.profiles:
            for level in self.levels:
                if not levels or level in levels:
                    yield profile, level


def subjects(
    profile: str, level: str, count: int, *, written: bool = False
) -> Iterator[tuple[FamilyId, World]]:
    """The certified worlds of the first seeds, from 0; a seed that gives none is passed.

    If they are to be `written`, so is one whose implicit record the gate refuses.
    """
    seed = 0
    while count:
        family = FamilyId(profile, level, GENRE, seed)
        seed += 1
        try:
            world = forge_family(family).world
            if written:
                mint(family.instance("implicit"))
        except (Exhausted, ProseError):
            continue
        count -= 1
        yield family, world
