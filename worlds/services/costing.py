"""What a corpus will cost: from what forging its levels has taken on this machine so far.

Nothing is forged to find out. A level that was never forged here has no estimate, and says so.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Avg, Count

from worlds.core.ids import FamilyId
from worlds.core.mint import STORY_CONDITIONS, SURFACES
from worlds.models import ForgingCost

__all__ = ["Estimate", "LevelCost", "estimate_corpus", "note_cost"]


@dataclass(frozen=True, slots=True)
class LevelCost:
    """One level of an order: its families, and what one takes; None if that was never measured.

    `measured` counts the families whose worlds were timed.
    """

    level: str
    families: int
    seconds: float | None
    measured: int

    @property
    def total(self) -> float | None:
        """The seconds of all its families."""
        return None if self.seconds is None else self.seconds * self.families


@dataclass(frozen=True, slots=True)
class Estimate:
    """What an order comes to; `seconds` leaves out the levels that were never measured."""

    families: int
    instances: int
    levels: tuple[LevelCost, ...]

    @property
    def unmeasured(self) -> tuple[LevelCost, ...]:
        """The levels that nobody can tell the cost of yet."""
        return tuple(level for level in self.levels if level.seconds is None)

    @property
    def seconds(self) -> float | None:
        """The processor seconds of the measured levels; None if there are none."""
        known = [level.total for level in self.levels if level.total is not None]
        return math.fsum(known) if known else None


def note_cost(family: FamilyId, seconds: Mapping[str, float]) -> None:
    """Remember what the parts of a family took; see `ForgingCost` for their names."""
    ForgingCost.objects.bulk_create(
        ForgingCost(profile=family.profile, level=family.level, part=part, seconds=took)
        for part, took in seconds.items()
    )


def estimate_corpus(
    *, families: int, profile: str, levels: Sequence[str], burials: Sequence[int]
) -> Estimate:
    """What a corpus of this order comes to; costs one query.

    The families take the levels in turn, as `corpus_families` has them.
    """
    ordered = sorted(set(levels))
    parts = ["world", "papers", *(str(burial) for burial in sorted(set(burials)))]
    rows = (
        ForgingCost.objects.filter(profile=profile, level__in=ordered, part__in=parts)
        .order_by()
        .values("level", "part")
        .annotate(mean=Avg("seconds"), measured=Count("pk"))
    )
    known: dict[tuple[str, str], Mapping[str, Any]] = {(r["level"], r["part"]): r for r in rows}
    share = Counter(ordered[place % len(ordered)] for place in range(families))
    surfaces = len(SURFACES) + len(STORY_CONDITIONS) * (len(parts) - 2)
    return Estimate(
        families,
        families * surfaces,
        tuple(_level(level, share[level], parts, known) for level in ordered if share[level]),
    )


def _level(
    level: str,
    families: int,
    parts: Sequence[str],
    known: Mapping[tuple[str, str], Mapping[str, Any]],
) -> LevelCost:
    found = [known.get((level, part)) for part in parts]
    means = [row["mean"] for row in found if row is not None]
    seconds = math.fsum(means) if len(means) == len(parts) else None
    measured = found[0]["measured"] if found[0] is not None else 0
    return LevelCost(level, families, seconds, measured)
