"""What the page of a leaderboard shows for one address: filters, order, slice and rows.

All of it stands in the query string, so a link restores the view. What makes no sense there is
named and left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict

from grading.core.normal import storable
from grading.forms import Choice, Filter
from grading.services.board import DEFAULT_SORT, SLICES, Board, BoardRow, Slice, slice_of
from grading.services.board_order import narrowed, read_order
from grading.services.names import MAX_MODEL_NAME

__all__ = ["BoardPage"]

_KINDS = [("model", "models"), ("human", "people"), ("reference", "references")]


@dataclass(frozen=True, slots=True)
class BoardPage:
    """The context of a board.

    `links` has the addresses of all submissions that are still there, shown or not, by their key.
    """

    rows: tuple[BoardRow, ...]
    links: tuple[tuple[str, str], ...]
    slice: Slice | None
    filter: Filter
    name: str
    sort: str
    descending: bool

    @classmethod
    def of(cls, board: Board, query: QueryDict, links: tuple[tuple[str, str], ...]) -> BoardPage:
        """Read an address."""
        chosen = _one_slice(Filter.of(list(_choices(board)), query))
        name = storable(query.get("name", "")).strip()[:MAX_MODEL_NAME]
        asked = query.get("sort", "")
        part = _slice(board, chosen, asked)
        keys = part.sort_keys if part else board.sort_keys
        sort, descending = read_order(asked, keys, DEFAULT_SORT)
        kept = narrowed(
            board.sorted_by(asked),
            kind=chosen.chosen.get("kind", ""),
            name=name,
            least_coverage=float(chosen.chosen.get("coverage", 0)),
        )
        if part:
            shown = {row.key for row in kept}
            part = Slice(
                part.kind,
                part.value,
                part.columns,
                tuple(line for line in part.rows if line[0].key in shown),
            )
        return cls(kept, links, part, chosen, name, sort, descending)

    @property
    def query(self) -> str:
        """The filters as part of a query string that ends with `&`, or nothing."""
        named = f"{urlencode({'name': self.name})}&" if self.name else ""
        return self.filter.query + named

    @property
    def refusals(self) -> list[BoardRow]:
        """The models of which it is known whether they refuse by condition."""
        return [row for row in self.rows if row.kind == "model" and row.refusal]

    @property
    def slice_choices(self) -> list[Choice]:
        """What parts of the corpus there are."""
        return [choice for choice in self.filter.choices if choice.name in SLICES]

    @property
    def solver_choices(self) -> list[Choice]:
        """What solvers can be told apart by, beside their name."""
        return [choice for choice in self.filter.choices if choice.name not in SLICES]

    @property
    def is_empty(self) -> bool:
        """Whether the filters leave no solver."""
        return not (self.slice.rows if self.slice else self.rows)

    @property
    def sort_value(self) -> str:
        """The order as it stands in an address; empty for the order of the report."""
        if self.sort == DEFAULT_SORT and not self.descending:
            return ""
        return f"-{self.sort}" if self.descending else self.sort


def _choices(board: Board) -> Iterator[Choice]:
    yield Choice("kind", "Kind", _KINDS)
    least = f"{board.least_coverage:g}"
    yield Choice("coverage", "Coverage", [(least, f"{least} % or more"), ("100", "100 %")])
    for kind in SLICES:
        if f"{kind}s" in board.corpus:  # A report of an earlier version has fewer.
            values = board.corpus[f"{kind}s"]
            yield Choice(kind, kind.capitalize(), [(value, value) for value in values])


def _one_slice(chosen: Filter) -> Filter:
    """The filter with one part of the corpus; of two the first is taken and the other named."""
    made = [choice for choice in chosen.choices if choice.value and choice.name in SLICES]
    if len(made) < 2:
        return chosen
    first = made[0]
    chosen.complaints.append(
        f"The board is sliced by one thing at a time: this is {first.name} {first.value}."
    )
    kept = [
        Choice(choice.name, choice.label, choice.options) if choice in made[1:] else choice
        for choice in chosen.choices
    ]
    return Filter(kept, chosen.page, chosen.complaints)


def _slice(board: Board, chosen: Filter, sort: str) -> Slice | None:
    made = [(kind, value) for kind, value in chosen.chosen.items() if kind in SLICES]
    return slice_of(board, *made[0]).sorted_by(sort) if made else None
