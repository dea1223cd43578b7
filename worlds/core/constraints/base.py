"""What a constraint is: terms, values, literals and the five things every class knows.

A constraint class knows its `kind` and `scope`, whether it `holds`, how to `encode` itself as
clauses, and how to `describe` itself in words; `payload` and `read` are its JSON shape. The oracle
uses `holds` only, the DPLL engine `encode` only and z3 neither: so no bug is shared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from worlds.core.errors import BadFormat

__all__ = [
    "OPERATORS",
    "Assignment",
    "ClauseSink",
    "Constraint",
    "Literal",
    "Naming",
    "Value",
    "compare",
    "read_literal",
    "read_value",
]

Value = str | int
Assignment = Mapping[str, Value]
Naming = Callable[[str], str]
"""Turns a term id into the name a person reads, usually its mark."""

OPERATORS = ("=", "!=", "<", ">")
_WORDS = {"=": "is", "!=": "is not", "<": "is lower than", ">": "is higher than"}


class ClauseSink(Protocol):
    """Where `encode` writes its clauses; a one-hot encoding of terms and values.

    `literal` is the propositional variable "term takes value"; it is 0 when the value is outside
    the term's domain, which reads as false (and its negation as true). `add` takes the clause as a
    list in which falsehoods have been dropped by `clause`.
    """

    def values(self, term: str) -> Sequence[Value]:
        """The term's domain, in order."""

    def literal(self, term: str, value: Value) -> int:
        """The propositional variable for `term = value`, or 0 if the value is outside."""

    def clause(self, literals: Sequence[int]) -> None:
        """Add the disjunction of the literals, none of which is 0; empty means false."""


class Constraint(Protocol):
    """One of the six classes; instances are frozen and compare by value."""

    kind: ClassVar[str]

    @property
    def scope(self) -> tuple[str, ...]:
        """The terms it speaks of, each once, in order of first mention."""

    def holds(self, assignment: Assignment) -> bool:
        """Whether it is true of an assignment that gives every term of its scope a value."""

    def encode(self, sink: ClauseSink) -> None:
        """Write clauses whose models over the domains are exactly those where it holds."""

    def describe(self, name: Naming) -> str:
        """The constraint in plain words, without a full stop."""

    def payload(self) -> dict[str, Any]:
        """Its JSON shape (`enigmaforge.constraint/1`)."""


def compare(left: Value, op: str, right: Value) -> bool:
    """Apply an operator; order is defined on ordinals only, and false elsewhere."""
    if op == "=":
        return left == right
    if op == "!=":
        return left != right
    if isinstance(left, int) and isinstance(right, int):
        return left < right if op == "<" else left > right
    return False


@dataclass(frozen=True, slots=True)
class Literal:
    """`term op value`, with op one of `=`, `!=`, and on ordinals `<`, `>`."""

    term: str
    op: str
    value: Value

    def holds(self, assignment: Assignment) -> bool:
        """Whether it is true of an assignment that gives its term a value."""
        return compare(assignment[self.term], self.op, self.value)

    def true_values(self, values: Sequence[Value]) -> tuple[Value, ...]:
        """The values of a domain that make it true, in order."""
        return tuple(value for value in values if compare(value, self.op, self.value))

    def describe(self, name: Naming) -> str:
        """The literal in plain words: `H-31 is not Juno`."""
        return f"{name(self.term)} {_WORDS[self.op]} {self.value}"

    def payload(self) -> list[Value]:
        """Its JSON shape: `[term, op, value]`."""
        return [self.term, self.op, self.value]

    def encode(self, sink: ClauseSink) -> list[int]:
        """A disjunction of propositional variables that says the same; empty means false."""
        return [sink.literal(self.term, v) for v in self.true_values(sink.values(self.term))]


def read_value(raw: object, where: str) -> Value:
    """A string or an integer from JSON; booleans and floats are neither."""
    if isinstance(raw, bool) or not isinstance(raw, str | int):
        raise BadFormat(where, raw, "a string or a whole number")
    return raw


def read_literal(raw: object, where: str) -> Literal:
    """A literal from its JSON shape."""
    match raw:
        case [str() as term, str() as op, value] if op in OPERATORS:
            return Literal(term, op, read_value(value, where))
    raise BadFormat(where, raw, f"[term, operator, value] with an operator of {OPERATORS}")
