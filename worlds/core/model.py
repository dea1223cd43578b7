"""A world: what is true, and what its record lets a reader conclude.

Values only: a world does not know how it was forged, certified or written out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal as OneOf

from worlds.core.constraints import Assignment, Constraint, Value
from worlds.core.policy import Action, Policy, resolve

__all__ = [
    "CHANNELS",
    "UNIT_ROLES",
    "Bridge",
    "BridgeRole",
    "DistractorKind",
    "Domain",
    "Unit",
    "UnitRole",
    "Variable",
    "World",
]

CHANNELS = (
    "letter",
    "receipt",
    "ledger",
    "logbook",
    "telegram",
    "photograph",
    "testimony",
    "notice",
    "margin",
)

UnitRole = OneOf["clue", "distractor", "frame", "bridge-note", "objective", "policy", "provisional"]
UNIT_ROLES: tuple[UnitRole, ...] = (
    "clue",
    "distractor",
    "frame",
    "bridge-note",
    "objective",
    "policy",
    "provisional",
)
BridgeRole = OneOf["essential", "confirmatory"]
DistractorKind = OneOf["false", "idle"]


@dataclass(frozen=True, slots=True)
class Domain:
    """A named, ordered tuple of values: names, or the integers of a scale."""

    name: str
    values: tuple[Value, ...]

    @property
    def is_ordinal(self) -> bool:
        """Whether the values are integers, which can be compared and added."""
        return all(isinstance(value, int) for value in self.values)


@dataclass(frozen=True, slots=True)
class Variable:
    """One thing to find out: `id` V0…, the printed `mark`, a role phrase, a domain's name."""

    id: str
    mark: str
    role: str
    domain: str


@dataclass(frozen=True, slots=True)
class Bridge:
    """A piece of general knowledge that the record never states: `id` is K0, K1 and so on."""

    id: str
    question: str
    answer: str
    alternatives: tuple[str, ...]
    role: BridgeRole
    source: str

    @property
    def options(self) -> tuple[str, ...]:
        """The answer among its alternatives, in alphabetical order: the domain of the term."""
        return tuple(sorted((self.answer, *self.alternatives)))


@dataclass(frozen=True, slots=True)
class Unit:
    """One evidence unit: `id` E1…; a clue has a constraint, a distractor a hypothesis and kind."""

    id: str
    role: UnitRole
    constraint: Constraint | None = None
    hypothesis: Constraint | None = None
    kind: DistractorKind | None = None
    bridge: str | None = None


@dataclass(frozen=True)
class World:
    """The hidden formal world of a family; equal worlds have equal canonical JSON."""

    domains: tuple[Domain, ...]
    variables: tuple[Variable, ...]
    bridges: tuple[Bridge, ...]
    units: tuple[Unit, ...]
    apparent: str
    policy: Policy
    solution: Mapping[str, Value]
    _by_term: dict[str, tuple[Value, ...]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    _marks: dict[str, str] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        values = {domain.name: domain.values for domain in self.domains}
        self._by_term.update({v.id: values[v.domain] for v in self.variables})
        self._by_term.update({bridge.id: bridge.options for bridge in self.bridges})
        self._marks.update({v.id: v.mark for v in self.variables})

    @property
    def term_values(self) -> Mapping[str, tuple[Value, ...]]:
        """Every term (variables first, then bridges) with its possible values, in order."""
        return self._by_term

    @property
    def clues(self) -> tuple[Unit, ...]:
        """The evidence units that count."""
        return tuple(unit for unit in self.units if unit.role == "clue")

    @property
    def distractors(self) -> tuple[Unit, ...]:
        """The evidence units that only report what others say."""
        return tuple(unit for unit in self.units if unit.role == "distractor")

    @property
    def knowledge(self) -> dict[str, Value]:
        """The right answer of every bridge."""
        return {bridge.id: bridge.answer for bridge in self.bridges}

    @property
    def truth(self) -> Assignment:
        """The whole true assignment: facts and bridge answers."""
        return {**self.solution, **self.knowledge}

    @property
    def action(self) -> Action:
        """What the rule in force requires on the true world."""
        return self.action_on(self.truth)

    def action_on(self, assignment: Assignment) -> Action:
        """What the rule in force requires on another assignment of all variables."""
        return resolve(self.policy.rule.live(assignment), assignment, self.mark_of)

    def mark_of(self, term: str) -> str:
        """The printed mark of a variable; a bridge answers to its own id."""
        return self._marks.get(term, term)

    def unit(self, unit_id: str) -> Unit:
        """The evidence unit of that id; KeyError if there is none."""
        for unit in self.units:
            if unit.id == unit_id:
                return unit
        raise KeyError(unit_id)
