"""One fingerprint for all worlds that differ in names and order only."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.worlds.core.forge.lexicons import FACTS, LEXICON
from worlds.core.codec import read_world, truth_payload
from worlds.core.constraints import Arithmetic, Constraint
from worlds.core.errors import ForgeError
from worlds.core.fingerprint import fingerprint
from worlds.core.forge.pipeline import sample_world
from worlds.core.levels import CHAIN
from worlds.core.model import World
from worlds.core.seeds import derive


def _world(path: int, level: str = "L01") -> World:
    for attempt in range(60):
        try:
            return sample_world(CHAIN[level], LEXICON, FACTS, derive(path, level, attempt))
        except ForgeError:
            continue
    raise AssertionError("no world in 60 attempts")


def _renamed(value: Any, names: dict[str, str]) -> Any:
    """The same JSON with every string that is a key of `names` replaced, keys included."""
    match value:
        case str():
            return names.get(value, value)
        case list():
            return [_renamed(item, names) for item in value]
        case dict():
            return {_renamed(k, names): _renamed(v, names) for k, v in value.items()}
    return value


@pytest.mark.parametrize("path", range(6))
def test_renaming_and_reordering_change_nothing(path: int) -> None:
    world = _world(path)
    stream = derive(path, "rename")
    truth = truth_payload(world)
    ids = [v.id for v in world.variables]
    names = [value for d in world.domains if not d.is_ordinal for value in d.values]
    other = {
        **dict(zip(ids, stream.shuffled(ids), strict=True)),
        **dict(zip(names, (f"Other{i}" for i in range(len(names))), strict=True)),
    }
    renamed = _renamed(truth, {k: str(v) for k, v in other.items()})
    renamed["units"] = stream.shuffled(renamed["units"])
    renamed["variables"] = stream.shuffled(renamed["variables"])
    assert fingerprint(read_world(renamed)) == fingerprint(world)


def test_a_changed_clue_changes_the_fingerprint() -> None:
    world = _world(1, "L02")
    for unit in world.clues:
        changed = _changed(unit.constraint)
        if changed is not None:
            units = tuple(replace(u, constraint=changed) if u == unit else u for u in world.units)
            assert fingerprint(replace(world, units=units)) != fingerprint(world)
            return
    raise AssertionError("the world has no arithmetic clue")


def _changed(constraint: Constraint | None) -> Constraint | None:
    if isinstance(constraint, Arithmetic):
        return replace(constraint, k=constraint.k + 1)
    return None


def test_different_seeds_have_different_fingerprints() -> None:
    marks = {fingerprint(_world(path, "L00")) for path in range(60)}
    assert len(marks) == 60
