"""A world's truth and certificate in words, for people who look at its proof.

Terms are told by their marks. Nothing here is for visitors: whoever calls it has asked first
whether the reader may know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from worlds.core.certify.reasons import minimal_reason
from worlds.core.constraints import Value, read_literal
from worlds.core.instance import Document
from worlds.core.model import Bridge, Unit, World
from worlds.core.policy import Action, Branch, Rule
from worlds.core.prose.formal import constraint_text

__all__ = [
    "BridgeAnswer",
    "BridgeProof",
    "Change",
    "ClueProof",
    "DistractorProof",
    "Engine",
    "EvidenceCard",
    "Fact",
    "LiteralProof",
    "PolicyProof",
    "Reading",
    "Reason",
    "action_in_words",
    "bridges_of",
    "engines_of",
    "evidence_of",
    "facts_of",
    "policy_of",
    "readings_of",
    "reason_of",
    "rule_in_words",
]

_READING_WORDS = {
    "excluded": "excluded by the text",
    "no_world": "no world",
    "same": "the same answer",
    "undetermined": "undetermined",
    "another": "another answer",
}

_FRAME = "Says what is possible, and which statements count."


@dataclass(frozen=True, slots=True)
class Change:
    """A fact that comes out otherwise in a second world."""

    mark: str
    true: Value
    other: Value


@dataclass(frozen=True, slots=True)
class ClueProof:
    """What is lost without a clue: how many worlds there are then, and one of the others."""

    models_without: int
    load_bits: float
    witness: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class DistractorProof:
    """Why a distractor does not count, what makes it plausible, and what believing it costs."""

    kind: str
    refuted_by: tuple[str, ...] = ()
    plausible_without: str = ""
    witness: tuple[Change, ...] = ()
    facts_changed: int | None = None
    action_changed: bool = False


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a fact is as it is: units and bridges of which none can be spared."""

    mark: str
    units: tuple[str, ...]


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
class EvidenceCard:
    """One evidence unit: where it stands, what it says, and what is proved about it."""

    id: str
    role: str
    paper: int | None
    words: str
    formal: str = ""
    contradicted: bool = False
    clue: ClueProof | None = None
    distractor: DistractorProof | None = None
    bridge: str = ""
    question: str = ""


@dataclass(frozen=True, slots=True)
class Engine:
    """One engine's verdict on uniqueness, and its work in a few words."""

    name: str
    verdict: str
    note: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of the solution."""

    id: str
    mark: str
    role: str
    value: Value


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


def evidence_of(
    world: World,
    certificate: Mapping[str, Any],
    documents: Iterable[Document],
    *,
    contradicted: Collection[str] = (),
) -> tuple[EvidenceCard, ...]:
    """The evidence units in the order of their numbers."""
    papers = {span.unit: d.number for d in documents for span in d.spans}
    clues = {each["unit"]: each for each in certificate["ablations"]}
    questions = {bridge.id: bridge.question for bridge in world.bridges}
    distractors = {each["unit"]: each for each in certificate["distractors"]}
    return tuple(
        EvidenceCard(
            id=unit.id,
            role=unit.role,
            paper=papers.get(unit.id),
            words=_words(unit, world),
            formal=_formal(unit),
            contradicted=unit.id in contradicted,
            clue=_clue_proof(clues[unit.id], world) if unit.id in clues else None,
            distractor=_distractor_proof(unit, distractors.get(unit.id), world),
            bridge=unit.bridge or "",
            question=questions.get(unit.bridge or "", ""),
        )
        for unit in world.units
    )


def facts_of(world: World) -> tuple[Fact, ...]:
    """The solution, in the order of the variables."""
    return tuple(Fact(v.id, v.mark, v.role, world.solution[v.id]) for v in world.variables)


def reason_of(world: World, mark: str) -> Reason | None:
    """A smallest set of evidence that forces the fact of a mark; None if no fact has the mark.

    Costs a few milliseconds at 42 variables; found when somebody asks, and not stored.
    """
    for variable in world.variables:
        if variable.mark == mark:
            return Reason(mark, minimal_reason(world, variable.id))
    return None


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


def engines_of(certificate: Mapping[str, Any]) -> tuple[Engine, ...]:
    """The three engines' verdicts at minting."""
    uniqueness = certificate["uniqueness"]
    dpll, oracle, z3 = (uniqueness[name] for name in ("dpll", "oracle", "z3"))
    count = oracle["models"]
    return (
        Engine(
            "DPLL",
            dpll["verdict"],
            f"{_many(dpll['decisions'], 'decision')}, {_many(dpll['propagations'], 'propagation')}",
        ),
        Engine(
            "Oracle",
            "proved" if count == 1 else "refuted",
            f"counted {_many(count, 'model')} by {oracle['method']}",
        ),
        Engine("z3", z3["verdict"], f"version {z3['version']}"),
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


def rule_in_words(rule: Rule, world: World) -> str:
    """The rule over marks, as one sentence."""
    condition = " and ".join(literal.describe(world.mark_of) for literal in rule.condition)
    then, otherwise = (_branch(branch, world) for branch in (rule.then, rule.otherwise))
    return f"If {condition}: {then}. Otherwise: {otherwise}."


def action_in_words(action: Action) -> str:
    """`release C-31 in the name of Pryce`."""
    return f"{action.verb} {action.item} in the name of {action.party}"


def _resolved(branch: Branch, world: World) -> Action:
    return Action(branch.verb, world.mark_of(branch.item), world.truth[branch.party])


def _branch(branch: Branch, world: World) -> str:
    party = next(v.role for v in world.variables if v.id == branch.party)
    return f"{branch.verb} {world.mark_of(branch.item)} in the name of {party}"


def _words(unit: Unit, world: World) -> str:
    carried = unit.constraint or unit.hypothesis
    if carried is not None:
        return carried.describe(world.mark_of)
    match unit.role:
        case "objective":
            return f"Asks for {world.mark_of(world.apparent)}, which is only the way to the action."
        case "policy":
            return rule_in_words(world.policy.rule, world)
        case "provisional":
            return "Superseded. " + rule_in_words(world.policy.provisional, world)
        case "bridge-note":
            return f"Points at {unit.bridge}, on which nothing depends."
    return _FRAME


def _formal(unit: Unit) -> str:
    """What the unit carries in the notation of the formal condition, over ids."""
    carried = unit.constraint or unit.hypothesis
    return "" if carried is None else constraint_text(carried)


def _clue_proof(proof: Mapping[str, Any], world: World) -> ClueProof:
    return ClueProof(proof["models_without"], proof["load_bits"], _changes(proof["witness"], world))


def _distractor_proof(
    unit: Unit, proof: Mapping[str, Any] | None, world: World
) -> DistractorProof | None:
    if proof is None:
        return None
    bait = proof.get("bait") or {}
    return DistractorProof(
        kind=unit.kind or "",
        refuted_by=(*proof.get("refuted_by", ()), *proof.get("with_bridges", ())),
        plausible_without=proof.get("plausible_without") or "",
        witness=_changes(proof.get("witness") or {}, world),
        facts_changed=bait.get("facts_changed"),
        action_changed=bool(bait.get("action_changed")),
    )


def _changes(witness: Mapping[str, Value], world: World) -> tuple[Change, ...]:
    """What differs in a second world, in the order of the variables."""
    truth = world.truth
    return tuple(
        Change(world.mark_of(term), truth[term], witness[term])
        for term in world.term_values
        if term in witness
    )


def _bridge_proof(bridge: Bridge, proof: Mapping[str, Any], world: World) -> BridgeProof:
    if bridge.role == "confirmatory":
        counts = proof["models_with"]
        answers = (BridgeAnswer(a, a == bridge.answer, counts[a]) for a in bridge.options)
        return BridgeProof(bridge, None, tuple(answers))
    wrong = (
        BridgeAnswer(
            each["answer"], False, each["models"], _changes(each.get("witness") or {}, world)
        )
        for each in proof["alternatives"]
    )
    right = BridgeAnswer(bridge.answer, is_right=True, models=1)
    return BridgeProof(bridge, proof["models_without"], (right, *wrong))


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
