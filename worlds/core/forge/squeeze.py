"""Drop the clues that are not needed, until every one of them carries load."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from worlds.core.constraints import Value
from worlds.core.engines import Answer, Problem
from worlds.core.engines.dpll import Dpll
from worlds.core.errors import NotProved
from worlds.core.forge.evidence import shape_of
from worlds.core.seeds import Stream

__all__ = ["BAN", "minimise"]

BAN = "ban"
"""The label of the clause that excludes the true world."""


def minimise(
    problem: Problem, clues: Sequence[str], solution: Mapping[str, Value], stream: Stream
) -> list[str]:
    """The labels of the clues that stay when every clue that is not needed is dropped.

    Directly stated facts are tried first, then the rest in seeded order; what else the problem
    holds stays. Raises NotProved when the engine does not decide, or when the evidence has a
    second world to begin with.
    """
    engine = Dpll(problem.domains)
    for label, constraint in problem.constraints.items():
        engine.add(label, constraint)
    engine.ban(BAN, solution)
    active = dict.fromkeys([*problem.constraints, BAN])
    if engine.solve(active).answer is not Answer.UNSAT:
        raise NotProved("uniqueness", "refuted", "the derived evidence leaves a second world")
    order = stream.shuffled(clues)
    for label in sorted(order, key=lambda one: shape_of(problem.constraints[one]) != "pin"):
        del active[label]
        answer = engine.solve(active).answer
        if answer is Answer.UNKNOWN:
            raise NotProved("ablation", "unknown", f"clue {label}")
        if answer is Answer.SAT:
            active[label] = None
    return [label for label in clues if label in active]
