"""The public rule of a record: IF condition THEN action ELSE action, on a world.

A rule names its item and party by variable, so that it can be read on any world: the true one, or
the one that a solver states. `resolve` turns its live branch into an action with mark and value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from worlds.core.constraints import Assignment, Literal, Value, read_literal
from worlds.core.errors import BadFormat

__all__ = [
    "Action",
    "Branch",
    "Policy",
    "Rule",
    "read_policy",
    "resolve",
]


@dataclass(frozen=True, slots=True)
class Action:
    """What is done: a verb, the mark of an item, and a party."""

    verb: str
    item: str
    party: Value

    def payload(self) -> dict[str, Value]:
        """Its JSON shape."""
        return {"verb": self.verb, "item": self.item, "party": self.party}


@dataclass(frozen=True, slots=True)
class Branch:
    """One side of a rule: a verb, the item's variable, and whose value is the party."""

    verb: str
    item: str
    party: str

    def payload(self) -> dict[str, str]:
        """Its JSON shape."""
        return {"verb": self.verb, "item": self.item, "party": self.party}


@dataclass(frozen=True, slots=True)
class Rule:
    """If every literal of the condition holds, `then`; otherwise `otherwise`."""

    condition: tuple[Literal, ...]
    then: Branch
    otherwise: Branch

    def applies(self, assignment: Assignment) -> bool:
        """Whether the condition holds of an assignment to every term it names."""
        return all(literal.holds(assignment) for literal in self.condition)

    def live(self, assignment: Assignment) -> Branch:
        """The branch that the assignment calls for."""
        return self.then if self.applies(assignment) else self.otherwise

    def dead(self, assignment: Assignment) -> Branch:
        """The branch that the assignment does not call for."""
        return self.otherwise if self.applies(assignment) else self.then

    @property
    def scope(self) -> tuple[str, ...]:
        """Every term that the condition or a party names, in order of first mention."""
        parties = (self.then.party, self.otherwise.party)
        return tuple(dict.fromkeys([*(literal.term for literal in self.condition), *parties]))

    def payload(self) -> dict[str, Any]:
        """Its JSON shape."""
        return {
            "if": [literal.payload() for literal in self.condition],
            "then": self.then.payload(),
            "else": self.otherwise.payload(),
        }


@dataclass(frozen=True, slots=True)
class Policy:
    """The rule in force, and the provisional one that it supersedes."""

    rule: Rule
    provisional: Rule

    def payload(self) -> dict[str, Any]:
        """Its JSON shape."""
        return {"rule": self.rule.payload(), "provisional": self.provisional.payload()}


def resolve(branch: Branch, assignment: Assignment, mark_of: Callable[[str], str]) -> Action:
    """The action of a branch on an assignment that gives its party's variable a value."""
    return Action(branch.verb, mark_of(branch.item), assignment[branch.party])


def read_policy(raw: object, where: str) -> Policy:
    """A policy from its JSON shape."""
    match raw:
        case {"rule": rule, "provisional": provisional}:
            return Policy(
                _read_rule(rule, f"{where}.rule"),
                _read_rule(provisional, f"{where}.provisional"),
            )
    raise BadFormat(where, raw, "a policy with rule and provisional")


def _read_rule(raw: object, where: str) -> Rule:
    match raw:
        case {"if": [_, *_] as condition, "then": then, "else": otherwise}:
            return Rule(
                tuple(read_literal(literal, f"{where}.if") for literal in condition),
                _read_branch(then, f"{where}.then"),
                _read_branch(otherwise, f"{where}.else"),
            )
    raise BadFormat(where, raw, "a rule with a condition, then and else")


def _read_branch(raw: object, where: str) -> Branch:
    match raw:
        case {"verb": str() as verb, "item": str() as item, "party": str() as party}:
            return Branch(verb, item, party)
    raise BadFormat(where, raw, "a branch with verb, item and party")
