"""Exact model counts by variable elimination on the constraints' own truth tables.

The second opinion on every instance. It asks a constraint one thing only, whether it `holds`: there
are no clauses here, no search and no propagation. Each constraint becomes a table of the rows on
which it holds, `elimination` multiplies and sums the tables, and one pass up and one down its tree
give the count without each single constraint at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod

from worlds.core.constraints import AllDifferent, Constraint, Value
from worlds.core.engines.elimination import (
    EliminationTree,
    Field,
    Table,
    TooWide,
    joined,
    min_fill,
)

__all__ = ["WIDTH", "Census", "Oracle", "count", "count_without"]

WIDTH = 10**6
"""The most rows that one table or join may have; beyond it the answer is "do not know"."""


def count(
    domains: Mapping[str, Sequence[Value]],
    constraints: Iterable[Constraint],
    *,
    width: int = WIDTH,
) -> int | None:
    """The exact number of models, or None if a join passes the width.

    A term in no constraint counts with all its values; without terms there is one model.
    """
    return Oracle(domains, width=width).count(constraints)


def count_without(
    domains: Mapping[str, Sequence[Value]],
    constraints: Mapping[str, Constraint],
    *,
    width: int = WIDTH,
) -> Mapping[str, int] | None:
    """For each label, the number of models of all other constraints; None beyond the width."""
    census = Oracle(domains, width=width).census(constraints)
    return None if census is None else census.without


@dataclass(frozen=True, slots=True)
class Census:
    """What one pass up and down the tree counts.

    `models` satisfy every constraint; `without[label]` all but that one; `with_also[label]` all and
    one more; `by_value[label]` tells the models without a constraint on a single term apart by the
    value of that term.
    """

    models: int
    without: Mapping[str, int]
    with_also: Mapping[str, int]
    by_value: Mapping[str, Mapping[Value, int]]


class Oracle:
    """A counter over fixed domains; it keeps the truth table of every constraint it has met."""

    def __init__(self, domains: Mapping[str, Sequence[Value]], *, width: int = WIDTH) -> None:
        self.domains = {term: tuple(values) for term, values in domains.items()}
        self.width = width
        self._shift: dict[str, int] = {}
        self._field: dict[str, int] = {}
        end = 0
        for term, values in self.domains.items():
            bits = (len(values) - 1).bit_length() if values else 1
            self._shift[term] = end
            self._field[term] = ((1 << bits) - 1) << end
            end += bits
        self._tables: dict[Constraint, Table] = {}
        # Any order is right; the one of the first tree suits those that differ from it a little.
        self._order: list[Field] | None = None

    def count(self, constraints: Iterable[Constraint]) -> int | None:
        """The number of models, or None if a join passes the width."""
        try:
            return self._tree([self._table(constraint) for constraint in constraints]).total
        except TooWide:
            return None

    def census(
        self, constraints: Mapping[str, Constraint], also: Mapping[str, Constraint] | None = None
    ) -> Census | None:
        """All counts that differ from the whole set by one constraint, or None beyond the width.

        `also` holds constraints outside the set, each of which is added to it by itself.
        """
        try:
            tables = [self._table(constraint) for constraint in constraints.values()]
            tree = self._tree(tables)
            around = tree.around()
            with_also = self._with_also(tree.total, tables, around, also or {})
        except TooWide:
            return None
        return Census(
            models=tree.total,
            without={
                label: sum(rest.rows.values()) * tree.freedom(table.scope & ~rest.scope)
                for label, rest, table in zip(constraints, around, tables, strict=True)
            },
            with_also=with_also,
            by_value={
                label: self._by_value(rest, constraint.scope[0])
                for (label, constraint), rest in zip(constraints.items(), around, strict=True)
                if len(constraint.scope) == 1
            },
        )

    def _with_also(
        self,
        models: int,
        tables: list[Table],
        around: list[Table],
        also: Mapping[str, Constraint],
    ) -> dict[str, int]:
        """The models with one constraint more; where there is one model, it can be asked."""
        if models == 1:
            model = self._only_model(tables, around)
            return {label: int(constraint.holds(model)) for label, constraint in also.items()}
        return {
            label: self._tree([*tables, self._table(constraint)]).total
            for label, constraint in also.items()
        }

    def _only_model(self, tables: list[Table], around: list[Table]) -> dict[str, Value]:
        """The one model there is: each table keeps the one row that its surroundings allow."""
        whole = 0
        for table, rest in zip(tables, around, strict=True):
            for row in table.rows:
                if rest.rows.get(row & rest.scope):
                    whole |= row
        return {
            term: values[(whole & self._field[term]) >> self._shift[term]]
            for term, values in self.domains.items()
        }

    def _tree(self, tables: list[Table]) -> EliminationTree:
        if self._order is None:
            fields = [(self._field[term], len(values)) for term, values in self.domains.items()]
            self._order = min_fill(fields, [table.scope for table in tables])
        return EliminationTree(self._order, tables, self.width)

    def _by_value(self, table: Table, term: str) -> dict[Value, int]:
        return {
            value: table.rows.get(index << self._shift[term] & table.scope, 0)
            for index, value in enumerate(self.domains[term])
        }

    def _table(self, constraint: Constraint) -> Table:
        """The rows over a constraint's scope on which it holds."""
        table = self._tables.get(constraint)
        if table is None:
            table = self._tables[constraint] = self._tabulate(constraint)
        return table

    def _tabulate(self, constraint: Constraint) -> Table:
        if isinstance(constraint, AllDifferent) and len(constraint.terms) > 2:
            # Row by row this is the largest table of all; its pairs have small ones.
            pairs = [AllDifferent(pair) for pair in combinations(constraint.terms, 2)]
            return joined([self._tabulate(pair) for pair in pairs], self.width)
        scope = constraint.scope
        values = [self.domains[term] for term in scope]
        if prod(map(len, values)) > self.width:
            raise TooWide
        codes = [
            [index << self._shift[term] for index in range(len(self.domains[term]))]
            for term in scope
        ]
        holds = constraint.holds
        rows = {
            sum(row): 1
            for row, choice in zip(product(*codes), product(*values), strict=True)
            if holds(dict(zip(scope, choice, strict=True)))
        }
        return Table(sum(self._field[term] for term in scope), rows)
