"""The levels of each profile: how large a world is and how it is put together."""

from __future__ import annotations

from dataclasses import dataclass

from worlds.core.errors import BadInput

__all__ = ["CHAIN", "LevelSpec", "available_levels", "level_spec"]


@dataclass(frozen=True, slots=True)
class LevelSpec:
    """The size and shape of a world.

    `depth` is the least number of rounds of unit propagation; `pins` the most facts that are
    stated directly; `rosters` and `roster_size` shape the domains of persons, `scales` counts the
    ordinal domains and `ordinal_share` the share of variables that have one.
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
    ordinal_share: float
    neighbourhood: int = 14

    @property
    def distractors(self) -> int:
        """How many evidence units only report what others say."""
        return self.false_distractors + self.idle_distractors


CHAIN = {
    #                           vars false idle ess conf depth pins rosters size scales size  share
    "L00": LevelSpec("chain", "L00", 8, 1, 1, 1, 1, 2, 2, 1, 4, 1, 4, 0.38),
    "L01": LevelSpec("chain", "L01", 14, 2, 1, 1, 1, 3, 3, 1, 4, 1, 4, 0.36),
    "L02": LevelSpec("chain", "L02", 20, 2, 2, 1, 1, 4, 4, 1, 5, 2, 5, 0.35),
    "L03": LevelSpec("chain", "L03", 27, 3, 2, 2, 1, 6, 5, 2, 5, 2, 5, 0.34),
    "L04": LevelSpec("chain", "L04", 34, 4, 2, 2, 1, 8, 7, 2, 5, 2, 6, 0.34),
    "L05": LevelSpec("chain", "L05", 42, 5, 3, 3, 1, 10, 9, 2, 5, 3, 6, 0.34),
}

_PROFILES = {"chain": CHAIN}


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
