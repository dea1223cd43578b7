"""What people come to at a level: how many solved it, and how long they took.

Beside the scores of solvers and not among them: a person solves a few instances and not a corpus,
so the denominator is what was attempted. Where there are too few people there is no number at all,
for it would say little and might say who.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from statistics import median
from typing import Any

__all__ = ["LEAST_PEOPLE", "Solved", "people_lines", "wilson"]

LEAST_PEOPLE = 3
"""With fewer people than this a line holds words and no number."""

_Z = 1.959963984540054
_DECIMALS = 9


@dataclass(frozen=True, slots=True)
class Solved:
    """One finished attempt of one person, with the seconds they worked on it."""

    person: str
    level: str
    condition: str
    success: bool
    seconds: int


def people_lines(attempts: Iterable[Solved]) -> list[dict[str, Any]]:
    """One line for each level and condition that somebody finished an instance of, in order.

    The interval takes attempts as independent; several of one person are not quite.
    """
    groups: dict[tuple[str, str], list[Solved]] = {}
    for attempt in attempts:
        groups.setdefault((attempt.level, attempt.condition), []).append(attempt)
    return [
        {"level": level, "condition": condition, **_line(group)}
        for (level, condition), group in sorted(groups.items())
    ]


def wilson(successes: int, n: int) -> tuple[float, float]:
    """The 95 % score interval of a share, in percent; n is at least 1.

    >>> [round(end, 1) for end in wilson(0, 4)]
    [0.0, 49.0]
    """
    share, square = successes / n, _Z * _Z
    centre = share + square / (2 * n)
    reach = _Z * sqrt(share * (1 - share) / n + square / (4 * n * n))
    scale = 100 / (1 + square / n)
    low = 0.0 if successes == 0 else scale * (centre - reach)
    high = 100.0 if successes == n else scale * (centre + reach)
    return low, high


def _line(group: list[Solved]) -> dict[str, Any]:
    people = len({attempt.person for attempt in group})
    if people < LEAST_PEOPLE:
        return {"people": people, "unscored": f"fewer than {LEAST_PEOPLE} people so far"}
    successes = sum(attempt.success for attempt in group)
    low, high = wilson(successes, len(group))
    return {
        "people": people,
        "attempts": len(group),
        "successes": successes,
        "success": round(100 * successes / len(group), _DECIMALS),
        "low": round(low, _DECIMALS),
        "high": round(high, _DECIMALS),
        "median_minutes": round(median(a.seconds for a in group) / 60, _DECIMALS),
    }
