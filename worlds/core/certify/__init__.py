"""Certificates: what is proved of a world, in one JSON that anyone can recompute.

`certify` proves or raises: a certificate exists only for a world in which everything holds.
`verify` recomputes all of a certificate from the constraints and names what differs.
"""

from __future__ import annotations

from typing import Any

from worlds.core.certify.ablation import ablations
from worlds.core.certify.bridges import bridges
from worlds.core.certify.examination import ENGINES, Engines, Examination
from worlds.core.certify.inference import inference
from worlds.core.certify.safety import distractors, policy
from worlds.core.certify.uniqueness import uniqueness
from worlds.core.codec import digest, truth_payload
from worlds.core.model import World

__all__ = ["FORMAT", "Engines", "certify"]

FORMAT = "enigmaforge.certificate/1"


def certify(world: World, engines: Engines = ENGINES) -> dict[str, Any]:
    """The certificate of a world.

    Raises NotProved if a claim is refuted or an engine did not decide it within its budget, and
    EnginesDisagree if two engines give different answers to one query.
    """
    examination = Examination(world, engines)
    return {
        "format": FORMAT,
        "world_sha256": digest(truth_payload(world)),
        "status": "proved",
        "uniqueness": uniqueness(examination),
        "ablations": ablations(examination),
        "bridges": bridges(examination),
        "distractors": distractors(examination),
        "policy": policy(examination),
        "inference": inference(examination),
    }
