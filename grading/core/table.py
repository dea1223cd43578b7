"""A submission laid over its corpus: what was expected, what came, what is missing.

The denominator is always the corpus. Every epoch that occurs in a submission is expected of every
instance. Sums are in fixed point: integers, `SCALE` parts to one. Means are taken epochs first,
then realizations, so that a family is one value however many replies it rests on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from grading.core.records import GradedRow
from grading.core.statistics import SCALE, fixed
from grading.core.statuses import Status
from worlds.core.errors import BadInput

__all__ = [
    "Cell",
    "Corpus",
    "Item",
    "Sum",
    "Table",
    "Unscored",
    "family_means",
    "scored_means",
    "share",
    "tabulate",
]


@dataclass(frozen=True, slots=True)
class Item:
    """One instance of a corpus, as far as scores distinguish instances."""

    sample_id: str
    family: str
    level: str
    genre: str
    condition: str
    realization: int
    burial: int | None = None
    contract: str = "inline"

    @property
    def surface(self) -> str:
        """Condition and realization: realizations of two conditions are not the same thing.

        A story tells its realization's world in another way, so it is a surface of its own.
        """
        told = "" if self.burial is None else f", burial {self.burial}"
        return f"{self.condition} {self.realization}{told}"

    @property
    def told_as(self) -> str:
        """How deep the clues lie in a story; papers are none."""
        return "papers" if self.burial is None else str(self.burial)


@dataclass(frozen=True, slots=True)
class Corpus:
    """The denominator: every instance that a solver is expected to answer."""

    name: str
    sha256: str
    items: tuple[Item, ...]


@dataclass(slots=True)
class Cell:
    """One instance over its epochs: sums over the scored ones, and how many are missing.

    `f1`, `successes`, `worlds` and `actions` are in fixed point; `tp` and `stated` count over
    answered records. `scored` and `missing` count epochs: every one is either.
    """

    item: Item
    statuses: Counter[Status]
    f1: int = 0
    successes: int = 0
    worlds: int = 0
    actions: int = 0
    tp: int = 0
    stated: int = 0
    scored: int = 0
    missing: int = 0


@dataclass(frozen=True, slots=True)
class Unscored:
    """There is no such score, and why."""

    reason: str


Sum = Callable[[Cell], int]
"""One of the sums of a cell that are in fixed point."""


@dataclass(frozen=True, slots=True)
class Table:
    """A submission laid over the corpus: one cell per instance, in order of sample id."""

    cells: tuple[Cell, ...]
    epochs: int
    stop_unknown: int

    def where(self, field: str, value: str) -> Table:
        """The part of the table whose instances have that value in a field of theirs."""
        kept = tuple(cell for cell in self.cells if getattr(cell.item, field) == value)
        return Table(kept, self.epochs, self.stop_unknown)

    @property
    def statuses(self) -> Counter[Status]:
        """Records by status, the missing ones included."""
        total: Counter[Status] = Counter()
        for cell in self.cells:
            total.update(cell.statuses)
        return total

    @property
    def families(self) -> dict[str, list[Cell]]:
        """The cells by family, in order of family."""
        groups: dict[str, list[Cell]] = {}
        for cell in self.cells:
            groups.setdefault(cell.item.family, []).append(cell)
        return dict(sorted(groups.items()))


def tabulate(corpus: Corpus, rows: Iterable[GradedRow]) -> Table:
    """Lay the rows over the corpus; the order of the rows does not matter.

    Raises BadInput for a row whose instance the corpus does not have, and for a second row of one
    sample and epoch.
    """
    cells = {item.sample_id: Cell(item, Counter()) for item in corpus.items}
    seen = set()
    stop_unknown = 0
    for row in rows:
        key = (row.sample_id, row.epoch)
        if row.sample_id not in cells or key in seen:
            expected = f"one row per instance of corpus {corpus.name} and epoch"
            raise BadInput("sample_id", row.sample_id, expected)
        seen.add(key)
        stop_unknown += row.stop_unknown
        _add(cells[row.sample_id], row)
    epochs = len({epoch for _, epoch in seen}) or 1
    for cell in cells.values():
        cell.statuses[Status.MISSING] += epochs - cell.statuses.total()
        cell.missing = epochs - cell.scored
    ordered = tuple(cells[sample_id] for sample_id in sorted(cells))
    return Table(ordered, epochs, stop_unknown)


def _add(cell: Cell, row: GradedRow) -> None:
    cell.statuses[row.status] += 1
    if not row.status.is_scored:
        return
    cell.scored += 1
    if row.stated:
        cell.f1 += fixed(2 * row.tp, row.stated + row.n)
    cell.successes += SCALE * row.task_success
    cell.worlds += SCALE * row.world_exact
    cell.actions += SCALE * row.action_correct
    if row.status is Status.ANSWERED:
        cell.tp += row.tp
        cell.stated += row.stated


def family_means(
    groups: Iterable[Sequence[Cell]], epochs: int, total: Sum, missing_as: int = 0
) -> list[int]:
    """Each family's mean in fixed point; what is missing counts as 0 or as 1."""
    return [
        _mean(
            [total(cell) + missing_as * SCALE * cell.missing for cell in cells],
            len(cells) * epochs,
        )
        for cells in groups
    ]


def scored_means(groups: Iterable[Sequence[Cell]], total: Sum) -> list[int]:
    """Each family's mean over what was scored; families without any are left out."""
    values = []
    for cells in groups:
        means = [_mean([total(cell)], cell.scored) for cell in cells if cell.scored]
        if means:
            values.append(_mean(means, len(means)))
    return values


def share(values: Sequence[int]) -> float:
    """The mean of values in fixed point, as a float; there is at least one."""
    return sum(values) / (len(values) * SCALE)


def _mean(values: Sequence[int], count: int) -> int:
    return (2 * sum(values) + count) // (2 * count)
