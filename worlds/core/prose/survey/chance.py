"""Pearson's chi-square tests, exact to the last step: counts in, a probability out.

The survival function has a closed form for whole degrees of freedom, so neither a table nor a
package is needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["ChiSquare", "even", "picked", "survival"]

_LEAST_EXPECTED = 5.0


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """A statistic with its degrees of freedom; several independent ones add up."""

    statistic: float
    freedom: int

    @property
    def p(self) -> float:
        """How likely chance alone departs as far; 1 where there is nothing to compare."""
        return survival(self.statistic, self.freedom)

    def __add__(self, other: ChiSquare) -> ChiSquare:
        return ChiSquare(self.statistic + other.statistic, self.freedom + other.freedom)


def survival(statistic: float, freedom: int) -> float:
    """The probability that a chi-square variable is at least `statistic`.

    >>> round(survival(3.841458820694124, 1), 9), round(survival(18.307038053275146, 10), 9)
    (0.05, 0.05)
    """
    half = statistic / 2
    if freedom < 1 or half <= 0:
        return 1.0
    # Q(freedom / 2, half): a Poisson tail, which for an odd freedom starts at the half-integers.
    start = (freedom % 2) / 2
    terms = [
        math.exp((start + i) * math.log(half) - half - math.lgamma(start + i + 1))
        for i in range(freedom // 2)
    ]
    tail = math.erfc(math.sqrt(half)) if freedom % 2 else 0.0
    return min(1.0, math.fsum([tail, *terms]))


def even(counts: Sequence[int]) -> ChiSquare:
    """Whether counts spread evenly over their cells; no counts at all say nothing."""
    share = sum(counts) / len(counts) if counts else 0.0
    return _tested((count, share, 0.0) for count in counts)


def picked(cells: Iterable[tuple[int, float, int]]) -> ChiSquare:
    """Whether items were picked alike from every cell: (picked, expected, all there) for each.

    The test of a table of two rows, picked and not picked; the expectations add up to the picks.
    """
    return _tested((found, expected, expected / size) for found, expected, size in cells if size)


def _tested(cells: Iterable[tuple[int, float, float]]) -> ChiSquare:
    """Pearson's statistic over (found, expected, share of the cell); sparse cells are joined.

    A cell that expects fewer than five is put together with the cells after it, the last one with
    those before: the distribution of the statistic is not chi-square otherwise.
    """
    joined: list[list[float]] = []
    waiting = [0.0, 0.0, 0.0]
    for found, expected, share in cells:
        waiting = [waiting[0] + found, waiting[1] + expected, waiting[2] + expected * share]
        if waiting[1] >= _LEAST_EXPECTED:
            joined.append(waiting)
            waiting = [0.0, 0.0, 0.0]
    if waiting[1] and joined:
        joined[-1] = [here + rest for here, rest in zip(joined[-1], waiting, strict=True)]
    terms = [(found - expected) ** 2 / (expected - taken) for found, expected, taken in joined]
    return ChiSquare(math.fsum(terms), max(0, len(joined) - 1))
