"""Ablation: without any one clue, the evidence has a second model.

The second model is the witness that the clue is needed. It satisfies everything else, so it must
violate exactly that clue. The clue's load is the base-2 logarithm of the number of models without
it: how many bits it settles.
"""

from __future__ import annotations

from math import log2
from typing import Any

from worlds.core.certify.examination import BAN, Examination
from worlds.core.errors import EnginesDisagree, NotProved

__all__ = ["ablations"]

_CLAIM = "ablation"


def ablations(examination: Examination) -> list[dict[str, Any]]:
    """One entry per clue, in the order of the units."""
    scopes = {clue: examination.constraints[clue].scope for clue in examination.clues}
    outcomes = examination.dpll.without_each(
        examination.clues, [*examination.bridges, BAN], near=examination.truth, away=scopes
    )
    found: list[dict[str, Any]] = []
    idle: list[str] = []
    for clue, outcome in outcomes.items():
        query = f"the evidence without {clue}"
        models = examination.census.without[clue]
        if not examination.satisfiable(_CLAIM, query, outcome, models - 1):
            idle.append(clue)
            continue
        others = [examination.constraints[label] for label in examination.without(clue)]
        model, changed = examination.witness(query, outcome, others)
        if examination.constraints[clue].holds(model):
            raise EnginesDisagree(query, {"dpll": "a second model", "uniqueness": "one model"})
        found.append(
            {
                "unit": clue,
                "models_without": models,
                "load_bits": round(log2(models), 2),
                "witness": changed,
            }
        )
    if idle:
        raise NotProved(_CLAIM, "refuted", f"not needed: {', '.join(idle)}")
    return found
