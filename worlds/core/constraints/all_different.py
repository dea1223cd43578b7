"""All-different: two or more terms of one domain, no two with one value."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from worlds.core.constraints.base import Assignment, ClauseSink, Naming
from worlds.core.errors import BadFormat

__all__ = ["AllDifferent"]


@dataclass(frozen=True, slots=True)
class AllDifferent:
    """No two of the terms share a value; a term listed twice can never differ from itself."""

    kind: ClassVar[str] = "all_different"
    terms: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.terms) < 2:
            raise ValueError("all-different has two terms or more")

    @property
    def scope(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.terms))

    def holds(self, assignment: Assignment) -> bool:
        values = [assignment[term] for term in self.terms]
        return len(set(values)) == len(values)

    def encode(self, sink: ClauseSink) -> None:
        for left, right in combinations(self.terms, 2):
            for value in sink.values(left):
                here, there = sink.literal(left, value), sink.literal(right, value)
                if there:
                    sink.clause([-here] if here == there else [-here, -there])

    def describe(self, name: Naming) -> str:
        return f"{_listed([name(term) for term in self.terms])} are all different"

    def payload(self) -> dict[str, Any]:
        return {"class": self.kind, "terms": list(self.terms)}

    @classmethod
    def read(cls, raw: dict[str, Any], where: str) -> AllDifferent:
        """From its JSON shape."""
        match raw:
            case {"class": _, "terms": [_, _, *_] as terms} if len(raw) == 2:
                if all(isinstance(term, str) for term in terms):
                    return cls(tuple(terms))
        raise BadFormat(where, raw, "all_different with a list of two terms or more")


def _listed(names: list[str]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1]
