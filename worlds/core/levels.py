"""The levels of each profile: how large a world is and how it is put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from worlds.core.errors import BadInput

__all__ = ["CASE", "CHAIN", "LevelSpec", "available_levels", "available_profiles", "level_spec"]


@dataclass(frozen=True, slots=True)
class LevelSpec:
    """The size and shape of a world.

    `depth` is the least number of rounds of unit propagation and `propagated` the share of facts
    that it must find, from … to; `pins` the most facts that are stated directly; `rosters` and
    `roster_size` shape the domains of persons, `scales` and `scale_size` those of readings, which
    `ordinal_share` of the variables have; `slack` is how far the number of clues may lie from the
    number of variables.
    """

    profile: str
    level: str
    variables: int
    false_distractors: int
    idle_distractors: int
    essential_bridges: int
    confirmatory_bridges: int
    depth: int
    pins: int
    rosters: int
    roster_size: int
    scales: int
    scale_size: int
    slack: int
    propagated: tuple[float, float] = (0.9, 1.0)
    ordinal_share: float = 0.34
    neighbourhood: int = 14

    @property
    def distractors(self) -> int:
        """How many evidence units only report what others say."""
        return self.false_distractors + self.idle_distractors


_CHAIN = (
    #                           vars false idle ess conf depth pins rosters size scales size slack
    LevelSpec("chain", "L00", 8, 1, 1, 1, 1, 2, 2, 1, 4, 1, 4, 0),
    LevelSpec("chain", "L01", 14, 2, 1, 1, 1, 3, 3, 1, 4, 1, 4, 1),
    LevelSpec("chain", "L02", 20, 2, 2, 1, 1, 4, 4, 1, 5, 2, 5, 2),
    LevelSpec("chain", "L03", 27, 3, 2, 2, 1, 6, 5, 2, 5, 2, 5, 2),
    LevelSpec("chain", "L04", 34, 4, 2, 2, 1, 8, 7, 2, 5, 2, 6, 2),
    LevelSpec("chain", "L05", 42, 5, 3, 3, 1, 10, 9, 2, 5, 3, 6, 3),
    LevelSpec("chain", "L06", 60, 6, 4, 3, 1, 12, 13, 2, 6, 4, 6, 4),
    LevelSpec("chain", "L07", 80, 8, 5, 4, 1, 14, 17, 2, 6, 5, 6, 5),
    LevelSpec("chain", "L08", 100, 9, 6, 4, 2, 16, 21, 2, 6, 6, 6, 7),
    LevelSpec("chain", "L09", 120, 11, 7, 5, 2, 18, 25, 2, 6, 6, 6, 8),
)

CHAIN: Mapping[str, LevelSpec] = {spec.level: spec for spec in _CHAIN}

CASE: Mapping[str, LevelSpec] = {
    spec.level: replace(
        spec,
        profile="case",
        depth=0,
        pins=max(1, spec.variables // 20),
        slack=max(2, spec.variables // 7),
        propagated=(0.0, 0.6 if spec.variables >= 20 else 0.75),
    )
    for spec in _CHAIN
}

_PROFILES = {"chain": CHAIN, "case": CASE}


def available_profiles() -> tuple[str, ...]:
    """The profiles that can be forged, the default first."""
    return tuple(_PROFILES)


def available_levels(profile: str) -> tuple[str, ...]:
    """The levels that can be forged in a profile, in order; none for a profile unknown here."""
    return tuple(_PROFILES.get(profile, {}))


def level_spec(profile: str, level: str) -> LevelSpec:
    """The specification of a level; raises BadInput that says what can be forged."""
    if profile not in _PROFILES:
        raise BadInput("profile", profile, " or ".join(_PROFILES))
    levels = _PROFILES[profile]
    if level not in levels:
        allowed = f"a level from {next(iter(levels))} to {list(levels)[-1]}"
        raise BadInput("level", level, f"{allowed} in profile {profile}")
    return levels[level]
