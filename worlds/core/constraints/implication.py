"""Implication: literal ⇒ literal, or a bridge table (one implication per alternative)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from worlds.core.constraints.base import (
    Assignment,
    ClauseSink,
    Literal,
    Naming,
    read_literal,
)
from worlds.core.errors import BadFormat

__all__ = ["Implication"]


@dataclass(frozen=True, slots=True)
class Implication:
    """A set of `premise ⇒ conclusion`; a single one is a plain implication.

    `is_table` tells the two JSON shapes apart: a table may have one row.
    """

    kind: ClassVar[str] = "implication"
    rows: tuple[tuple[Literal, Literal], ...]
    is_table: bool = False

    def __post_init__(self) -> None:
        if not self.rows or (not self.is_table and len(self.rows) != 1):
            raise ValueError("an implication has one row, a table one or more")

    @classmethod
    def of(cls, premise: Literal, conclusion: Literal) -> Implication:
        """The plain implication `premise ⇒ conclusion`."""
        return cls(((premise, conclusion),))

    @property
    def premise(self) -> Literal:
        """The premise of the first row."""
        return self.rows[0][0]

    @property
    def conclusion(self) -> Literal:
        """The conclusion of the first row."""
        return self.rows[0][1]

    @property
    def scope(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(literal.term for row in self.rows for literal in row))

    def holds(self, assignment: Assignment) -> bool:
        return all(not p.holds(assignment) or c.holds(assignment) for p, c in self.rows)

    def encode(self, sink: ClauseSink) -> None:
        for premise, conclusion in self.rows:
            then = conclusion.encode(sink)
            for literal in premise.encode(sink):
                # One variable may stand on both sides, then the clause is a tautology.
                if literal not in then:
                    sink.clause([-literal, *then])

    def describe(self, name: Naming) -> str:
        told = [f"if {p.describe(name)}, then {c.describe(name)}" for p, c in self.rows]
        return "; ".join(told)

    def payload(self) -> dict[str, Any]:
        if self.is_table:
            return {
                "class": self.kind,
                "table": [[p.payload(), c.payload()] for p, c in self.rows],
            }
        return {
            "class": self.kind,
            "if": self.premise.payload(),
            "then": self.conclusion.payload(),
        }

    @classmethod
    def read(cls, raw: dict[str, Any], where: str) -> Implication:
        """From its JSON shape."""
        match raw:
            case {"class": _, "if": premise, "then": conclusion} if len(raw) == 3:
                return cls.of(read_literal(premise, where), read_literal(conclusion, where))
            case {"class": _, "table": [_, *_] as table} if len(raw) == 2:
                return cls(tuple(_read_row(row, where) for row in table), is_table=True)
        raise BadFormat(where, raw, "an implication with if and then, or a table of pairs")


def _read_row(raw: object, where: str) -> tuple[Literal, Literal]:
    match raw:
        case [premise, conclusion]:
            return read_literal(premise, where), read_literal(conclusion, where)
    raise BadFormat(where, raw, "a pair of literals")
