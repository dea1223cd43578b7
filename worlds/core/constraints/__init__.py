"""The six constraint classes and their registry.

A seventh class touches its own file, the registry line below and its tests.
"""

from __future__ import annotations

from worlds.core.constraints.all_different import AllDifferent
from worlds.core.constraints.arithmetic import Arithmetic
from worlds.core.constraints.base import (
    OPERATORS,
    Assignment,
    ClauseSink,
    Constraint,
    Literal,
    Naming,
    Value,
    compare,
    read_literal,
    read_value,
)
from worlds.core.constraints.equality import Equality
from worlds.core.constraints.exactly_one import ExactlyOne, opposite
from worlds.core.constraints.implication import Implication
from worlds.core.constraints.inequality import Inequality
from worlds.core.errors import BadFormat

__all__ = [
    "CLASSES",
    "OPERATORS",
    "AllDifferent",
    "Arithmetic",
    "Assignment",
    "ClauseSink",
    "Constraint",
    "Equality",
    "ExactlyOne",
    "Implication",
    "Inequality",
    "Literal",
    "Naming",
    "Value",
    "compare",
    "opposite",
    "read_constraint",
    "read_literal",
    "read_value",
]

_READERS = (Equality, Inequality, Implication, AllDifferent, ExactlyOne, Arithmetic)
_BY_KIND = {reader.kind: reader for reader in _READERS}
CLASSES = tuple(_BY_KIND)
"""The names of the classes, in the order of the specification."""


def read_constraint(raw: object, where: str = "constraint") -> Constraint:
    """A constraint from its JSON shape; raises BadFormat that names `where` and what is wrong."""
    if not isinstance(raw, dict) or raw.get("class") not in _BY_KIND:
        raise BadFormat(where, raw, "a constraint whose class is one of " + ", ".join(CLASSES))
    constraint: Constraint = _BY_KIND[raw["class"]].read(raw, where)
    return constraint
