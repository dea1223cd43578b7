"""Uniqueness: evidence and bridges leave one world, in the eyes of every engine.

The certificate names the two files of the refutation by their SHA-256, after the checker, which
knows nothing of the engine, has accepted them.
"""

from __future__ import annotations

from typing import Any

from worlds.core.certify.examination import BAN, Examination
from worlds.core.engines import Answer, Verdict, z3_check
from worlds.core.engines.proof import Proof, write_proof
from worlds.core.engines.rup import check_refutation
from worlds.core.errors import EnginesDisagree, NotProved, ProofRejected

__all__ = ["uniqueness"]

_CLAIM = "uniqueness"
_VERDICT = {
    Answer.UNSAT: Verdict.PROVED,
    Answer.SAT: Verdict.REFUTED,
    Answer.UNKNOWN: Verdict.UNKNOWN,
}


def uniqueness(examination: Examination) -> dict[str, Any]:
    """The solution is a model, and excluding it leaves none."""
    world, truth = examination.world, examination.truth
    for label, constraint in examination.constraints.items():
        if not constraint.holds(truth):
            raise NotProved(_CLAIM, Verdict.REFUTED, f"{label} is false of the solution")
    dpll = examination.dpll.solve([*examination.evidence, BAN], near=truth)
    learned = examination.dpll.learned()
    z3 = examination.engines.z3(
        world.term_values, examination.constraints.values(), banned=world.solution
    )
    models = examination.census.models
    verdicts: dict[str, Verdict] = {
        "dpll": _VERDICT[dpll.answer],
        "oracle": Verdict.PROVED if models == 1 else Verdict.REFUTED,
        "z3": _VERDICT[z3.answer],
    }
    known = set(verdicts.values()) - {Verdict.UNKNOWN}
    if len(known) > 1 or models == 0:
        raise EnginesDisagree(_CLAIM, {**verdicts, "models counted": models})
    if Verdict.UNKNOWN in verdicts.values():
        undecided = ", ".join(e for e, verdict in verdicts.items() if verdict == Verdict.UNKNOWN)
        raise NotProved(_CLAIM, Verdict.UNKNOWN, f"{undecided} did not decide")
    if known != {Verdict.PROVED}:
        raise NotProved(_CLAIM, Verdict.REFUTED, f"{models} worlds fit the evidence")
    proof = _checked(write_proof(world, learned))
    return {
        "dpll": {
            "verdict": str(verdicts["dpll"]),
            "decisions": dpll.decisions,
            "propagations": dpll.propagations,
        },
        "oracle": {
            "models": models,
            "method": "elimination, enumeration" if examination.enumerated else "elimination",
        },
        "z3": {"verdict": str(verdicts["z3"]), "version": z3_check.version()},
        "cnf_sha256": proof.cnf_sha256,
        "proof_sha256": proof.drat_sha256,
    }


def _checked(proof: Proof) -> Proof:
    """The proof, accepted by the checker."""
    try:
        check_refutation(proof.cnf, proof.drat)
    except ProofRejected as rejected:
        verdicts: dict[str, object] = {"dpll": str(Verdict.PROVED), "the checker": str(rejected)}
        raise EnginesDisagree(_CLAIM, verdicts) from rejected
    return proof
