"""A world's truth and certificate in words, for people who look at its proof.

Terms are told by their marks. Nothing here is for visitors: whoever calls it has asked first
whether the reader may know.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from worlds.core.constraints import Value
from worlds.core.instance import Document
from worlds.core.model import Unit, World
from worlds.core.policy import Action, Branch, Rule
from worlds.core.prose.formal import constraint_text
from worlds.services.papers import Paper

__all__ = [
    "Change",
    "ClueProof",
    "DistractorProof",
    "EvidenceCard",
    "Fact",
    "Statement",
    "action_in_words",
    "changes_of",
    "evidence_of",
    "facts_of",
    "placed",
    "rule_in_words",
    "statements_of",
]

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
    models: int | None = None
    action: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """What a unit says, or what a bridge (`K0`) asks and how it is answered."""

    id: str
    words: str


@dataclass(frozen=True, slots=True)
class EvidenceCard:
    """One evidence unit: where it stands, what it says, and what is proved about it.

    `where` and `quote` are the name of the paper and the words there; see `placed`.
    """

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
    where: str = ""
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of the solution."""

    id: str
    mark: str
    role: str
    value: Value


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


def placed(cards: Iterable[EvidenceCard], papers: Iterable[Paper]) -> tuple[EvidenceCard, ...]:
    """The cards with the paper, its name and the words in which a surface tells each unit.

    A unit that the surface does not tell, such as a distractor in formal notation, has none.
    """
    where: dict[str, Paper] = {}
    words: defaultdict[str, str] = defaultdict(str)
    for paper in papers:
        for piece in paper.pieces:
            for unit in piece.units:
                where.setdefault(unit, paper)
                words[unit] += piece.text
    return tuple(
        replace(
            card,
            paper=where[card.id].number if card.id in where else None,
            where=where[card.id].name if card.id in where else "",
            quote=words[card.id],
        )
        for card in cards
    )


def facts_of(world: World) -> tuple[Fact, ...]:
    """The solution, in the order of the variables."""
    return tuple(Fact(v.id, v.mark, v.role, world.solution[v.id]) for v in world.variables)


def statements_of(world: World, ids: Iterable[str]) -> tuple[Statement, ...]:
    """What units and bridges say, in the order of their ids as given."""
    says = {unit.id: _words(unit, world) for unit in world.units}
    says |= {bridge.id: f"{bridge.question} {bridge.answer}." for bridge in world.bridges}
    return tuple(Statement(each, says[each]) for each in ids)


def changes_of(witness: Mapping[str, Value], world: World) -> tuple[Change, ...]:
    """What differs in a second world, in the order of the variables."""
    truth = world.truth
    return tuple(
        Change(world.mark_of(term), truth[term], witness[term])
        for term in world.term_values
        if term in witness
    )


def rule_in_words(rule: Rule, world: World) -> str:
    """The rule over marks, as one sentence."""
    condition = " and ".join(literal.describe(world.mark_of) for literal in rule.condition)
    then, otherwise = (_branch(branch, world) for branch in (rule.then, rule.otherwise))
    return f"If {condition}: {then}. Otherwise: {otherwise}."


def action_in_words(action: Action) -> str:
    """`release C-31 in the name of Pryce`."""
    return f"{action.verb} {action.item} in the name of {action.party}"


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
    return ClueProof(
        proof["models_without"], proof["load_bits"], changes_of(proof["witness"], world)
    )


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
        witness=changes_of(proof.get("witness") or {}, world),
        facts_changed=bait.get("facts_changed"),
        action_changed=bool(bait.get("action_changed")),
        models=bait.get("models"),
        action=action_in_words(Action(**bait["action"])) if "action" in bait else "",
    )
