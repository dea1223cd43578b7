"""Two solvers over one corpus: by how much they differ, how surely, and who solved what.

Families are the units, as everywhere: a difference is the mean over families of the one solver's
family mean minus the other's, what is missing counted as 0, and its interval resamples families
with the seeds of the score itself, so that it agrees with the tie groups of a board. Beside it
stand the bounds that missing replies leave open, and the difference over the families in which
neither lacks a reply.

The test exchanges the two within families: if they were equally good, the difference of a family
would be as likely to have the other sign. It asks how often the mean difference would then be as
far from 0 as it is (`statistics.sign_flip_p`).

What cannot be said is `Unscored`, with the reason; never NaN.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from grading.core.metrics import MEANS, NO_INSTANCE, NO_REPLY, Unscored
from grading.core.statistics import SCALE, Bootstrap, Interval, sign_flip_p
from grading.core.table import Cell, Sum, Table, family_means, share

__all__ = ["Comparison", "Difference", "Who", "compare"]


class Who(StrEnum):
    """Which of the two solved an instance, in every epoch."""

    BOTH = "both"
    FIRST = "first"
    SECOND = "second"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Difference:
    """One score of the first solver minus that of the second.

    `least` and `most` are what missing replies leave open. `ahead`, `behind` and `equal` count
    families; `p` is the exchange test over them, None where no family tells the two apart.
    `complete` is the difference over `complete_families` alone, None if there are none.
    """

    metric: str
    value: float
    interval: Interval
    families: int
    least: float
    most: float
    ahead: int
    behind: int
    equal: int
    p: float | None
    complete: float | None
    complete_families: int

    @property
    def is_open(self) -> bool:
        """Whether missing replies leave it open."""
        return self.least != self.most


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that is said of two solvers over one part of a corpus.

    `solved` has the sample ids by who solved them; `lacking` are those where a reply of either is
    missing, which counts as not solved.
    """

    differences: tuple[Difference, ...]
    solved: Mapping[Who, tuple[str, ...]]
    lacking: frozenset[str]


def compare(
    bootstrap: Bootstrap, first: Table, second: Table, condition: str = ""
) -> Comparison | Unscored:
    """Compare two tables of one corpus, over one condition or all.

    Raises ValueError for tables of different corpora.
    """
    sides = [
        table.where("condition", condition) if condition else table for table in (first, second)
    ]
    one, other = sides
    if [cell.item for cell in one.cells] != [cell.item for cell in other.cells]:
        raise ValueError("the two tables are not of one corpus")
    if not one.cells:
        return Unscored(NO_INSTANCE)
    if not any(cell.scored for side in sides for cell in side.cells):
        return Unscored(NO_REPLY)
    return Comparison(
        differences=tuple(
            _difference(bootstrap, metric, condition, one, other) for metric in MEANS
        ),
        solved=_solved(one, other),
        lacking=frozenset(
            cell.item.sample_id for side in sides for cell in side.cells if cell.missing
        ),
    )


def _difference(
    bootstrap: Bootstrap, metric: str, condition: str, one: Table, other: Table
) -> Difference:
    total, scale = MEANS[metric]
    firsts, seconds = _means(one, total), _means(other, total)
    apart = [a - b for a, b in zip(firsts, seconds, strict=True)]
    complete = [
        gap
        for gap, *sides in zip(apart, one.families.values(), other.families.values(), strict=True)
        if not any(cell.missing for side in sides for cell in side)
    ]
    ahead, behind = sum(gap > 0 for gap in apart), sum(gap < 0 for gap in apart)
    name = _seed_name(metric, condition)
    return Difference(
        metric=metric,
        value=scale * share(apart),
        interval=bootstrap.difference(name, apart).times(scale),
        families=len(apart),
        least=scale * (share(firsts) - share(_means(other, total, missing_as=1))),
        most=scale * (share(_means(one, total, missing_as=1)) - share(seconds)),
        ahead=ahead,
        behind=behind,
        equal=len(apart) - ahead - behind,
        p=sign_flip_p(bootstrap.seed(f"{name} exchanged"), apart),
        complete=scale * share(complete) if complete else None,
        complete_families=len(complete),
    )


def _means(table: Table, total: Sum, missing_as: int = 0) -> list[int]:
    return family_means(table.families.values(), table.epochs, total, missing_as)


def _seed_name(metric: str, condition: str) -> str:
    """The name by which the score itself is resampled."""
    if (metric, condition) == ("task_success", "implicit"):
        return "intuition"
    return f"{metric} condition={condition}" if condition else metric


def _solved(one: Table, other: Table) -> dict[Who, tuple[str, ...]]:
    found: dict[Who, list[str]] = {who: [] for who in Who}
    for mine, theirs in zip(one.cells, other.cells, strict=True):
        who = _who(_is_solved(mine, one.epochs), _is_solved(theirs, other.epochs))
        found[who].append(mine.item.sample_id)
    return {who: tuple(ids) for who, ids in found.items()}


def _who(first: bool, second: bool) -> Who:
    if first and second:
        return Who.BOTH
    if first:
        return Who.FIRST
    return Who.SECOND if second else Who.NEITHER


def _is_solved(cell: Cell, epochs: int) -> bool:
    return cell.successes == SCALE * epochs
