"""One protocol, three engines that share no code: dpll, oracle and z3_check.

An engine answers a query about a set of constraints over finite domains. `Answer` is what it found
out; `Verdict` is what that means for a claim. An engine whose budget runs out answers UNKNOWN, and
UNKNOWN never proves anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from worlds.core.constraints import Constraint, Equality, Value
from worlds.core.model import World

__all__ = ["Answer", "Outcome", "Problem", "Verdict", "problem_of"]


class Answer(StrEnum):
    """Whether a set of constraints has a model."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


class Verdict(StrEnum):
    """What engines say of a claim."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Outcome:
    """An answer, a model if there is one, and the work it took."""

    answer: Answer
    model: Mapping[str, Value] | None = None
    decisions: int = 0
    propagations: int = 0


@dataclass(frozen=True, slots=True)
class Problem:
    """Terms with their values, and labelled constraints over them.

    Labels are unit ids for clues and bridge ids for the right answers of bridges; a query turns
    any subset of labels on.
    """

    domains: Mapping[str, tuple[Value, ...]]
    constraints: Mapping[str, Constraint]


def problem_of(world: World) -> Problem:
    """A world's evidence as an engine sees it: every clue, then every bridge's right answer."""
    constraints: dict[str, Constraint] = {}
    for unit in world.clues:
        assert unit.constraint is not None
        constraints[unit.id] = unit.constraint
    for bridge in world.bridges:
        constraints[bridge.id] = Equality(bridge.id, value=bridge.answer)
    return Problem(world.term_values, constraints)
