"""Native certificates against z3 and CaDiCaL: uniqueness and every ablation of the same worlds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from worlds.bench import cadical_side, dpll_side, z3_side
from worlds.bench.clock import Contender, Lap, race
from worlds.bench.plan import Missing, Plan, subjects
from worlds.bench.report import Goal, Report, Row, row_of
from worlds.core.engines import Answer
from worlds.core.errors import EnginesDisagree
from worlds.core.ids import FamilyId
from worlds.core.model import World

__all__ = ["PART", "check_agreement", "contenders", "measure"]

PART = "certificates"

_NATIVE, _Z3, _CLAUSES, _CADICAL = "native", "z3", "z3 on our clauses", "CaDiCaL"
_UP_TO_L05 = ("L00", "L01", "L02", "L03", "L04", "L05")

Answers = tuple[Answer, ...]
Load = Callable[[World], Callable[[], Answers]]


def contenders(report: Report) -> dict[str, Load]:
    """All of them by name, the native one first; who is missing is noted in the report."""
    found: dict[str, Load] = {_NATIVE: dpll_side.load}
    for logic in z3_side.LOGICS:
        found[f"{_Z3} {logic}"] = partial(z3_side.load_integers, logic=logic)
    found[_CLAUSES] = z3_side.load_clauses
    try:
        cadical_side.check_installed()
    except Missing as missing:
        report.left_out.append(str(missing))
    else:
        found[_CADICAL] = cadical_side.load
    return found


def measure(plan: Plan, report: Report) -> Iterator[Row]:
    """Rows per profile and level; raises EnginesDisagree that names the world."""
    sides = contenders(report)
    for profile, level in plan.pairs():
        plan.tell(f"{PART}: {profile} {level}")
        laps: list[dict[str, Lap]] = []
        for family, world in subjects(profile, level, plan.worlds):
            laps.append(_race(family, world, sides, plan.rounds))
        yield from _rows((profile, level), laps)


def _race(family: FamilyId, world: World, sides: Mapping[str, Load], rounds: int) -> dict[str, Lap]:
    runs: dict[str, Contender[Answers]] = {
        name: partial(load, world) for name, load in sides.items()
    }
    laps, answers = race(runs, rounds)
    check_agreement(family, world, answers)
    integers = [laps[f"{_Z3} {logic}"] for logic in z3_side.LOGICS]
    return {**laps, _Z3: min(integers, key=lambda lap: lap.total)}


def check_agreement(family: FamilyId, world: World, answers: Mapping[str, Answers]) -> None:
    """Raise EnginesDisagree, with the family's id, at the first query answered in two ways."""
    queries = ["uniqueness", *(f"the evidence without {unit.id}" for unit in world.clues)]
    for query, *given in zip(queries, *answers.values(), strict=True):
        if len(set(given)) > 1:
            told: dict[str, object] = dict(zip(answers, map(str, given), strict=True))
            raise EnginesDisagree(f"{family}: {query}", told)


def _rows(place: tuple[str, str], laps: Sequence[Mapping[str, Lap]]) -> Iterator[Row]:
    fast = place[1] in _UP_TO_L05
    pairs: list[tuple[str, str, Goal | None]] = [
        (_Z3, _NATIVE, Goal(least=5 if fast else 1)),
        (_CLAUSES, _NATIVE, None),
        (_NATIVE, _CADICAL, Goal(most=5) if fast else None),
    ]
    for one, other, goal in pairs:
        if laps and one in laps[0] and other in laps[0]:
            measured = [(lap[one], lap[other]) for lap in laps]
            yield row_of(PART, place, (one, other), measured, goal)
