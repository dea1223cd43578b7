"""Forging a certified world against making a zebra puzzle of reasoning-gym.

The puzzle is the square one nearest in size: as many people as characteristics, so 6 × 6, 36
variables, beside the 42 of L05. It is made as a record of that data set, with its wording, its
unique answer and its minimal clues; the world with its whole certificate. A second row adds one
record of the world in prose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

from worlds.bench.clock import Contender, race
from worlds.bench.plan import Missing, Plan, subjects
from worlds.bench.report import Goal, Report, Row, row_of
from worlds.core.ids import FamilyId
from worlds.core.levels import level_spec
from worlds.core.mint import forge_family, mint

__all__ = ["PART", "Puzzles", "measure", "nearest", "zebra_puzzles"]

PART = "forging"

LEVELS = ("L00", "L01", "L02", "L03", "L04", "L05")
_SIDES = range(2, 8)
_GOALS = {("chain", "L05"): Goal(least=5), ("case", "L05"): Goal(least=1)}
_APART = 1000

Puzzles = Callable[[int, int], int]
"""Makes the puzzle of a side and a seed; how many variables it has."""


def zebra_puzzles() -> Puzzles:
    """reasoning-gym's maker of puzzles; raises Missing without the package."""
    try:
        gym = import_module("reasoning_gym")
    except ImportError as error:
        raise Missing("reasoning-gym", "the zebra puzzle") from error
    return partial(_zebra, gym)


def _zebra(gym: Any, side: int, seed: int) -> int:
    # Its records use seed + index, so seeds that are neighbours would share them.
    puzzles = gym.create_dataset(
        "zebra_puzzles",
        seed=seed * _APART,
        size=1,
        num_people=side,
        num_characteristics=side,
    )
    size = puzzles[0]["metadata"]["difficulty"]
    return int(size["num_people"]) * int(size["num_characteristics"])


def nearest(variables: int) -> int:
    """The side of the square puzzle nearest to so many variables."""
    return min(_SIDES, key=lambda side: abs(side * side - variables))


def measure(plan: Plan, report: Report, puzzles: Puzzles | None = None) -> Iterator[Row]:
    """Two rows per profile and level, or none and a sentence without reasoning-gym."""
    try:
        puzzles = puzzles or zebra_puzzles()
    except Missing as missing:
        report.left_out.append(str(missing))
        return
    for profile, level in plan.pairs(*LEVELS):
        plan.tell(f"{PART}: {profile} {level}")
        side = nearest(level_spec(profile, level).variables)
        zebra, forged, minted = f"zebra {side} × {side}", "certified world", "instance"
        laps = []
        for family, _ in subjects(profile, level, plan.worlds, written=True):
            runs: dict[str, Contender[int]] = {
                zebra: partial(_ready, partial(puzzles, side, family.seed)),
                forged: partial(_ready, partial(_forge, family)),
                minted: partial(_ready, partial(_mint, family)),
            }
            lap, sizes = race(runs, plan.rounds)
            assert sizes[zebra] == side * side
            laps.append(lap)
        for name, goal in ((forged, _GOALS.get((profile, level))), (minted, None)):
            pairs = [(lap[zebra], lap[name]) for lap in laps]
            yield row_of(PART, (profile, level), (zebra, name), pairs, goal)


def _ready(do: Callable[[], int]) -> Callable[[], int]:
    """Nothing is prepared: all of the work counts as done."""
    return do


def _forge(family: FamilyId) -> int:
    forge_family.cache_clear()
    return len(forge_family(family).world.variables)


def _mint(family: FamilyId) -> int:
    forge_family.cache_clear()
    return len(mint(family.instance("implicit")).world.variables)
