"""Many worlds, told by their fingerprints and forged in several processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from tests.worlds.core.forge.lexicons import FACTS, LEXICON
from worlds.core.errors import ForgeError
from worlds.core.fingerprint import fingerprint
from worlds.core.forge.pipeline import ATTEMPTS, sample_world
from worlds.core.levels import level_spec
from worlds.core.model import World
from worlds.core.seeds import derive

__all__ = ["Place", "fingerprints"]

_CHUNK = 100


@dataclass(frozen=True)
class Place:
    """What makes a world again: neighbours differ in the seed by one."""

    profile: str
    level: str
    seed: int

    def world(self) -> World:
        """The first world that comes of the seed, not certified."""
        spec = level_spec(self.profile, self.level)
        for attempt in range(ATTEMPTS):
            path = ("world", self.profile, self.level, "plain", attempt)
            try:
                return sample_world(spec, LEXICON, FACTS, derive(self.seed, *path))
            except ForgeError:
                continue
        raise AssertionError(f"no world for {self}")


def fingerprints(places: list[Place]) -> Iterator[tuple[Place, str]]:
    """Every place with the fingerprint of its world, in order."""
    chunks = [places[start : start + _CHUNK] for start in range(0, len(places), _CHUNK)]
    # A fresh interpreter each: the tests' own process has threads that a fork would cut off.
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        for chunk, marks in zip(chunks, pool.map(_marks, chunks), strict=True):
            yield from zip(chunk, marks, strict=True)


def _marks(places: list[Place]) -> list[str]:
    return [fingerprint(place.world()) for place in places]
