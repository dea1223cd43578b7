"""Equality: `V = c` (a pin: a directly stated fact) and `V = W`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from worlds.core.constraints.base import (
    Assignment,
    ClauseSink,
    Naming,
    Value,
    read_value,
)
from worlds.core.errors import BadFormat

__all__ = ["Equality"]


@dataclass(frozen=True, slots=True)
class Equality:
    """`left = value`, or `left = right`; exactly one of `right` and `value` is given."""

    kind: ClassVar[str] = "equality"
    left: str
    right: str | None = None
    value: Value | None = None

    def __post_init__(self) -> None:
        if (self.right is None) == (self.value is None):
            raise ValueError("an equality has either a right term or a value")

    @property
    def scope(self) -> tuple[str, ...]:
        if self.right is None or self.right == self.left:
            return (self.left,)
        return (self.left, self.right)

    @property
    def is_pin(self) -> bool:
        """Whether it states a fact directly."""
        return self.value is not None

    def holds(self, assignment: Assignment) -> bool:
        other = self.value if self.right is None else assignment[self.right]
        return assignment[self.left] == other

    def encode(self, sink: ClauseSink) -> None:
        if self.right is None:
            assert self.value is not None
            literal = sink.literal(self.left, self.value)
            sink.clause([literal] if literal else [])
            return
        for value in sink.values(self.left):
            here, there = (
                sink.literal(self.left, value),
                sink.literal(self.right, value),
            )
            sink.clause([-here, there] if there else [-here])
        for value in sink.values(self.right):
            here, there = (
                sink.literal(self.right, value),
                sink.literal(self.left, value),
            )
            sink.clause([-here, there] if there else [-here])

    def describe(self, name: Naming) -> str:
        if self.right is None:
            return f"{name(self.left)} is {self.value}"
        return f"{name(self.left)} is the same as {name(self.right)}"

    def payload(self) -> dict[str, Any]:
        other = {"value": self.value} if self.right is None else {"right": self.right}
        return {"class": self.kind, "left": self.left, **other}

    @classmethod
    def read(cls, raw: dict[str, Any], where: str) -> Equality:
        """From its JSON shape."""
        match raw:
            case {"left": str() as left, "right": str() as right, **rest} if set(rest) == {"class"}:
                return cls(left, right=right)
            case {"left": str() as left, "value": value, **rest} if set(rest) == {"class"}:
                return cls(left, value=read_value(value, where))
        raise BadFormat(
            where,
            raw,
            "an equality with a left term and either a right term or a value",
        )
