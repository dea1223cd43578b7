"""Bridges: how much of the world hangs on a piece of general knowledge.

Without the answer of an essential bridge the record has more than one world, and at least half of
the wrong answers lead to a complete other one, so that elimination cannot stand in for knowing.
Nothing at all depends on a confirmatory bridge. A bridge's entry is one of::

    {"bridge": "K0", "role": "essential", "models_without": 3,
     "alternatives": [{"answer": "Galileo", "models": 1, "witness": {…}}, {…, "models": 0}, …]}
    {"bridge": "K1", "role": "confirmatory", "models_with": {"Newton": 1, …}}
"""

from __future__ import annotations

from typing import Any

from worlds.core.certify.examination import BAN, Examination
from worlds.core.constraints import Equality
from worlds.core.errors import NotProved
from worlds.core.model import Bridge

__all__ = ["bridges"]

_CLAIM = "bridge"


def bridges(examination: Examination) -> list[dict[str, Any]]:
    """One entry per bridge, in the order of the world."""
    return [
        _essential(examination, bridge)
        if bridge.role == "essential"
        else _confirmatory(examination, bridge)
        for bridge in examination.world.bridges
    ]


def _essential(examination: Examination, bridge: Bridge) -> dict[str, Any]:
    models = examination.census.without[bridge.id]
    if _fitting(examination, bridge) > 1 or not _other_world(examination, bridge, models - 1):
        raise NotProved(_CLAIM, "refuted", f"{bridge.id} is not needed")
    alternatives = [_alternative(examination, bridge, wrong) for wrong in bridge.alternatives]
    leading = sum(alternative["models"] > 0 for alternative in alternatives)
    if 2 * leading < len(alternatives):
        raise NotProved(_CLAIM, "refuted", f"too few wrong answers of {bridge.id} fit a world")
    return {
        "bridge": bridge.id,
        "role": bridge.role,
        "models_without": models,
        "alternatives": alternatives,
    }


def _alternative(examination: Examination, bridge: Bridge, wrong: str) -> dict[str, Any]:
    """What a reader finds who holds a wrong answer: another complete world, or none."""
    models = examination.census.by_value[bridge.id][wrong]
    rest = examination.without(bridge.id)
    query = f"the evidence with {bridge.id} as {wrong}"
    belief = Equality(bridge.id, value=wrong)
    examination.dpll.add(query, belief)
    outcome = examination.dpll.solve([query], given=rest, near=examination.truth)
    if not examination.satisfiable(_CLAIM, query, outcome, models):
        return {"answer": wrong, "models": 0}
    holding = [belief, *(examination.constraints[other] for other in rest)]
    _, changed = examination.witness(query, outcome, holding)
    return {"answer": wrong, "models": models, "witness": changed}


def _confirmatory(examination: Examination, bridge: Bridge) -> dict[str, Any]:
    models = examination.census.by_value[bridge.id]
    others = sum(models.values()) - _fitting(examination, bridge)
    if _other_world(examination, bridge, others) or set(models.values()) != {1}:
        raise NotProved(_CLAIM, "refuted", f"the world depends on {bridge.id}")
    return {"bridge": bridge.id, "role": bridge.role, "models_with": dict(models)}


def _fitting(examination: Examination, bridge: Bridge) -> int:
    """With how many of the bridge's answers the true facts fit the evidence."""
    rest = [examination.constraints[label] for label in examination.without(bridge.id)]
    beliefs = ({**examination.truth, bridge.id: option} for option in bridge.options)
    return sum(all(constraint.holds(belief) for constraint in rest) for belief in beliefs)


def _other_world(examination: Examination, bridge: Bridge, models: int) -> bool:
    """Whether other facts are possible without the answer; `models` is how many have them."""
    query = f"the evidence without the answer of {bridge.id}"
    outcome = examination.dpll.solve([BAN], given=examination.without(bridge.id))
    return examination.satisfiable(_CLAIM, query, outcome, models)
