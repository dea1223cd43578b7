"""Measure contenders in turn: A B, A B on the same task, in processor time.

A contender is a function that prepares the task and returns a function that does it; both halves
are timed. Processor time does not count the waiting while other processes run; that they empty the
caches meets both sides alike. Of its rounds the best counts, since disturbance only adds.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import process_time
from typing import TypeVar

__all__ = ["Contender", "Lap", "race"]

T = TypeVar("T")

Contender = Callable[[], Callable[[], T]]


@dataclass(frozen=True, slots=True)
class Lap:
    """Seconds of processor time: to prepare a task, and to do it."""

    preparing: float
    doing: float

    @property
    def total(self) -> float:
        """Both together."""
        return self.preparing + self.doing


def race(
    contenders: Mapping[str, Contender[T]],
    rounds: int,
    clock: Callable[[], float] = process_time,
) -> tuple[dict[str, Lap], dict[str, T]]:
    """Each contender's best lap, and what it found in the last round."""
    laps: dict[str, Lap] = {}
    found: dict[str, T] = {}
    for _ in range(rounds):
        for name, prepare in contenders.items():
            # Nobody pays for what the one before has left behind.
            gc.collect()
            start = clock()
            do = prepare()
            middle = clock()
            found[name] = do()
            lap = Lap(middle - start, clock() - middle)
            # What it has made goes now, and not while the next one prepares.
            del do
            if name not in laps or lap.total < laps[name].total:
                laps[name] = lap
    return laps, found
