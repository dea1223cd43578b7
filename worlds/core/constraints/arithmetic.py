"""Arithmetic on ordinals: `V = W + k`, `V + W = k`, `V - W = k`. Values never wrap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from worlds.core.constraints.base import Assignment, ClauseSink, Naming, Value
from worlds.core.errors import BadFormat

__all__ = ["FORMS", "Arithmetic"]

FORMS = ("offset", "sum", "difference")


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`offset`: left = right + k; `sum`: left + right = k; `difference`: left - right = k."""

    kind: ClassVar[str] = "arithmetic"
    form: str
    left: str
    right: str
    k: int

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise ValueError(f"arithmetic has a form of {FORMS}")

    @property
    def scope(self) -> tuple[str, ...]:
        return (self.left,) if self.left == self.right else (self.left, self.right)

    def holds(self, assignment: Assignment) -> bool:
        left, right = assignment[self.left], assignment[self.right]
        if not isinstance(left, int) or not isinstance(right, int):
            return False
        match self.form:
            case "offset":
                return left == right + self.k
            case "sum":
                return left + right == self.k
            case _:
                return left - right == self.k

    def encode(self, sink: ClauseSink) -> None:
        for value in sink.values(self.left):
            self._require(sink, self.left, value, self.right, self._partner(value))
        for value in sink.values(self.right):
            self._require(sink, self.right, value, self.left, self._partner_of_right(value))

    def _require(
        self, sink: ClauseSink, term: str, value: Value, other: str, partner: int | None
    ) -> None:
        here = sink.literal(term, value)
        there = 0 if partner is None else sink.literal(other, partner)
        if here != there:
            sink.clause([-here, there] if there else [-here])

    def _partner(self, left: Value) -> int | None:
        """The value that `right` must take beside this value of `left`."""
        if not isinstance(left, int):
            return None
        return self.k - left if self.form == "sum" else left - self.k

    def _partner_of_right(self, right: Value) -> int | None:
        """The value that `left` must take beside this value of `right`."""
        if not isinstance(right, int):
            return None
        return self.k - right if self.form == "sum" else right + self.k

    def describe(self, name: Naming) -> str:
        left, right = name(self.left), name(self.right)
        match self.form:
            case "offset":
                if self.k == 0:
                    return f"{left} is equal to {right}"
                more = "higher" if self.k > 0 else "lower"
                return f"{left} is {abs(self.k)} {more} than {right}"
            case "sum":
                return f"{left} and {right} add up to {self.k}"
            case _:
                return f"{left} minus {right} is {self.k}"

    def payload(self) -> dict[str, Any]:
        return {
            "class": self.kind,
            "form": self.form,
            "left": self.left,
            "right": self.right,
            "k": self.k,
        }

    @classmethod
    def read(cls, raw: dict[str, Any], where: str) -> Arithmetic:
        """From its JSON shape."""
        match raw:
            case {
                "class": _,
                "form": str() as form,
                "left": str(),
                "right": str(),
                "k": int() as k,
            }:
                if len(raw) == 5 and form in FORMS and not isinstance(k, bool):
                    return cls(form, raw["left"], raw["right"], k)
        raise BadFormat(where, raw, f"arithmetic with form {FORMS}, left, right and a whole k")
