"""z3 as a contender, three ways, each with one check under assumptions per query.

Two take the integer encoding of the third opinion, one under each of the logics that suit it. The
third is handed the native engine's clauses as DIMACS text, which spares z3 its own front end and is
its fastest way here, though no independent opinion. A context is made once: it costs more than a
small world. No model is asked for, which would cost z3 more than the native engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import z3

from worlds.bench.clauses import clauses_of
from worlds.core.engines import Answer, problem_of
from worlds.core.engines.z3_check import Encoding
from worlds.core.model import World

__all__ = ["LOGICS", "load_clauses", "load_integers"]

LOGICS = ("QF_LIA", "QF_FD")


@cache
def _context() -> Any:
    return z3.Context()


def load_integers(world: World, logic: str) -> Callable[[], tuple[Answer, ...]]:
    """Every term an integer with bounds, every label a selector that implies its constraint."""
    problem = problem_of(world)
    encoding = Encoding(problem.domains, _context())
    solver = z3.SolverFor(logic, ctx=_context())
    solver.add(*encoding.bounds())
    selectors = {}
    for label, constraint in problem.constraints.items():
        selectors[label] = z3.Bool(f"selector {label}", _context())
        solver.add(z3.Implies(selectors[label], encoding.formula(constraint)))
    solver.add(encoding.differs(world.solution))
    return _queries(world, solver, selectors)


def load_clauses(world: World) -> Callable[[], tuple[Answer, ...]]:
    """The clauses that CaDiCaL gets, as text."""
    size, clauses, numbered = clauses_of(world)
    lines = [f"p cnf {size} {len(clauses)}", *(" ".join(map(str, (*c, 0))) for c in clauses)]
    solver = z3.SolverFor("QF_FD", ctx=_context())
    solver.from_string("\n".join(lines) + "\n")
    selectors = {label: z3.Bool(number, _context()) for label, number in numbered.items()}
    return _queries(world, solver, selectors)


def _queries(
    world: World, solver: Any, selectors: Mapping[str, Any]
) -> Callable[[], tuple[Answer, ...]]:
    def answers() -> tuple[Answer, ...]:
        left_out = [None, *(unit.id for unit in world.clues)]
        return tuple(
            Answer(str(solver.check(*(each for label, each in selectors.items() if label != out))))
            for out in left_out
        )

    return answers
