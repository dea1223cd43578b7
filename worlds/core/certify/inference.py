"""The inference profile: how hard a world is, formally.

Told by technique, each fact by the first that reaches it:

    reading       it is stated, or read off a table whose bridge is known
    chaining      unit propagation reaches it; in how many rounds is the depth of the chain
    elimination   propagation reaches it once values are crossed out that it refutes when they are
                  assumed (failed literals, round by round until there are no more)
    case split    the rest needs cases within cases

`decisions` is what an engine that has learned nothing yet decides until it finds the world.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from worlds.core.certify.examination import Examination
from worlds.core.constraints import Constraint, Equality, Implication
from worlds.core.engines import Answer
from worlds.core.engines.trail import Trail
from worlds.core.errors import NotProved

__all__ = ["inference"]


def inference(examination: Examination) -> dict[str, Any]:
    """Counts over the facts of the world; the answers of bridges are known and do not count."""
    facts = list(examination.world.solution)
    clues = [examination.constraints[clue] for clue in examination.clues]
    stated = {clue.left for clue in clues if isinstance(clue, Equality) and clue.is_pin}
    read = stated | set(_tabled(examination, clues))
    reached = examination.dpll.propagate(examination.evidence)
    rounds = {fact: reached.round_of[fact] for fact in facts if fact in reached.round_of}
    left = [fact for fact in facts if fact not in rounds]
    eliminated, elimination_rounds = _eliminated(examination, left)
    return {
        "facts": len(facts),
        "direct": len(stated & set(facts)),
        "propagated": len(rounds),
        "rounds": max(rounds.values(), default=0),
        "decisions": _decisions(examination) if left else 0,
        "elimination_rounds": elimination_rounds,
        "techniques": {
            "reading": len(read & set(facts)),
            "chaining": len(set(rounds) - read),
            "elimination": eliminated,
            "case_split": len(left) - eliminated,
        },
    }


def _tabled(examination: Examination, clues: Iterable[Constraint]) -> Iterable[str]:
    """The facts that a row of a table states to whoever knows the bridge's answer."""
    known = examination.world.knowledge
    for clue in clues:
        if isinstance(clue, Implication) and clue.is_table:
            for premise, conclusion in clue.rows:
                if premise.op == conclusion.op == "=" and known.get(premise.term) == premise.value:
                    yield conclusion.term


def _decisions(examination: Examination) -> int:
    """The decisions of an engine of its own; raises NotProved if they pass its budget."""
    engine = examination.engines.dpll(examination.world.term_values)
    for label, constraint in examination.constraints.items():
        engine.add(label, constraint)
    search = engine.solve(examination.evidence)
    if search.answer is not Answer.SAT:
        raise NotProved("inference", "unknown", "the engine finds no world in its budget")
    return search.decisions


def _eliminated(examination: Examination, facts: Sequence[str]) -> tuple[int, int]:
    """How many of these facts fall when values that propagation refutes are crossed out.

    And in how many rounds, in each of which all the values that can go at once do. On a trail of
    its own: what the engine has learned would make propagation look stronger.
    """
    if not facts:
        return 0, 0
    cnf = examination.dpll.cnf
    trail = Trail(cnf)
    constraints = examination.constraints.values()
    trail.add("evidence", (clause for each in constraints for clause in cnf.clauses_of(each)))
    trail.push(["evidence"])
    rounds = 0
    while refuted := [v for fact in facts for v in cnf.variables[fact] if _is_refuted(trail, v)]:
        rounds += 1
        for variable in refuted:
            if trail.value[variable] == 0:
                trail.decide(-variable)
                trail.propagate()
    return sum(any(trail.value[v] > 0 for v in cnf.variables[fact]) for fact in facts), rounds


def _is_refuted(trail: Trail, variable: int) -> bool:
    """Whether propagation alone refutes what an open variable says."""
    if trail.value[variable] != 0:
        return False
    depth = trail.depth
    trail.decide(variable)
    conflict = trail.propagate()
    trail.pop(depth)
    return conflict is not None
