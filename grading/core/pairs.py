"""Two parts of a corpus against each other, paired by family.

A family is compared when both parts of it have every reply: a missing reply must never look like a
difference, or like none. Beside the complete families stand the bounds over all of them, for
everything that is missing falling out one way or the other.
"""

from __future__ import annotations

from dataclasses import dataclass

from grading.core.table import Sum, Table, Unscored, family_means, share

__all__ = ["Pairs", "pairs_of"]


@dataclass(frozen=True, slots=True)
class Pairs:
    """The means of both parts for each complete family, in fixed point.

    `least` and `most` are the mean differences first − second that missing replies leave open.
    """

    firsts: tuple[int, ...]
    seconds: tuple[int, ...]
    least: float
    most: float

    @property
    def differences(self) -> list[int]:
        """First − second for each complete family."""
        return [a - b for a, b in zip(self.firsts, self.seconds, strict=True)]


def pairs_of(first: Table, second: Table, total: Sum, words: str) -> Pairs | Unscored:
    """Pair two parts of one table; `words` name them, as in "explicit and implicit"."""
    sides = (first.families, second.families)
    both = [family for family in sides[0] if family in sides[1]]
    if not both:
        return Unscored(f"no family has {words} instances")
    complete = [
        family
        for family in both
        if not any(cell.missing for side in sides for cell in side[family])
    ]
    if not complete:
        return Unscored(f"no family has all its {words} replies")

    def means(side: int, families: list[str], missing_as: int = 0) -> list[int]:
        groups = [sides[side][family] for family in families]
        return family_means(groups, first.epochs, total, missing_as)

    return Pairs(
        firsts=tuple(means(0, complete)),
        seconds=tuple(means(1, complete)),
        least=share(means(0, both)) - share(means(1, both, missing_as=1)),
        most=share(means(0, both, missing_as=1)) - share(means(1, both)),
    )
