"""The refutation of "some other world fits the evidence", for checkers that others wrote.

Two texts. The formula, in DIMACS: the clauses of every clue and bridge, the clause that bans the
solution, and the one-hot rules that the engine builds into its propagation; no selectors. The
refutation, in DRUP, which is DRAT without its further rule: what the engine learned while it
searched, in order, and the empty clause. Where propagation alone refutes, nothing is learned.

Comments of the formula, all of them before its first clause, say what it is made of::

    c variable 7: V1 "W-21" = "Pryce"
    c variable 41: K0 "Who discovered Uranus?" = "Galileo"
    c clauses 101-105: E1 "W-21 is the same as P-33"

Texts are JSON strings in ASCII. The formula is a function of the world; the refutation is one of
the world and the engine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from worlds.core.constraints import Assignment
from worlds.core.engines import Answer, Problem, problem_of
from worlds.core.engines.cnf import Clause, OneHot
from worlds.core.engines.dpll import Dpll
from worlds.core.errors import NotProved
from worlds.core.model import World

__all__ = ["Proof", "formula_text", "proof_of", "refutation_text", "write_proof"]

_BAN = "another world"
_ABOUT = (
    "EnigmaForge: the evidence of a world, and that some fact differs from its solution.",
    "This has no model. Which variable says what, then which clauses come from where:",
)


@dataclass(frozen=True, slots=True)
class Proof:
    """A formula in DIMACS and its refutation in DRUP, both in ASCII with LF."""

    cnf: str
    drat: str

    @property
    def cnf_sha256(self) -> str:
        """What `sha256sum` says of the formula's file."""
        return hashlib.sha256(self.cnf.encode("ascii")).hexdigest()

    @property
    def drat_sha256(self) -> str:
        """What `sha256sum` says of the refutation's file."""
        return hashlib.sha256(self.drat.encode("ascii")).hexdigest()

    @property
    def learned(self) -> int:
        """How many clauses the refutation has before the empty one; 0 if propagation refutes."""
        return self.drat.count("\n") - 1


def proof_of(world: World) -> Proof:
    """Refute every other world; raises NotProved if there is one, or if a budget ran out."""
    problem = problem_of(world)
    engine = Dpll(problem.domains)
    for label, constraint in problem.constraints.items():
        engine.add(label, constraint)
    engine.ban(_BAN, world.solution)
    answer = engine.solve([*problem.constraints, _BAN], near=world.truth).answer
    if answer is not Answer.UNSAT:
        verdict = "refuted" if answer is Answer.SAT else "unknown"
        raise NotProved("uniqueness", verdict, "so there is no refutation to write")
    return write_proof(world, engine.learned())


def write_proof(world: World, learned: Iterable[Clause]) -> Proof:
    """The proof whose search learned these clauses, in this order."""
    problem = problem_of(world)
    named = {bridge.id: bridge.question for bridge in world.bridges}
    named |= {variable.id: variable.mark for variable in world.variables}
    says = {label: each.describe(world.mark_of) for label, each in problem.constraints.items()}
    formula = formula_text(problem, named=named, says=says, banned=world.solution)
    return Proof(formula, refutation_text(learned))


def formula_text(
    problem: Problem,
    *,
    named: Mapping[str, str],
    says: Mapping[str, str],
    banned: Assignment | None = None,
) -> str:
    """A problem in DIMACS, the one-hot rules first and the banned assignment, if any, last.

    `named` says what a reader calls each term, `says` what each constraint says.
    """
    cnf = OneHot(problem.domains)
    blocks = list(_blocks(cnf, problem, says, banned))
    lines = [f"c {line}" for line in _ABOUT]
    for number, (term, value) in enumerate(cnf.meaning, start=1):
        lines.append(f"c variable {number}: {term} {json.dumps(named[term])} = {json.dumps(value)}")
    count = 0
    for name, what, clauses in blocks:
        first, count = count + 1, count + len(clauses)
        where = f"{first}-{count}" if clauses else "none"
        lines.append(f"c clauses {where}: {name} {json.dumps(what)}")
    lines.append(f"p cnf {cnf.size} {count}")
    lines += [_line(clause) for _, _, clauses in blocks for clause in clauses]
    return "\n".join(lines) + "\n"


def refutation_text(learned: Iterable[Clause]) -> str:
    """The learned clauses and the empty one, a line each."""
    return "".join(f"{_line(clause)}\n" for clause in (*learned, ()))


def _blocks(
    cnf: OneHot, problem: Problem, says: Mapping[str, str], banned: Assignment | None
) -> Iterator[tuple[str, str, list[Clause]]]:
    """What each run of clauses comes from, in a word and in a sentence, and the clauses."""
    yield "rule", "everything has a value", list(cnf.at_least_one())
    yield "rule", "nothing has two values", list(cnf.at_most_one())
    for label, constraint in problem.constraints.items():
        yield label, says[label], cnf.clauses_of(constraint)
    if banned is not None:
        yield "ban", "some fact differs from the solution", cnf.ban(banned)


def _line(clause: Clause) -> str:
    return " ".join(map(str, (*clause, 0)))
