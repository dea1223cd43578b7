"""Other things that a statement might be taken to say.

Pure functions from a constraint or a rule to what a careless or hostile reader would make of it.
Some say more than the original and some say less; `readings` uses which is which.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from worlds.core.constraints import (
    Arithmetic,
    Assignment,
    ClauseSink,
    Constraint,
    Equality,
    ExactlyOne,
    Implication,
    Inequality,
    Literal,
    Naming,
    Value,
)
from worlds.core.policy import Rule

__all__ = [
    "AtLeastOne",
    "both_ways",
    "converse",
    "negated",
    "next_step",
    "none_is",
    "turned",
    "turned_rule",
    "weaker",
    "weaker_conditions",
    "with_alternatives",
    "without_a_condition",
]

_MIRROR = {"<": ">", ">": "<"}
_OPPOSITE = {"=": "!=", "!=": "="}


@dataclass(frozen=True, slots=True)
class AtLeastOne:
    """One of the literals holds, perhaps more: what "exactly one" says when read weakly."""

    kind: ClassVar[str] = "at_least_one"
    literals: tuple[Literal, ...]

    @property
    def scope(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(literal.term for literal in self.literals))

    def holds(self, assignment: Assignment) -> bool:
        return any(literal.holds(assignment) for literal in self.literals)

    def encode(self, sink: ClauseSink) -> None:
        sink.clause([v for literal in self.literals for v in literal.encode(sink)])

    def describe(self, name: Naming) -> str:
        told = "; ".join(literal.describe(name) for literal in self.literals)
        return f"at least one of these is so: {told}"

    def payload(self) -> dict[str, Any]:
        return {"class": self.kind, "literals": [each.payload() for each in self.literals]}


def negated(literal: Literal) -> Literal:
    """The literal that is true exactly where this one is false."""
    if literal.op in _OPPOSITE:
        return replace(literal, op=_OPPOSITE[literal.op])
    return Literal(literal.term, _MIRROR[literal.op], _moved(literal, -1))


def turned(constraint: Constraint, terms: Collection[str]) -> Constraint:
    """The constraint as read by someone who takes the low end of the terms' scale for the high one.

    Comparisons, offsets and differences change direction. Steps that are named by their number stay
    the same, and so do sums.
    """
    match constraint:
        case Inequality(op, left) if op in _MIRROR and left in terms:
            return replace(constraint, op=_MIRROR[op])
        case Arithmetic("offset" | "difference", left, _, k) if left in terms:
            return replace(constraint, k=-k)
        case Implication(rows):
            told = tuple((_turned(p, terms), _turned(c, terms)) for p, c in rows)
            return replace(constraint, rows=told)
        case ExactlyOne(literals):
            return ExactlyOne(tuple(_turned(literal, terms) for literal in literals))
    return constraint


def turned_rule(rule: Rule, terms: Collection[str]) -> Rule:
    """The rule as read by someone who takes the terms' scale the wrong way round."""
    return replace(rule, condition=tuple(_turned(literal, terms) for literal in rule.condition))


def _turned(literal: Literal, terms: Collection[str]) -> Literal:
    if literal.op in _MIRROR and literal.term in terms:
        return replace(literal, op=_MIRROR[literal.op])
    return literal


def weaker(constraint: Constraint, values: Sequence[Value]) -> Constraint | None:
    """What is left of a statement that is read loosely; None if it cannot be.

    "Lower" becomes "no higher", a distance becomes a mere comparison and "exactly one" becomes "at
    least one". `values` is the domain of the constraint's first term.
    """
    match constraint:
        case ExactlyOne(literals):
            return AtLeastOne(literals)
        case Inequality(op, left, None, int() as value) if op in _MIRROR:
            return replace(constraint, value=_moved(Literal(left, op, value), 1))
        case Inequality(op, left, str() as right) if op in _MIRROR:
            steps = [value for value in values if isinstance(value, int)]
            back = -1 if op == "<" else 1
            rows = ((Literal(left, "=", v), Literal(right, _MIRROR[op], v + back)) for v in steps)
            return Implication(tuple(rows), is_table=True)
        case Arithmetic("offset" | "difference", left, right, k) if k:
            return Inequality(">" if k > 0 else "<", left, right=right)
    return None


def next_step(constraint: Constraint) -> Constraint | None:
    """A comparison read as "by one step"; None if the constraint is none."""
    match constraint:
        case Inequality(op, left, None, int() as value) if op in _MIRROR:
            return Equality(left, value=_moved(Literal(left, op, value), -1))
        case Inequality(op, left, str() as right) if op in _MIRROR:
            return Arithmetic("offset", left, right, -1 if op == "<" else 1)
    return None


def none_is(terms: Sequence[str], value: Value) -> Implication:
    """None of the terms takes the value: if one did, it would not."""
    rows = ((Literal(term, "=", value), Literal(term, "!=", value)) for term in terms)
    return Implication(tuple(rows), is_table=True)


def converse(implication: Implication) -> Implication:
    """Every "if" and "then" exchanged."""
    return replace(implication, rows=tuple((c, p) for p, c in implication.rows))


def both_ways(implication: Implication) -> Implication:
    """Every "if" taken for "if and only if"."""
    return Implication((*implication.rows, *converse(implication).rows), is_table=True)


def with_alternatives(rule: Rule) -> Rule:
    """The rule with "and" between its conditions taken for "or"."""
    neither = tuple(negated(literal) for literal in rule.condition)
    return Rule(neither, rule.otherwise, rule.then)


def without_a_condition(rule: Rule) -> tuple[Rule, ...]:
    """The rule with each of its conditions left out in turn; none if it has only one."""
    if len(rule.condition) < 2:
        return ()
    rest = (tuple(x for x in rule.condition if x is not literal) for literal in rule.condition)
    return tuple(replace(rule, condition=condition) for condition in rest)


def weaker_conditions(rule: Rule) -> tuple[Rule, ...]:
    """The rule with each comparison among its conditions read loosely, "lower" as "no higher"."""
    return tuple(
        replace(
            rule,
            condition=tuple(
                replace(x, value=_moved(x, 1)) if x is literal else x for x in rule.condition
            ),
        )
        for literal in rule.condition
        if literal.op in _MIRROR
    )


def _moved(literal: Literal, steps: int) -> int:
    """The bound of a comparison moved so that it lets in so many more steps of the scale."""
    assert isinstance(literal.value, int)
    return literal.value + (steps if literal.op == "<" else -steps)
