"""Whether a solver refuses one condition more than another.

A record counts as refused when the model refused or the provider filtered it. If that happened more
under one condition, a comparison of conditions compares what was let through; so the report tests
it: the conditions are permuted among the instances of each family (`statistics.permutation_p`), as
the instances of a family tell of one world and differ in nothing else. Failed and missing records
are no refusals: they say nothing of what was asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grading.core.statistics import Bootstrap, permutation_p
from grading.core.statuses import Status
from grading.core.table import Cell, Table

__all__ = ["NAME", "Refusals", "refusals"]

NAME = "refusal"
"""What the seed of the permutations is derived from, beside the corpus."""


@dataclass(frozen=True, slots=True)
class Refusals:
    """Refused and expected records by condition, and the p value; None where nothing can be told.

    `note` says why there is no p value.
    """

    counts: Mapping[str, tuple[int, int]]
    p: float | None
    note: str = ""


def refusals(bootstrap: Bootstrap, table: Table) -> Refusals:
    """Count them and test them."""
    conditions = sorted({cell.item.condition for cell in table.cells})
    counts = {
        condition: (
            sum(_refused(cell) for cell in cells),
            table.epochs * len(cells),
        )
        for condition in conditions
        for cells in [table.where("condition", condition).cells]
    }
    refused = sum(count for count, _ in counts.values())
    if not refused:
        return Refusals(counts, None, "no reply was refused or filtered")
    if len(conditions) < 2:
        return Refusals(counts, None, "the corpus has one condition")
    families = [
        (
            [conditions.index(cell.item.condition) for cell in cells],
            [_refused(cell) for cell in cells],
        )
        for cells in table.families.values()
    ]
    sizes = [expected for _, expected in counts.values()]
    return Refusals(counts, permutation_p(bootstrap.seed(NAME), families, sizes))


def _refused(cell: Cell) -> int:
    return cell.statuses[Status.REFUSED] + cell.statuses[Status.FILTERED]
