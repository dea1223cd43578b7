"""The one-hot encoding: a propositional variable for every value of every term.

Variables are numbered from 1, term by term in the order of the domains, value by value in the order
of each domain. That every term takes exactly one of its values is part of the meaning of a
variable: `at_least_one` and `at_most_one` give those clauses to whoever writes the formula out,
while the DPLL engine builds them into its propagation.

Every label (an evidence unit, a bridge, a ban) has a *selector*, a variable numbered after the
values. Written out in full, each clause of the label begins with the negated selector, so that
assuming the selector turns the label on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from worlds.core.constraints import Assignment, Constraint, Value

__all__ = ["Clause", "OneHot"]

Clause = tuple[int, ...]


class OneHot:
    """The variables of a set of domains; a clause sink for `Constraint.encode`."""

    def __init__(self, domains: Mapping[str, Sequence[Value]]) -> None:
        self.domains = {term: tuple(values) for term, values in domains.items()}
        self.variables: dict[str, range] = {}
        self.meaning: list[tuple[str, Value]] = []
        self._literals: dict[str, dict[Value, int]] = {}
        for term, values in self.domains.items():
            first = len(self.meaning) + 1
            self.variables[term] = range(first, first + len(values))
            self._literals[term] = {value: first + i for i, value in enumerate(values)}
            self.meaning += [(term, value) for value in values]
        self._sink: list[Clause] = []

    @property
    def size(self) -> int:
        """How many propositional variables there are; `meaning[v - 1]` says what `v` means."""
        return len(self.meaning)

    def values(self, term: str) -> Sequence[Value]:
        """The term's domain, in order."""
        return self.domains[term]

    def literal(self, term: str, value: Value) -> int:
        """The variable for `term = value`, or 0 if the value is outside the domain."""
        return self._literals[term].get(value, 0)

    def clause(self, literals: Sequence[int]) -> None:
        """Take a clause from a constraint; a tautology is dropped, a repeated literal kept once."""
        once = dict.fromkeys(literals)
        if not any(-literal in once for literal in once):
            self._sink.append(tuple(once))

    def clauses_of(self, constraint: Constraint) -> list[Clause]:
        """The clauses of one constraint, in the order in which it writes them."""
        self._sink = []
        constraint.encode(self)
        return self._sink

    def ban(self, assignment: Assignment) -> list[Clause]:
        """The clause that at least one of the given terms differs, or none if one must anyway."""
        literals = [self.literal(term, value) for term, value in assignment.items()]
        return [] if 0 in literals else [tuple(-literal for literal in literals)]

    def at_least_one(self) -> Iterator[Clause]:
        """For each term: it takes one of its values."""
        for variables in self.variables.values():
            yield tuple(variables)

    def at_most_one(self) -> Iterator[Clause]:
        """For each term and each two of its values: it does not take both."""
        for variables in self.variables.values():
            for first, second in combinations(variables, 2):
                yield (-first, -second)
