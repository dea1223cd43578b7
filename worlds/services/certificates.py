"""What a certificate says of a world, in words: its engines, ablations, distractors and bridges.

Beside `evidence`, which says what each unit is. Nothing here is for visitors: whoever calls it has
asked first whether the reader may know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from worlds.core.constraints import read_literal
from worlds.core.instance import Document
from worlds.core.model import Bridge, World
from worlds.core.policy import Action, Branch
from worlds.services.evidence import (
    Change,
    DistractorProof,
    EvidenceCard,
    Statement,
    action_in_words,
    changes_of,
    rule_in_words,
    statements_of,
)
from worlds.services.papers import clauses_of
from worlds.services.rechecks import ENGINES

__all__ = [
    "ABLATION_ORDERS",
    "Ablation",
    "BridgeAnswer",
    "BridgeProof",
    "DistractorPanel",
    "Engine",
    "LiteralProof",
    "PolicyProof",
    "Reading",
    "ablations_of",
    "bridges_of",
    "distractors_of",
    "engines_of",
    "policy_of",
    "readings_of",
]

_READING_WORDS = {
    "excluded": "excluded by the text",
    "no_world": "no world",
    "same": "the same answer",
    "undetermined": "undetermined",
    "another": "another answer",
}


@dataclass(frozen=True, slots=True)
class Engine:
    """One engine's verdict on uniqueness, how it came to it, and its work in a few words.

    `key` is what the engine is called in addresses.
    """

    key: str
    name: str
    how: str
    verdict: str
    note: str


@dataclass(frozen=True, slots=True)
class Ablation:
    """A clue, how many worlds there are without it, and one of the others.

    `share` is its load in hundredths of the largest one.
    """

    clue: Statement
    models: int
    load_bits: float
    share: float
    changes: tuple[Change, ...]
    action: str
    action_changed: bool


@dataclass(frozen=True, slots=True)
class DistractorPanel:
    """A distractor, the clause that tells it in a surface, and what refutes it."""

    unit: EvidenceCard
    proof: DistractorProof
    quote: str
    core: tuple[Statement, ...]


ABLATION_ORDERS: Mapping[str, Callable[[Ablation], int]] = {
    "unit": lambda row: int(row.clue.id[1:]),
    "models": lambda row: row.models,
    "changed": lambda row: len(row.changes),
}
"""By what the table of ablations can be sorted."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A way to misread the record: what comes of it, or what in the text excludes it."""

    words: str
    units: tuple[str, ...]
    verdict: str
    by: str
    stated_in: tuple[str, ...]
    solved: str


@dataclass(frozen=True, slots=True)
class BridgeAnswer:
    """How many worlds there are for a reader who gives this answer, and what is wrong in one."""

    answer: str
    is_right: bool
    models: int
    witness: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class BridgeProof:
    """A bridge with what each of its answers leads to.

    `models_without` counts the worlds of a reader who cannot answer; None where nothing depends on
    the answer.
    """

    bridge: Bridge
    models_without: int | None
    answers: tuple[BridgeAnswer, ...]


@dataclass(frozen=True, slots=True)
class LiteralProof:
    """A condition of a rule, whether it holds, and the units that decide it."""

    rule: str
    words: str
    holds: bool
    decided_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PolicyProof:
    """The rule in force and the provisional one, in words, with the actions of both."""

    rule: str
    provisional: str
    action: str
    other: str
    superseded: str
    literals: tuple[LiteralProof, ...]


def engines_of(certificate: Mapping[str, Any]) -> tuple[Engine, ...]:
    """The three engines' verdicts at minting."""
    uniqueness = certificate["uniqueness"]
    dpll, oracle, z3 = (uniqueness[name] for name in ("dpll", "oracle", "z3"))
    count = oracle["models"]
    return (
        Engine(
            "dpll",
            ENGINES["dpll"],
            "searches for a second world, and writes down why there is none",
            dpll["verdict"],
            f"{_many(dpll['decisions'], 'decision')}, {_many(dpll['propagations'], 'propagation')}",
        ),
        Engine(
            "oracle",
            ENGINES["oracle"],
            "counts every world that fits, without any search",
            "proved" if count == 1 else "refuted",
            f"{_many(count, 'world')}, counted by {oracle['method']}",
        ),
        Engine(
            "z3",
            ENGINES["z3"],
            "reads the constraints for itself and looks for a second world",
            z3["verdict"],
            f"version {z3['version']}",
        ),
    )


def ablations_of(
    world: World, certificate: Mapping[str, Any], sort: str = ""
) -> tuple[Ablation, ...]:
    """What is lost without each clue, sorted by a key of ABLATION_ORDERS, turned round by "-".

    Any other key is the order of the units. Ties keep that order in both directions.
    """
    most = max((each["load_bits"] for each in certificate["ablations"]), default=0)
    clues = statements_of(world, [each["unit"] for each in certificate["ablations"]])
    rows = [
        _ablation(clue, each, world, most)
        for clue, each in zip(clues, certificate["ablations"], strict=True)
    ]
    order = ABLATION_ORDERS.get(sort.removeprefix("-"))
    if order is not None:
        rows.sort(key=order, reverse=sort.startswith("-"))
    return tuple(rows)


def distractors_of(
    units: Iterable[EvidenceCard], world: World, documents: Iterable[Document]
) -> tuple[DistractorPanel, ...]:
    """Every distractor with what refutes it in words and how a surface puts it."""
    quotes = clauses_of(documents)
    return tuple(
        DistractorPanel(
            unit,
            unit.distractor,
            quotes.get(unit.id, ""),
            statements_of(world, unit.distractor.refuted_by),
        )
        for unit in units
        if unit.distractor is not None
    )


def bridges_of(world: World, certificate: Mapping[str, Any]) -> tuple[BridgeProof, ...]:
    """Every bridge, with what the certificate says of each of its answers."""
    proofs = {each["bridge"]: each for each in certificate["bridges"]}
    return tuple(_bridge_proof(bridge, proofs[bridge.id], world) for bridge in world.bridges)


def policy_of(world: World, certificate: Mapping[str, Any]) -> PolicyProof:
    """The two rules, what each requires on the true world, and what decides their conditions."""
    rule, provisional, truth = world.policy.rule, world.policy.provisional, world.truth
    return PolicyProof(
        rule=rule_in_words(rule, world),
        provisional=rule_in_words(provisional, world),
        action=action_in_words(world.action),
        other=action_in_words(_resolved(rule.dead(truth), world)),
        superseded=action_in_words(_resolved(provisional.live(truth), world)),
        literals=tuple(
            LiteralProof(
                rule=each["rule"],
                words=read_literal(each["literal"], "literal").describe(world.mark_of),
                holds=each["truth"],
                decided_by=(*each["decided_by"], *each.get("with_bridges", ())),
            )
            for each in certificate["policy"]["literals"]
        ),
    )


def readings_of(certificate: Mapping[str, Any]) -> tuple[Reading, ...]:
    """What comes of every reading that was tried, in the order of the certificate.

    Empty for a certificate made before readings were part of it.
    """
    return tuple(
        Reading(
            words=entry["reading"],
            units=tuple(entry.get("units", ())),
            verdict=_READING_WORDS[entry["verdict"]],
            by=entry.get("by", ""),
            stated_in=tuple(entry.get("stated_in", ())),
            solved=_READING_WORDS[entry["solved"]] if "solved" in entry else "",
        )
        for entry in certificate.get("readings", ())
    )


def _ablation(clue: Statement, proof: Mapping[str, Any], world: World, most: float) -> Ablation:
    action = world.action_on({**world.truth, **proof["witness"]})
    return Ablation(
        clue=clue,
        models=proof["models_without"],
        load_bits=proof["load_bits"],
        share=round(100 * proof["load_bits"] / most, 1) if most else 0,
        changes=changes_of(proof["witness"], world),
        action=action_in_words(action),
        action_changed=action != world.action,
    )


def _resolved(branch: Branch, world: World) -> Action:
    return Action(branch.verb, world.mark_of(branch.item), world.truth[branch.party])


def _bridge_proof(bridge: Bridge, proof: Mapping[str, Any], world: World) -> BridgeProof:
    if bridge.role == "confirmatory":
        counts = proof["models_with"]
        answers = (BridgeAnswer(a, a == bridge.answer, counts[a]) for a in bridge.options)
        return BridgeProof(bridge, None, tuple(answers))
    wrong = (
        BridgeAnswer(
            each["answer"], False, each["models"], changes_of(each.get("witness") or {}, world)
        )
        for each in proof["alternatives"]
    )
    right = BridgeAnswer(bridge.answer, is_right=True, models=1)
    return BridgeProof(bridge, proof["models_without"], (right, *wrong))


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
