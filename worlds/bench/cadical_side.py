"""CaDiCaL 1.9.5 through python-sat as a contender: a C++ solver, called from Python.

The encoding is the native engine's, so its share of the time is Python's as well.
"""

from __future__ import annotations

from collections.abc import Callable

from worlds.bench.clauses import clauses_of
from worlds.bench.plan import Missing
from worlds.core.engines import Answer
from worlds.core.model import World

__all__ = ["check_installed", "load"]

try:
    from pysat.solvers import Solver
except ImportError:
    Solver = None


def check_installed() -> None:
    """Raise Missing without python-sat."""
    if Solver is None:
        raise Missing("python-sat", "CaDiCaL")


def load(world: World) -> Callable[[], tuple[Answer, ...]]:
    """The clauses of a world in a fresh solver."""
    _, clauses, selectors = clauses_of(world)
    solver = Solver("cadical195", bootstrap_with=clauses)

    def answers() -> tuple[Answer, ...]:
        found = []
        for out in (None, *(unit.id for unit in world.clues)):
            assumed = [number for label, number in selectors.items() if label != out]
            found.append(Answer.SAT if solver.solve(assumptions=assumed) else Answer.UNSAT)
        solver.delete()
        return tuple(found)

    return answers
