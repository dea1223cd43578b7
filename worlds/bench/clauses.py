"""A world as clauses with selectors, for the solvers that take nothing else."""

from __future__ import annotations

from worlds.core.engines import problem_of
from worlds.core.engines.cnf import Clause, OneHot
from worlds.core.model import World

__all__ = ["clauses_of"]


def clauses_of(world: World) -> tuple[int, list[Clause], dict[str, int]]:
    """The number of variables, all clauses, and the selector of every clue and bridge.

    The ban on the solution has no selector: it is in force in every query.
    """
    problem = problem_of(world)
    cnf = OneHot(problem.domains)
    clauses = [*cnf.at_least_one(), *cnf.at_most_one(), *cnf.ban(world.solution)]
    selectors: dict[str, int] = {}
    for number, (label, constraint) in enumerate(problem.constraints.items(), cnf.size + 1):
        selectors[label] = number
        clauses += [(-number, *clause) for clause in cnf.clauses_of(constraint)]
    return cnf.size + len(selectors), clauses, selectors
