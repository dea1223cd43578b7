"""No draw, clock or token but the seed's own: everything else raises while instances are minted."""

from __future__ import annotations

import os
import random
import secrets
import time
import uuid
from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest

from worlds.core import packs
from worlds.core.codec import encode_instance
from worlds.core.ids import FamilyId
from worlds.core.levels import available_levels, available_profiles
from worlds.core.mint import SURFACES, forge_family, mint_family

_CLOCKS = ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns")
_TOKENS = ("uuid1", "uuid4")


class Touched(Exception):
    """Something that differs from run to run was asked."""


def _functions(module: ModuleType) -> list[str]:
    """The public functions of a module; in `random` and `numpy.random`, methods of a hidden one."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and callable(value) and not isinstance(value, type)
    ]


@pytest.fixture
def no_chance(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make every source of chance and time raise, and forget what was minted before."""
    for cached in (forge_family, packs.pack, packs.genres):
        cached.cache_clear()
    targets = [
        *((random, name) for name in (*_functions(random), "_urandom")),
        *((np.random, name) for name in _functions(np.random)),
        *((secrets, name) for name in _functions(secrets)),
        *((uuid, name) for name in _TOKENS),
        *((time, name) for name in _CLOCKS),
        (os, "urandom"),
    ]
    with monkeypatch.context() as patch:
        for module, name in targets:
            patch.setattr(module, name, _raising(f"{module.__name__}.{name}"))
        yield


def _raising(name: str) -> object:
    def touch(*_: object, **__: object) -> None:
        raise Touched(name)

    return touch


def _minted(profile: str, level: str, genre: str, seed: int) -> list[str]:
    family = FamilyId(profile, level, genre, seed)
    return [
        encode_instance(instance)
        for instance in mint_family(family, [family.instance(*surface) for surface in SURFACES])
    ]


@pytest.mark.usefixtures("no_chance")
def test_what_must_not_be_asked_raises() -> None:
    asked = (random.getrandbits, np.random.rand, secrets.token_hex, uuid.uuid4, time.time)
    for ask in asked:
        with pytest.raises(Touched):
            ask()


@pytest.mark.usefixtures("no_chance")
@pytest.mark.parametrize("profile", available_profiles())
@pytest.mark.parametrize("level", ["L00", "L02"])
def test_small_instances_are_minted_without_chance(profile: str, level: str) -> None:
    for seed, genre in enumerate(packs.genres()[:3]):
        assert len(_minted(profile, level, genre, seed)) == len(SURFACES)


@pytest.mark.usefixtures("no_chance")
def test_attempts_that_die_and_come_again_ask_no_chance() -> None:
    families = [FamilyId("case", "L02", "maritime", seed) for seed in range(12)]
    attempts = {family.seed: forge_family(family).attempts for family in families}
    assert max(attempts.values()) > 1


@pytest.mark.slow
@pytest.mark.usefixtures("no_chance")
@pytest.mark.parametrize("profile", available_profiles())
@pytest.mark.parametrize("level", available_levels("chain"))
def test_instances_of_every_level_and_genre_are_minted_without_chance(
    profile: str, level: str
) -> None:
    for seed, genre in enumerate(packs.genres()):
        assert len(_minted(profile, level, genre, seed)) == len(SURFACES)
