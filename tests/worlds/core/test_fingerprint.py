"""One fingerprint for all worlds that differ in names and order only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.worlds.core.builders import clue, observatory, with_units
from tests.worlds.core.crowd import Place, fingerprints
from tests.worlds.core.isomorphism import are_isomorphic
from worlds.core.codec import read_world, truth_payload
from worlds.core.constraints import Arithmetic, Inequality, Literal
from worlds.core.fingerprint import fingerprint
from worlds.core.model import World
from worlds.core.policy import Branch, Policy, Rule
from worlds.core.seeds import derive

CROWD = {
    ("chain", "L00"): 8_000,
    ("chain", "L01"): 4_000,
    ("chain", "L02"): 2_500,
    ("case", "L00"): 3_000,
    ("case", "L01"): 1_500,
    ("case", "L02"): 1_000,
}


def _world(seed: int, level: str = "L01") -> World:
    return Place("chain", level, seed).world()


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


def _in_other_words(world: World, seed: int) -> World:
    """The same world with other names and other numbers, in another order."""
    truth, stream = truth_payload(world), derive(seed, "rename")
    ids = [v.id for v in world.variables]
    names = [value for d in world.domains if not d.is_ordinal for value in d.values]
    other = {
        **dict(zip(ids, stream.shuffled(ids), strict=True)),
        **dict(zip(names, (f"Other{i}" for i in range(len(names))), strict=True)),
    }
    renamed = _renamed(truth, {k: str(v) for k, v in other.items()})
    renamed["units"] = stream.shuffled(renamed["units"])
    renamed["variables"] = stream.shuffled(renamed["variables"])
    return read_world(renamed)


@pytest.mark.parametrize("seed", range(6))
def test_renaming_and_reordering_change_nothing(seed: int) -> None:
    world = _world(seed)
    other = _in_other_words(world, seed)
    assert fingerprint(other) == fingerprint(world)
    assert are_isomorphic(other, world)


def test_a_changed_clue_changes_the_fingerprint() -> None:
    world = _world(1, "L02")
    changed = _with_another_distance(world)
    assert fingerprint(changed) != fingerprint(world)
    assert not are_isomorphic(changed, world)


def _with_another_distance(world: World) -> World:
    for unit in world.clues:
        if isinstance(unit.constraint, Arithmetic):
            other = replace(unit.constraint, k=unit.constraint.k + 1)
            return with_units(world, replace(unit, constraint=other))
    raise AssertionError("the world has no arithmetic clue")


def test_matching_tells_apart_what_a_fingerprint_cannot() -> None:
    # Every term stands as often in the one as in the other. (None of these has a solution.)
    ring = _ring([("V0", "V1"), ("V1", "V2"), ("V2", "V3"), ("V3", "V0")])
    other_ring = _ring([("V1", "V0"), ("V3", "V1"), ("V2", "V3"), ("V0", "V2")])
    pairs = _ring([("V0", "V1"), ("V1", "V0"), ("V2", "V3"), ("V3", "V2")])
    assert fingerprint(ring) == fingerprint(other_ring) == fingerprint(pairs)
    assert are_isomorphic(ring, other_ring)
    assert not are_isomorphic(ring, pairs)


def _ring(links: Sequence[tuple[str, str]]) -> World:
    """Some heights and nothing known of them but which is lower than which."""
    world = observatory()
    clues = [clue(f"E{i}", Inequality("<", a, right=b)) for i, (a, b) in enumerate(links)]
    steps = [replace(v, domain="notches") for v in world.variables[:5]]
    rule = Rule((Literal("V4", "!=", 9),), *(Branch("hold", "V4", "V4") for _ in range(2)))
    return replace(
        world,
        variables=tuple(steps),
        units=tuple(clues),
        bridges=(),
        policy=Policy(rule, rule),
        solution=dict.fromkeys((step.id for step in steps), 1),
    )


def test_different_seeds_have_different_fingerprints() -> None:
    assert len({fingerprint(_world(seed, "L00")) for seed in range(60)}) == 60


@pytest.mark.slow
def test_twenty_thousand_worlds_share_a_fingerprint_only_if_they_are_one() -> None:
    places = [Place(*kind, seed) for kind, count in CROWD.items() for seed in range(count)]
    assert len(places) == 20_000
    first: dict[str, Place] = {}
    for place, mark in fingerprints(places):
        same = first.setdefault(mark, place)
        if same != place:
            assert are_isomorphic(same.world(), place.world())
            assert (same.profile, same.level) != (place.profile, place.level) or (
                abs(same.seed - place.seed) > 1
            ), "neighbouring seeds share a world"
