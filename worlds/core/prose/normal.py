"""When two constraints say the same: one normal form, decided once.

`V = W` and `W = V`, `V > W` and `W < V`, an offset of k read from either end, the order inside
all-different, exactly-one, sums and bridge tables: prose says them in whichever order sounds
better, so reading back compares normal forms. Different classes stay different even where logic
makes them equal (two terms all different, `V != W`).
"""

from __future__ import annotations

from collections.abc import Callable

from worlds.core.constraints import (
    AllDifferent,
    Arithmetic,
    Constraint,
    Equality,
    ExactlyOne,
    Implication,
    Inequality,
    Literal,
)
from worlds.core.model import World
from worlds.core.policy import Branch, Rule

__all__ = ["normal", "on_marks", "renamed", "renamed_rule"]


def normal(constraint: Constraint) -> Constraint:
    """The representative of all constraints that differ from this one by a harmless symmetry."""
    match constraint:
        case Equality(left=left, right=str() as right):
            return Equality(min(left, right), right=max(left, right))
        case Inequality(op=">", left=left, right=str() as right):
            return Inequality("<", right, right=left)
        case Inequality(op="!=", left=left, right=str() as right):
            return Inequality("!=", min(left, right), right=max(left, right))
        case Implication(rows=rows, is_table=True):
            return Implication(tuple(sorted(rows, key=_row_key)), is_table=True)
        case AllDifferent(terms=terms):
            return AllDifferent(tuple(sorted(terms)))
        case ExactlyOne(literals=literals):
            return ExactlyOne(tuple(sorted(literals, key=_literal_key)))
        case Arithmetic():
            return _normal_arithmetic(constraint)
    return constraint


def renamed(constraint: Constraint, name: Callable[[str], str]) -> Constraint:
    """The constraint with every term put through `name`."""
    match constraint:
        case Equality(left=left, right=right, value=value):
            return Equality(name(left), right=right and name(right), value=value)
        case Inequality(op=op, left=left, right=right, value=value):
            return Inequality(op, name(left), right=right and name(right), value=value)
        case Implication(rows=rows, is_table=is_table):
            return Implication(
                tuple((_renamed(p, name), _renamed(c, name)) for p, c in rows), is_table
            )
        case AllDifferent(terms=terms):
            return AllDifferent(tuple(name(term) for term in terms))
        case ExactlyOne(literals=literals):
            return ExactlyOne(tuple(_renamed(literal, name) for literal in literals))
        case Arithmetic(form=form, left=left, right=right, k=k):
            return Arithmetic(form, name(left), name(right), k)
    raise TypeError(f"a constraint of the six classes, not {constraint!r}")


def renamed_rule(rule: Rule, name: Callable[[str], str]) -> Rule:
    """The rule with every variable put through `name`."""
    then, otherwise = (
        Branch(branch.verb, name(branch.item), name(branch.party))
        for branch in (rule.then, rule.otherwise)
    )
    return Rule(tuple(_renamed(literal, name) for literal in rule.condition), then, otherwise)


def on_marks(world: World, bridge_terms: Callable[[str], str]) -> Callable[[str], str]:
    """A naming of a world's terms: variables by mark, bridges by what `bridge_terms` says."""
    marks = {variable.id: variable.mark for variable in world.variables}
    return lambda term: marks[term] if term in marks else bridge_terms(term)


def _normal_arithmetic(constraint: Arithmetic) -> Arithmetic:
    form, left, right, k = constraint.form, constraint.left, constraint.right, constraint.k
    symmetric = form == "sum" or k == 0
    if (symmetric and left > right) or (not symmetric and k < 0):
        return Arithmetic(form, right, left, k if symmetric else -k)
    return constraint


def _renamed(literal: Literal, name: Callable[[str], str]) -> Literal:
    return Literal(name(literal.term), literal.op, literal.value)


def _literal_key(literal: Literal) -> tuple[str, str, str]:
    return literal.term, literal.op, str(literal.value)


def _row_key(row: tuple[Literal, Literal]) -> tuple[str, str, str]:
    return _literal_key(row[0])
