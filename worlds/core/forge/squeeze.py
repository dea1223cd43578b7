"""Drop the clues that are not needed, until every one of them carries load."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from worlds.core.constraints import Constraint, Value
from worlds.core.engines import Answer, Problem
from worlds.core.engines.dpll import Dpll
from worlds.core.errors import NotProved
from worlds.core.forge.evidence import shape_of
from worlds.core.seeds import Stream

__all__ = ["BAN", "minimise"]

BAN = "ban"
"""The label of the clause that excludes the true world."""

_RANK = {"pin": 0, "inequality": 2, "all_different": 2}
"""When a shape is tried: weak shapes late, or they would hardly ever be needed."""


def minimise(
    problem: Problem, hooks: Collection[Constraint], solution: Mapping[str, Value], stream: Stream
) -> dict[str, Constraint]:
    """The clues that stay when every clue that is not needed is dropped.

    Directly stated facts are tried first, then the rest in seeded order, weak shapes late and the
    hooks last. Raises
    NotProved when the engine does not decide, or when the evidence has a second world to begin
    with.
    """
    engine = Dpll(problem.domains)
    for label, constraint in problem.constraints.items():
        engine.add(label, constraint)
    engine.ban(BAN, solution)
    clues = problem.constraints
    if engine.solve(list(clues), given=[BAN]).answer is not Answer.UNSAT:
        raise NotProved("uniqueness", "refuted", "the derived evidence leaves a second world")
    order = stream.shuffled(list(clues))
    order.sort(key=lambda label: (clues[label] in hooks, _RANK.get(shape_of(clues[label]), 1)))
    kept = engine.core(order[::-1], given=[BAN], near=solution, guided=False)
    if kept is None:
        raise NotProved("ablation", "unknown", "the engine's budget is spent")
    return {label: clue for label, clue in clues.items() if label in set(kept)}
