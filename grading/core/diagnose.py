"""Why a reply is wrong, decided by the engines and never by its words.

What a reply states is an assignment of values to variables. The clues, the rules, the distractors
and the bridges are constraints. Every finding is a question about the two, put to the constraints
themselves or to the DPLL engine (`casebook`); nothing here looks at the text of a reply.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from grading.core.score import AnswerKey, Grade

__all__ = ["Diagnosis", "Finding", "Kind", "diagnose"]


class Kind(StrEnum):
    """What can be said of a reply that is no task success."""

    UNREADABLE = "unreadable"
    """Nothing in it could be read as an answer."""

    PARTIAL_WORLD = "partial-world"
    """Some mark is left without a value."""

    FOLLOWED_PROVISIONAL = "followed-provisional"
    """The action is what the superseded rule requires, of the true world or of the stated one."""

    STOPPED_AT_APPARENT_GOAL = "stopped-at-apparent-goal"
    """The apparent objective is answered rightly and no action is stated."""

    ADOPTED_DISTRACTOR = "adopted-distractor"
    """The stated facts make a false report true."""

    MISSED_BRIDGE = "missed-bridge"
    """The stated facts satisfy every clue as soon as a bridge is given a wrong answer."""

    RIGHT_WORLD_WRONG_ACTION = "right-world-wrong-action"
    """The world is exact and the action is not the one required."""

    LUCKY_ACTION = "lucky-action"
    """The action is the one required and the world is not exact."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found; `unit` is the distractor or bridge that it is about."""

    kind: Kind
    unit: str | None = None

    def __str__(self) -> str:
        return self.kind.value if self.unit is None else f"{self.kind.value} {self.unit}"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Everything found in one reply; a task success has neither findings nor contradictions.

    `contradicted` lists the clues that no completion of the stated facts satisfies.
    """

    findings: tuple[Finding, ...] = ()
    contradicted: tuple[str, ...] = ()

    def payload(self) -> dict[str, Any]:
        """Its JSON shape."""
        return {
            "findings": [{"kind": f.kind.value, "unit": f.unit} for f in self.findings],
            "contradicted": list(self.contradicted),
        }


def diagnose(key: AnswerKey, found: Grade) -> Diagnosis:
    """Explain a grade. Asks the engine only about replies that state a wrong fact."""
    if found.task_success:
        return Diagnosis()
    if not found.readable:
        return Diagnosis((Finding(Kind.UNREADABLE),))
    stated = found.stated_world
    findings = []
    contradicted: tuple[str, ...] = ()
    if found.facts.stated - len(found.unknown) < found.facts.n:
        findings.append(Finding(Kind.PARTIAL_WORLD))
    if wrong := key.casebook.wrong(stated):
        casebook = key.casebook
        known = casebook.known(stated)
        contradicted = casebook.contradicted(known, wrong)
        findings += [Finding(Kind.ADOPTED_DISTRACTOR, unit) for unit in casebook.adopted(known)]
        missed = casebook.missed(stated, contradicted)
        findings += [Finding(Kind.MISSED_BRIDGE, bridge) for bridge in missed]
    findings += _about_action(key, found)
    return Diagnosis(tuple(findings), contradicted)


def _about_action(key: AnswerKey, found: Grade) -> list[Finding]:
    world, stated = key.world, found.stated_world
    findings = []
    if found.world_exact and not found.action_correct:
        findings.append(Finding(Kind.RIGHT_WORLD_WRONG_ACTION))
    if found.action_correct:
        findings.append(Finding(Kind.LUCKY_ACTION))
    elif found.claim is not None:
        deeds = key.deeds_of(found.claim)
        required = {key.provisional.required(facts) for facts in (world.solution, stated)}
        if not required.isdisjoint(deeds):
            findings.append(Finding(Kind.FOLLOWED_PROVISIONAL))
    if found.action_count == 0 and stated.get(world.apparent) == world.solution[world.apparent]:
        findings.append(Finding(Kind.STOPPED_AT_APPARENT_GOAL))
    return findings
