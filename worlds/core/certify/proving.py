"""The whole certificate, from one examination of a world."""

from __future__ import annotations

from typing import Any

from worlds.core.certify.ablation import ablations
from worlds.core.certify.bridges import bridges
from worlds.core.certify.examination import ENGINES, Engines, Examination
from worlds.core.certify.inference import inference
from worlds.core.certify.readings import readings
from worlds.core.certify.safety import distractors, policy
from worlds.core.certify.uniqueness import uniqueness
from worlds.core.codec import digest, truth_payload
from worlds.core.model import World

__all__ = ["FORMAT", "certificate_of", "certify"]

FORMAT = "enigmaforge.certificate/1"


def certify(world: World, engines: Engines = ENGINES) -> dict[str, Any]:
    """The certificate of a world.

    Raises NotProved if a claim is refuted or an engine did not decide it within its budget, and
    EnginesDisagree if two engines give different answers to one query.
    """
    return certificate_of(Examination(world, engines))


def certificate_of(examination: Examination) -> dict[str, Any]:
    """The certificate, given the world on the bench; raises as `certify` does."""
    return {
        "format": FORMAT,
        "world_sha256": digest(truth_payload(examination.world)),
        "status": "proved",
        "uniqueness": uniqueness(examination),
        "ablations": ablations(examination),
        "bridges": bridges(examination),
        "distractors": distractors(examination),
        "policy": policy(examination),
        "inference": inference(examination),
        "readings": readings(examination),
    }
