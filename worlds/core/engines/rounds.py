"""Unit propagation alone, in synchronous rounds: the depth of a chain of reasoning.

Apart from the DPLL engine's propagation, which is fast and counts no rounds. A literal implied
through a constraint's clause is one round later than the latest of its antecedents; that a term has
exactly one value costs no round. So a stated fact falls in round 1, what follows from stated facts
in round 2, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from worlds.core.constraints import Value
from worlds.core.engines.cnf import OneHot

__all__ = ["Propagation", "in_rounds"]


@dataclass(frozen=True, slots=True)
class Propagation:
    """The facts that propagation fixes, the round in which it does, and whether it conflicts."""

    facts: Mapping[str, Value]
    round_of: Mapping[str, int]
    conflict: bool

    @property
    def rounds(self) -> int:
        """The last round in which a fact was fixed; 0 when none was."""
        return max(self.round_of.values(), default=0)


def in_rounds(cnf: OneHot, clauses: Sequence[Sequence[int]]) -> Propagation:
    """Propagate the clauses and the one-hot rules, from nothing to the end or a conflict."""
    where: dict[int, list[Sequence[int]]] = {}
    for clause in clauses:
        for literal in clause:
            where.setdefault(-literal, []).append(clause)
    true: set[int] = set()
    round_of: dict[str, int] = {}
    singles = [variables[0] for variables in cnf.variables.values() if len(variables) == 1]
    units = [clause[0] for clause in clauses if len(clause) == 1]
    conflict = not all(clauses) or not all(cnf.variables.values())
    now, forced = 0, singles
    while not conflict and (forced or now == 0):
        fresh = _close(cnf, forced, true)
        for term in dict.fromkeys(cnf.meaning[v - 1][0] for v in fresh if v > 0):
            round_of[term] = now
        conflict = any(-literal in true for literal in fresh)
        forced = units if now == 0 else []
        for literal in fresh:
            for clause in where.get(literal, ()):
                unfalsified = [other for other in clause if -other not in true]
                if len(unfalsified) < 2 and not any(other in true for other in unfalsified):
                    forced.append(unfalsified[0] if unfalsified else clause[0])
        now += 1
    facts = {term: value for v, (term, value) in enumerate(cnf.meaning, 1) if v in true}
    return Propagation(facts, round_of, conflict)


def _close(cnf: OneHot, forced: Iterable[int], true: set[int]) -> list[int]:
    """Add literals and what "exactly one value" makes of them to `true`; those that are new."""
    fresh: list[int] = []
    pending = list(forced)
    while pending:
        literal = pending.pop()
        if literal in true:
            continue
        true.add(literal)
        fresh.append(literal)
        variables = cnf.variables[cnf.meaning[abs(literal) - 1][0]]
        if literal > 0:
            pending += [-other for other in variables if other != literal]
        else:
            live = [variable for variable in variables if -variable not in true]
            if len(live) < 2:
                pending.append(live[0] if live else variables[0])
    return fresh
