"""The inference profile: how hard a world is, formally.

Told by technique: how many facts are stated, how many unit propagation reaches by itself and in how
many rounds (the depth of the chain), and how many decisions the engine needs for the rest.
"""

from __future__ import annotations

from typing import Any

from worlds.core.certify.examination import Examination
from worlds.core.constraints import Equality
from worlds.core.engines import Answer
from worlds.core.errors import NotProved

__all__ = ["inference"]


def inference(examination: Examination) -> dict[str, Any]:
    """Counts over the facts of the world; the answers of bridges are known and do not count."""
    facts = examination.world.solution
    stated = {
        constraint.left
        for clue in examination.clues
        if isinstance(constraint := examination.constraints[clue], Equality) and constraint.is_pin
    }
    reached = examination.dpll.propagate(examination.evidence)
    search = examination.dpll.solve(examination.evidence)
    if search.answer is not Answer.SAT:
        raise NotProved("inference", "unknown", "the engine finds no world in its budget")
    rounds = [reached.round_of[fact] for fact in facts if fact in reached.round_of]
    return {
        "facts": len(facts),
        "direct": len(stated & set(facts)),
        "propagated": len(rounds),
        "rounds": max(rounds, default=0),
        "decisions": search.decisions,
    }
