"""What a narrator is given, and the port that every narrator stands behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from worlds.core.model import UnitRole
from worlds.core.prose.notices import dates_said

__all__ = ["CHANNEL", "GAPS", "Line", "Narrator", "ScenePlan"]

CHANNEL = "notice"
"""The channel of a story's one document: the one in which frames, orders and clauses may stand."""

GAPS = ((0, 0), (1, 2), (2, 4), (4, 6), (6, 9), (10, 14))
"""The fewest and the most sentences of story before each clause, by burial."""


@dataclass(frozen=True, slots=True)
class Line:
    """A unit in its words; in a scene it stands as it is, or with its first letter a capital."""

    unit: str
    role: UnitRole
    text: str


@dataclass(frozen=True, slots=True)
class ScenePlan:
    """One scene: when, where and among whom, and the lines that it has to hold, in order.

    An order stands last in its scene and bears the scene's date.
    """

    number: int
    day: int
    month: str
    weekday: str
    place: str
    setting: str
    weather: str
    companion: str
    host: str
    writer: str
    burial: int
    lines: tuple[Line, ...]

    @property
    def date(self) -> str:
        """`the 7th of January`."""
        return dates_said([self.day], self.month)


class Narrator(Protocol):
    """Tells scenes: one text for each plan, paragraphs parted by line ends."""

    @property
    def name(self) -> str:
        """What the instance says of its narrator."""

    def narrate(self, plans: Sequence[ScenePlan]) -> tuple[str, ...]:
        """The text of each scene, in order."""
