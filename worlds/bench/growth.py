"""How the cost of an instance grows with its level: forged, certified and written, against L05."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from worlds.bench.clock import Contender, race
from worlds.bench.plan import Plan, subjects
from worlds.bench.report import Goal, Report, Row, row_of
from worlds.core.ids import FamilyId
from worlds.core.mint import forge_family, mint

__all__ = ["BASE", "PART", "measure"]

PART = "growth"
BASE = "L05"

_GOALS = {"L09": Goal(most=40)}


def measure(plan: Plan, _: Report) -> Iterator[Row]:
    """A row per profile and level. World n of every level is measured before world n + 1."""
    levels = [level for level in plan.levels if level != BASE]
    for profile in plan.profiles:
        plan.tell(f"{PART}: {profile}")
        families = {
            level: [f for f, _ in subjects(profile, level, plan.worlds, written=True)]
            for level in (*levels, BASE)
        }
        laps = []
        for place in range(plan.worlds):
            runs: dict[str, Contender[str]] = {
                level: partial(_ready, chosen[place]) for level, chosen in families.items()
            }
            laps.append(race(runs, plan.rounds)[0])
        for level in levels:
            pairs = [(lap[level], lap[BASE]) for lap in laps]
            yield row_of(PART, (profile, level), (level, BASE), pairs, _GOALS.get(level))


def _ready(family: FamilyId) -> partial[str]:
    return partial(_prompt, family)


def _prompt(family: FamilyId) -> str:
    forge_family.cache_clear()
    return mint(family.instance("implicit")).prompt
