"""Exactly-one: of several literals, one is true and the others are false."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from worlds.core.constraints.base import (
    Assignment,
    ClauseSink,
    Literal,
    Naming,
    Value,
    read_literal,
)
from worlds.core.errors import BadFormat

__all__ = ["ExactlyOne", "opposite"]


@dataclass(frozen=True, slots=True)
class ExactlyOne:
    """One of the literals holds, and no second; of a single literal it says that it holds.

    The literals count by position: a literal listed twice can never be the only true one.
    """

    kind: ClassVar[str] = "exactly_one"
    literals: tuple[Literal, ...]

    def __post_init__(self) -> None:
        if not self.literals:
            raise ValueError("exactly-one has a literal or more")

    @property
    def scope(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(literal.term for literal in self.literals))

    def holds(self, assignment: Assignment) -> bool:
        return sum(literal.holds(assignment) for literal in self.literals) == 1

    def encode(self, sink: ClauseSink) -> None:
        supports = [literal.encode(sink) for literal in self.literals]
        sink.clause(list(dict.fromkeys(v for support in supports for v in support)))
        for first, second in combinations(supports, 2):
            for here in first:
                for there in second:
                    sink.clause([-here] if here == there else [-here, -there])

    def describe(self, name: Naming) -> str:
        told = "; ".join(literal.describe(name) for literal in self.literals)
        return f"exactly one of these is so: {told}"

    def payload(self) -> dict[str, Any]:
        return {
            "class": self.kind,
            "literals": [literal.payload() for literal in self.literals],
        }

    @classmethod
    def read(cls, raw: dict[str, Any], where: str) -> ExactlyOne:
        """From its JSON shape."""
        match raw:
            case {"class": _, "literals": [_, *_] as literals} if len(raw) == 2:
                return cls(tuple(read_literal(literal, where) for literal in literals))
        raise BadFormat(where, raw, "exactly_one with a list of literals")


def opposite(literal: Literal, values: Sequence[Value], *, truth: bool) -> ExactlyOne | None:
    """The constraint that a literal is not `truth` over these values; None if it cannot be.

    Its term takes exactly one value, so one of those that turn it is taken.
    """
    kept = literal.true_values(values)
    turning = [value for value in values if (value in kept) != truth]
    if not turning:
        return None
    return ExactlyOne(tuple(Literal(literal.term, "=", value) for value in turning))
