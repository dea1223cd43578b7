"""What a solver gains or loses from one condition to another, as paired differences with a test.

The conditions of a family tell of one world and differ in what is said about the task, so they are
compared within families. If a condition made no difference, the two could be exchanged within each
family: the test asks how often the mean difference would then be as far from 0 as it is
(`statistics.sign_flip_p`).

The schema leak is a contrast too: replies that had the contract in the prompt against replies to
the same surfaces that got it in a second turn. A corpus without deferred instances has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from grading.core.metrics import MEANS, Score
from grading.core.pairs import pairs_of
from grading.core.statistics import Bootstrap, sign_flip_p
from grading.core.table import Cell, Table, Unscored, share

__all__ = ["CONTRASTED", "Contrast", "contrasts_of"]

CONTRASTED = ("fact_f1", "task_success")
"""The scores whose differences are tested."""

_CONDITIONS = (("explicit", "implicit"), ("implicit", "formal"), ("explicit", "formal"))

# The same difference as another score of the report has the draws of that score.
_SEEDS = {
    ("fact_f1", "explicit", "implicit"): "retention",
    ("task_success", "explicit", "implicit"): "tax",
}


@dataclass(frozen=True, slots=True)
class Contrast:
    """One score under `first` minus under `second`.

    `p` is None where there is no difference to test, or no family in which the two differ.
    """

    first: str
    second: str
    metric: str
    found: Score | Unscored
    p: float | None


def contrasts_of(bootstrap: Bootstrap, table: Table) -> list[Contrast]:
    """Every difference that the corpus has instances for."""
    return [
        _contrast(bootstrap, metric, first, second, sides)
        for first, second, sides in _sides(table)
        if all(side.cells for side in sides)
        for metric in CONTRASTED
    ]


def _sides(table: Table) -> Iterator[tuple[str, str, tuple[Table, Table]]]:
    for first, second in _CONDITIONS:
        yield first, second, (table.where("condition", first), table.where("condition", second))
    yield "inline", "deferred", _twins(table)


def _twins(table: Table) -> tuple[Table, Table]:
    """The surfaces that stand in the corpus under both contracts, under one and the other."""
    sides = [table.where("contract", contract).cells for contract in ("inline", "deferred")]
    common = set(map(_surface, sides[0])) & set(map(_surface, sides[1]))
    first, second = (
        replace(table, cells=tuple(cell for cell in side if _surface(cell) in common))
        for side in sides
    )
    return first, second


def _surface(cell: Cell) -> tuple[str, str, int | None]:
    return cell.item.family, cell.item.surface, cell.item.burial


def _contrast(
    bootstrap: Bootstrap, metric: str, first: str, second: str, sides: tuple[Table, Table]
) -> Contrast:
    total, scale = MEANS[metric]
    pairs = pairs_of(*sides, total, f"{first} and {second}")
    if isinstance(pairs, Unscored):
        return Contrast(first, second, metric, pairs, None)
    name = _SEEDS.get((metric, first, second), f"{metric} {first}-{second}")
    apart = pairs.differences
    found = Score(
        value=scale * share(apart),
        interval=bootstrap.difference(name, apart).times(scale),
        families=len(apart),
        lower_bound=scale * pairs.least,
        upper_bound=scale * pairs.most,
    )
    p = sign_flip_p(bootstrap.seed(f"{name} exchanged"), apart)
    return Contrast(first, second, metric, found, p)
