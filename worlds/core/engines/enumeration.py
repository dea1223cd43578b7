"""Plain enumeration for worlds that are small enough: every assignment is tried.

`enumerate_models` tries one after the other. `Enumeration` tries them all side by side: assignment
number n of the product is bit n of one long integer, a constraint is the integer of the assignments
on which it holds, and counting is counting ones. Constraints are asked whether they hold, nothing
else, and nothing is shared with the oracle that this checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod

from worlds.core.constraints import Constraint, Value

__all__ = ["LIMIT", "Enumeration", "enumerate_models"]

LIMIT = 10**6
"""The most assignments that are tried."""


def enumerate_models(
    domains: Mapping[str, Sequence[Value]],
    constraints: Iterable[Constraint],
    limit: int | None = None,
) -> list[dict[str, Value]]:
    """The first models in lexical order, or all of them."""
    required = tuple(constraints)
    return list(islice(_models(domains, required), limit))


def _models(
    domains: Mapping[str, Sequence[Value]], required: Sequence[Constraint]
) -> Iterator[dict[str, Value]]:
    for values in product(*domains.values()):
        assignment = dict(zip(domains, values, strict=True))
        if all(constraint.holds(assignment) for constraint in required):
            yield assignment


class Enumeration:
    """All assignments to some terms, at most LIMIT of them; ValueError if there are more."""

    def __init__(self, domains: Mapping[str, Sequence[Value]]) -> None:
        self.domains = domains
        self.size = prod(map(len, domains.values()))
        if self.size > LIMIT:
            raise ValueError(f"{self.size} assignments are too many to try; at most {LIMIT}")
        self._everything = (1 << self.size) - 1
        self._where = {(term, value): 0 for term, values in domains.items() for value in values}
        period = self.size
        for term, values in domains.items() if self.size else ():
            run = period // len(values)
            # The value holds for one run in every period, and the periods fill the whole.
            repeat = self._everything // ((1 << period) - 1)
            for place, value in enumerate(values):
                self._where[term, value] = (((1 << run) - 1) << (place * run)) * repeat
            period = run

    @staticmethod
    def fits(domains: Mapping[str, Sequence[Value]]) -> bool:
        """Whether there are few enough assignments."""
        return prod(map(len, domains.values())) <= LIMIT

    def count(self, constraints: Iterable[Constraint]) -> int:
        """The number of models."""
        left = self._everything
        for constraint in constraints:
            left &= self.models_of(constraint)
        return left.bit_count()

    def count_without(self, constraints: Mapping[str, Constraint]) -> dict[str, int]:
        """For each label, the number of models of all other constraints."""
        models = [self.models_of(constraint) for constraint in constraints.values()]
        after = [self._everything]
        for each in reversed(models):
            after.append(after[-1] & each)
        counts = {}
        before = self._everything
        for place, (label, each) in enumerate(zip(constraints, models, strict=True)):
            counts[label] = (before & after[len(models) - 1 - place]).bit_count()
            before &= each
        return counts

    def models_of(self, constraint: Constraint) -> int:
        """The assignments on which one constraint holds, as bits."""
        scope = constraint.scope
        found = 0
        for values in product(*(self.domains[term] for term in scope)):
            if constraint.holds(dict(zip(scope, values, strict=True))):
                row = self._everything
                for term, value in zip(scope, values, strict=True):
                    row &= self._where[term, value]
                found |= row
        return found
