"""Random streams that depend on a seed and a path, and on nothing else.

`random.Random.random()` is the only method whose sequence Python keeps from version to version,
so every choice here is built on it. Streams with different paths are independent: their states
come from a hash of the path, never from arithmetic on the seed, so neighbouring seeds share
nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from random import Random
from typing import TypeVar

from worlds.core.errors import BadInput

__all__ = ["MAX_SEED", "Stream", "check_seed", "derive", "derive_seed"]

T = TypeVar("T")

MAX_SEED = 2**53 - 1
"""The largest seed: the largest integer that JSON and JavaScript keep exactly."""


class Stream:
    """A seeded source of choices whose sequence is the same on every Python version."""

    __slots__ = ("_random",)

    def __init__(self, state: int) -> None:
        self._random = Random(state).random  # noqa: S311 - not for secrets

    def random(self) -> float:
        """A float in [0, 1)."""
        return self._random()

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self._random() < probability

    def below(self, limit: int) -> int:
        """An integer in 0 … limit-1; `limit` must be at least 1."""
        if limit < 1:
            raise ValueError(f"below({limit}) has nothing to choose from")
        return int(self._random() * limit)

    def between(self, low: int, high: int) -> int:
        """An integer in low … high, both included."""
        return low + self.below(high - low + 1)

    def choice(self, options: Sequence[T]) -> T:
        """One of the options, each equally likely."""
        return options[self.below(len(options))]

    def weighted(self, options: Sequence[T], weights: Sequence[float]) -> T:
        """One of the options, likely in proportion to its weight (some weight positive)."""
        point = self._random() * sum(weights)
        chosen = None
        for option, weight in zip(options, weights, strict=True):
            if weight <= 0:
                continue
            chosen = option
            point -= weight
            if point < 0:
                break
        if chosen is None:
            raise ValueError("weighted() needs a positive weight")
        return chosen

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a new random order (Fisher–Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """`count` different items in random order; all of them when there are fewer."""
        return self.shuffled(items)[:count]


def derive_seed(seed: int, *path: str | int) -> int:
    """An integer seed in 0 … MAX_SEED for the sub-stream named by `path`."""
    return int.from_bytes(_digest(seed, path)[:8], "big") >> 11


def derive(seed: int, *path: str | int) -> Stream:
    """The stream named by `path` under `seed`, e.g. `derive(7, "family", 17, "surface", 2)`."""
    return Stream(int.from_bytes(_digest(seed, path), "big"))


def check_seed(seed: object, field: str = "seed") -> int:
    """Return the seed if it is an integer in 0 … 2⁵³−1; raise BadInput otherwise."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
        raise BadInput(field, seed, f"a whole number from 0 to {MAX_SEED}")
    return seed


def _digest(seed: int, path: tuple[str | int, ...]) -> bytes:
    # JSON keeps "1" and 1 apart and cannot run two path parts into one.
    name = json.dumps(["enigmaforge", seed, *path], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(name.encode("ascii")).digest()
