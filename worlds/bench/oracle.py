"""The oracle against the native engine: exact counts without each clue, against yes or no."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from worlds.bench import dpll_side
from worlds.bench.certificates import check_agreement
from worlds.bench.clock import Contender, race
from worlds.bench.plan import Plan, subjects
from worlds.bench.report import Report, Row, row_of
from worlds.core.engines import Answer, problem_of
from worlds.core.engines.oracle import Oracle
from worlds.core.model import World

__all__ = ["PART", "load", "measure"]

PART = "oracle"

_NAMES = ("oracle", "native")


def measure(plan: Plan, _: Report) -> Iterator[Row]:
    """Rows per profile and level; raises EnginesDisagree that names the world."""
    for profile, level in plan.pairs():
        plan.tell(f"{PART}: {profile} {level}")
        pairs = []
        for family, world in subjects(profile, level, plan.worlds):
            runs: dict[str, Contender[tuple[Answer, ...]]] = {
                "oracle": partial(load, world),
                "native": partial(dpll_side.load, world),
            }
            laps, answers = race(runs, plan.rounds)
            check_agreement(family, world, answers)
            pairs.append((laps["oracle"], laps["native"]))
        yield row_of(PART, (profile, level), _NAMES, pairs)


def load(world: World) -> Callable[[], tuple[Answer, ...]]:
    """An oracle; what comes back counts, and says what the counts mean for each query."""
    problem = problem_of(world)
    oracle = Oracle(problem.domains)

    def answers() -> tuple[Answer, ...]:
        census = oracle.census(problem.constraints)
        if census is None:
            return (Answer.UNKNOWN,) * (1 + len(world.clues))
        counts = [census.models, *(census.without[unit.id] for unit in world.clues)]
        return tuple(Answer.SAT if count > 1 else Answer.UNSAT for count in counts)

    return answers
