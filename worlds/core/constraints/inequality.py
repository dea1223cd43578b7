"""Inequality: `V ≠ c`, `V ≠ W`, and on ordinals `<` and `>` against a value or a variable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from worlds.core.constraints.base import (
    Assignment,
    ClauseSink,
    Naming,
    Value,
    compare,
    read_value,
)
from worlds.core.errors import BadFormat

__all__ = ["Inequality"]

_WORDS = {"!=": "differs from", "<": "is lower than", ">": "is higher than"}


@dataclass(frozen=True, slots=True)
class Inequality:
    """`left op right` or `left op value`, with op one of `!=`, `<`, `>`."""

    kind: ClassVar[str] = "inequality"
    op: str
    left: str
    right: str | None = None
    value: Value | None = None

    def __post_init__(self) -> None:
        if (self.right is None) == (self.value is None):
            raise ValueError("an inequality has either a right term or a value")
        if self.op not in _WORDS:
            raise ValueError(f"an inequality has an operator of {sorted(_WORDS)}")

    @property
    def scope(self) -> tuple[str, ...]:
        if self.right is None or self.right == self.left:
            return (self.left,)
        return (self.left, self.right)

    def holds(self, assignment: Assignment) -> bool:
        other = self.value if self.right is None else assignment[self.right]
        assert other is not None
        return compare(assignment[self.left], self.op, other)

    def encode(self, sink: ClauseSink) -> None:
        if self.right is None:
            assert self.value is not None
            for value in sink.values(self.left):
                if not compare(value, self.op, self.value):
                    sink.clause([-sink.literal(self.left, value)])
            return
        for value in sink.values(self.left):
            for other in sink.values(self.right):
                if self.right == self.left and value != other:
                    continue
                if not compare(value, self.op, other):
                    sink.clause(
                        [
                            -sink.literal(self.left, value),
                            -sink.literal(self.right, other),
                        ]
                    )

    def describe(self, name: Naming) -> str:
        other = str(self.value) if self.right is None else name(self.right)
        return f"{name(self.left)} {_WORDS[self.op]} {other}"

    def payload(self) -> dict[str, Any]:
        other = {"value": self.value} if self.right is None else {"right": self.right}
        return {"class": self.kind, "op": self.op, "left": self.left, **other}

    @classmethod
    def read(cls, raw: dict[str, Any], where: str) -> Inequality:
        """From its JSON shape."""
        match raw:
            case {"op": ("!=" | "<" | ">") as op, "left": str() as left, **rest}:
                match rest:
                    case {"class": _, "right": str() as right} if len(rest) == 2:
                        return cls(op, left, right=right)
                    case {"class": _, "value": value} if len(rest) == 2:
                        return cls(op, left, value=read_value(value, where))
        raise BadFormat(
            where,
            raw,
            'an inequality with op "!=", "<" or ">", left, and right or value',
        )
