"""Sums of products of tables by variable elimination: the arithmetic under the oracle.

It knows fields of bits and rows of integers, nothing of constraints. A table maps rows to counts. A
row is one integer in which every term has a field of bits for the index of its value, so that two
rows join by `|` and a row is projected by `&`. Rows of count zero are not kept.

Terms are eliminated one after the other: the tables that mention a term meet in its bucket, are
joined, the term is summed out, and the message goes to the bucket of the next term that it mentions
(bucket elimination; Dechter 1999). The buckets form a tree under a last one, the ground. A pass
down the tree brings every bucket what the rest of the tree says, so that the product of everything
but one table can be had where that table lies.

Legend: `scope` is the union of the fields that a table mentions; `extent` of a bucket is the union
of the scopes that meet in it; its `reach` is the extent without its own term, which is what the
messages between it and its parent may speak of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["ONE", "EliminationTree", "Field", "Table", "TooWide", "joined", "min_fill"]


class Table(NamedTuple):
    """Counts over the fields of `scope`; constant over all other fields."""

    scope: int
    rows: dict[int, int]


Field = tuple[int, int]
"""The bits of a term, and the number of its values."""

ONE = Table(0, {0: 1})


class TooWide(Exception):
    """A join would produce more rows than are allowed."""


class EliminationTree:
    """The buckets of a product of tables, with `total` already summed up the tree.

    `order` has the (mask, number of values) of every term, in the order of elimination, which makes
    no difference to any number.
    """

    def __init__(self, order: Sequence[Field], tables: Sequence[Table], width: int) -> None:
        self._order = order
        self._tables = tables
        self._width = width
        ground = len(order)
        self._extent = [mask for mask, _ in order] + [0]
        self._children: list[list[int]] = [[] for _ in range(ground + 1)]
        self._own: list[list[int]] = [[] for _ in range(ground + 1)]
        for index, table in enumerate(tables):
            place = self._place(table.scope)
            self._own[place].append(index)
            self._extent[place] |= table.scope
        self._up: list[Table] = []
        for place in range(ground):
            self._up.append(self._product(self._meeting(place), self._reach(place), place))
            parent = self._place(self._reach(place), place + 1)
            self._children[parent].append(place)
            self._extent[parent] |= self._reach(place)
        self.total = self._product(self._meeting(ground), 0, ground).rows.get(0, 0)

    def around(self) -> list[Table]:
        """For each table, the product of all others over its scope.

        A field that a product does not mention makes no difference to it.
        """
        tables: list[Table] = [ONE] * len(self._tables)
        down: list[Table] = [ONE] * len(self._own)
        for place in range(len(self._own) - 1, -1, -1):
            own, children = self._own[place], self._children[place]
            meeting = [*self._meeting(place), down[place]]
            for which, index in enumerate(own):
                others = meeting[:which] + meeting[which + 1 :]
                tables[index] = self._product(others, self._tables[index].scope, place)
            for which, child in enumerate(children, len(own)):
                others = meeting[:which] + meeting[which + 1 :]
                down[child] = self._product(others, self._reach(child), place)
        return tables

    def freedom(self, fields: int) -> int:
        """In how many ways the terms of these fields take values."""
        ways = 1
        if fields:
            for mask, size in self._order:
                if mask & fields:
                    ways *= size
        return ways

    def _place(self, scope: int, first: int = 0) -> int:
        """The bucket of the first term in a scope; the ground if it mentions none."""
        if scope:
            for place in range(first, len(self._order)):
                if self._order[place][0] & scope:
                    return place
        return len(self._order)

    def _reach(self, place: int) -> int:
        return self._extent[place] & ~self._order[place][0]

    def _meeting(self, place: int) -> list[Table]:
        own = [self._tables[index] for index in self._own[place]]
        return own + [self._up[child] for child in self._children[place]]

    def _product(self, tables: Sequence[Table], keep: int, place: int) -> Table:
        """The product of tables, summed over the bucket's extent down to the fields of `keep`."""
        result = joined(tables, self._width, keep)
        mentioned = 0
        for table in tables:
            mentioned |= table.scope
        ways = self.freedom(self._extent[place] & ~keep & ~mentioned)
        if ways == 1:
            return result
        return Table(result.scope, {row: count * ways for row, count in result.rows.items()})


def joined(tables: Sequence[Table], width: int, keep: int = -1) -> Table:
    """The product of tables, summed over what they mention down to the fields of `keep`.

    Starts with the smallest table, goes on with the one that adds the fewest fields, and sums a
    field out as soon as no table ahead mentions it. Raises TooWide beyond the width.
    """
    waiting = sorted(tables, key=lambda table: len(table.rows))
    result = ONE
    while waiting:
        scope = result.scope
        best = min(waiting, key=lambda table: (table.scope & ~scope).bit_count())
        waiting.remove(best)
        needed = keep
        for table in waiting:
            needed |= table.scope
        result = _join(result, best, needed, width)
    return result


def _join(left: Table, right: Table, keep: int, width: int) -> Table:
    """The product of two tables, summed down to the fields of `keep`."""
    if left is ONE and not right.scope & ~keep:
        return right
    scope = left.scope | right.scope
    shared = left.scope & right.scope
    rows: dict[int, int] = {}
    get = rows.get
    if right.scope == shared:
        partner = right.rows.get
        for row, count in left.rows.items():
            factor = partner(row & shared)
            if factor:
                kept = row & keep
                rows[kept] = get(kept, 0) + count * factor
    elif left.scope == shared:
        return _join(right, left, keep, width)
    else:
        groups: dict[int, list[tuple[int, int]]] = {}
        for row, count in right.rows.items():
            groups.setdefault(row & shared, []).append((row, count))
        work = 0
        for row, count in left.rows.items():
            group = groups.get(row & shared)
            if group:
                work += len(group)
                if work > width:
                    raise TooWide
                for other, factor in group:
                    kept = (row | other) & keep
                    rows[kept] = get(kept, 0) + count * factor
    return Table(scope & keep, rows)


def min_fill(fields: Sequence[Field], scopes: Sequence[int]) -> list[Field]:
    """An order of elimination that keeps tables small: who joins the fewest strangers comes first.

    Ties go to the term with fewer neighbours, then to the earlier one. `near[t]` is a set of terms
    as bits, t itself among them.
    """
    near = [1 << index for index in range(len(fields))]
    for scope in scopes:
        members = [index for index, (mask, _) in enumerate(fields) if mask & scope]
        together = sum(1 << index for index in members)
        for index in members:
            near[index] |= together
    cost = [_fill(index, near) for index in range(len(fields))]
    left = set(range(len(fields)))
    order: list[Field] = []
    while left:
        chosen = min(left, key=lambda index: (cost[index], near[index].bit_count(), index))
        left.remove(chosen)
        order.append(fields[chosen])
        around = near[chosen] & ~(1 << chosen)
        touched = around
        for index in _members(around):
            near[index] = (near[index] | around) & ~(1 << chosen)
            touched |= near[index]
        for index in _members(touched):
            cost[index] = _fill(index, near)
    return order


def _fill(index: int, near: Sequence[int]) -> int:
    """How many pairs of the term's neighbours do not yet know each other, counted twice."""
    around = near[index]
    return sum((around & ~near[other]).bit_count() for other in _members(around))


def _members(bits: int) -> list[int]:
    members = []
    while bits:
        low = bits & -bits
        members.append(low.bit_length() - 1)
        bits ^= low
    return members
