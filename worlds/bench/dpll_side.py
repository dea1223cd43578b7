"""The native engine as a contender: one set of clauses, uniqueness, then every ablation."""

from __future__ import annotations

from collections.abc import Callable

from worlds.core.engines import Answer, problem_of
from worlds.core.engines.dpll import Dpll
from worlds.core.model import World

__all__ = ["BAN", "load"]

BAN = "another world"


def load(world: World, engine: type[Dpll] = Dpll) -> Callable[[], tuple[Answer, ...]]:
    """Encode a world, as certification does.

    What comes back answers: is there another world, and is there one without each clue in turn.
    """
    problem = problem_of(world)
    dpll = engine(problem.domains)
    for label, constraint in problem.constraints.items():
        dpll.add(label, constraint)
    dpll.ban(BAN, world.solution)
    scopes = {unit.id: problem.constraints[unit.id].scope for unit in world.clues}
    background = [*(bridge.id for bridge in world.bridges), BAN]

    def answers() -> tuple[Answer, ...]:
        unique = dpll.solve([*problem.constraints, BAN], near=world.truth)
        without = dpll.without_each(list(scopes), background, near=world.truth, away=scopes)
        return (unique.answer, *(outcome.answer for outcome in without.values()))

    return answers
