"""Safety: nothing that the record reports or orders can be mistaken for what it proves.

A false distractor is refuted by the clues, and yet was plausible: with one clue of the refutation
gone, some world makes it true. Such a world is the bait for whoever trades that clue for it. An
idle distractor is true and changes nothing. Of the policy: the action required, the one of the
other branch and the one of the superseded rule are three different ones, and the clues decide
every literal of both rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from worlds.core.certify.examination import Examination, hypothesis_label
from worlds.core.constraints import Literal, Value, opposite
from worlds.core.engines import Answer, Outcome
from worlds.core.errors import NotProved
from worlds.core.model import Unit
from worlds.core.policy import resolve

__all__ = ["bait", "distractors", "flip", "policy"]


def distractors(examination: Examination) -> list[dict[str, Any]]:
    """One entry per distractor, in the order of the units."""
    return [
        _false(examination, unit) if unit.kind == "false" else _idle(examination, unit)
        for unit in examination.world.distractors
    ]


def _idle(examination: Examination, unit: Unit) -> dict[str, Any]:
    if not _beside_the_evidence(examination, unit):
        raise NotProved("distractor", "refuted", f"{unit.id} is not true of the world")
    return {
        "unit": unit.id,
        "kind": unit.kind,
        "models_with": examination.census.with_also[unit.id],
        "models_without": examination.census.models,
    }


def _beside_the_evidence(examination: Examination, unit: Unit) -> bool:
    """Whether the hypothesis is true of the world, as both engines say."""
    return examination.satisfiable(
        "distractor",
        f"the evidence with {unit.id}",
        examination.dpll.solve([hypothesis_label(unit.id)], given=examination.evidence),
        examination.census.with_also[unit.id],
    )


def _false(examination: Examination, unit: Unit) -> dict[str, Any]:
    if _beside_the_evidence(examination, unit):
        raise NotProved("distractor", "refuted", f"{unit.id} is true of the world")
    core = _core(examination, "distractor", hypothesis_label(unit.id))
    found = _support(examination, "distractor", hypothesis_label(unit.id), core)
    if found is None:
        raise NotProved("distractor", "refuted", f"no single clue makes {unit.id} impossible")
    clue, outcome = found
    hypothesis = examination.hypotheses[unit.id]
    holding = [hypothesis, *(examination.constraints[o] for o in examination.without(clue))]
    query = f"{unit.id} in place of {clue}"
    models = examination.oracle.count(holding)
    if models is None:
        raise NotProved("distractor", "unknown", f"{query} cannot be counted within the budget")
    examination.satisfiable("distractor", query, outcome, models)
    _, changed = examination.witness(query, outcome, holding)
    return {
        "unit": unit.id,
        "kind": unit.kind,
        **_named(examination, "refuted_by", core),
        "plausible_without": clue,
        "witness": changed,
        "bait": bait(examination, clue, changed, models),
    }


def bait(
    examination: Examination, clue: str, changed: Mapping[str, Value], models: int
) -> dict[str, Any]:
    """What becomes of a reader who puts a distractor in the place of a clue."""
    world = examination.world
    action = world.action_on({**examination.truth, **changed})
    return {
        "clue": clue,
        "models": models,
        "facts_changed": len(changed),
        "action": action.payload(),
        "action_changed": action != world.action,
    }


def policy(examination: Examination) -> dict[str, Any]:
    """The three actions, and what decides each literal of the rule in force and the old one."""
    world, truth = examination.world, examination.truth
    rules = {"rule": world.policy.rule, "provisional": world.policy.provisional}
    actions = {
        "action": world.action,
        "other_branch_action": resolve(rules["rule"].dead(truth), truth, world.mark_of),
        "provisional_action": resolve(rules["provisional"].live(truth), truth, world.mark_of),
    }
    if len(set(actions.values())) < len(actions):
        raise NotProved("policy", "refuted", "two of the three actions are the same")
    literals = [
        {"rule": name, **_literal(examination, literal, live=name == "rule")}
        for name, rule in rules.items()
        for literal in rule.condition
    ]
    payloads: dict[str, Any] = {name: action.payload() for name, action in actions.items()}
    return {**payloads, "literals": literals}


def flip(examination: Examination, literal: Literal) -> str:
    """The label of the constraint that the literal is not as it is in the true world."""
    truth = literal.holds(examination.truth)
    label = f"{'not ' if truth else ''}({literal.term} {literal.op} {literal.value})"
    if not examination.dpll.knows(label):
        values = examination.world.term_values[literal.term]
        otherwise = opposite(literal, values, truth=truth)
        if otherwise is None:
            told = literal.describe(examination.world.mark_of)
            raise NotProved("policy", "refuted", f"{told}: the domain alone decides it")
        examination.dpll.add(label, otherwise)
    return label


def _literal(examination: Examination, literal: Literal, *, live: bool) -> dict[str, Any]:
    """The clues that decide a literal, and for a live rule one without which it is open."""
    label = flip(examination, literal)
    core = _core(examination, "policy", label)
    entry: dict[str, Any] = {
        "literal": literal.payload(),
        "truth": literal.holds(examination.truth),
        **_named(examination, "decided_by", core),
    }
    if live:
        found = _support(examination, "policy", label, core)
        if found is None:
            told = literal.describe(examination.world.mark_of)
            raise NotProved("policy", "refuted", f"{told}: no single clue holds it up")
        entry["falsifiable_without"] = found[0]
    return entry


def _core(examination: Examination, claim: str, label: str) -> tuple[str, ...]:
    """A deletion-minimal part of the evidence that excludes what the label says."""
    core = examination.dpll.core(examination.evidence, given=[label], near=examination.truth)
    if core is None:
        raise NotProved(claim, "unknown", f"no refutation of {label} within the budget")
    return core


def _support(
    examination: Examination, claim: str, label: str, core: Iterable[str]
) -> tuple[str, Outcome] | None:
    """The first clue of the core without which the label is possible, and how."""
    for clue in core:
        if clue in examination.bridges:
            continue
        outcome = examination.dpll.solve(
            examination.without(clue), given=[label], near=examination.truth
        )
        if outcome.answer is Answer.UNKNOWN:
            raise NotProved(claim, "unknown", f"{label} without {clue}")
        if outcome.answer is Answer.SAT:
            return clue, outcome
    return None


def _named(examination: Examination, key: str, core: Iterable[str]) -> dict[str, list[str]]:
    """A core as clues, and as bridges where it needs any."""
    parts = {
        key: [label for label in core if label not in examination.bridges],
        "with_bridges": [label for label in core if label in examination.bridges],
    }
    return {name: labels for name, labels in parts.items() if labels or name == key}
