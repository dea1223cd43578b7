"""Skeletons: what is left of a text once everything that changes is masked."""

from __future__ import annotations

import pytest

from tests.worlds.core.prose.mill import FACTS, mill_pack, mill_world
from worlds.core.prose.survey.masking import Mask

MASK = Mask(mill_world(), mill_pack(), FACTS)


@pytest.mark.parametrize(
    ("text", "plain", "bare"),
    [
        ("Ashdown dressed stone S-21", "@ dressed stone #", "@ (did) (thing) #"),
        ("SAME PERSON STONE S-21 AND HOPPER H-12", None, "same person (thing) # and (thing) #"),
        (
            "On night N-18 the pond stood at peg 2",
            "on night # the pond stood at peg 0",
            "(when) # (scale) (stood) (at)",
        ),
        (
            "the pond stood two pegs higher on night N-18 than on night N-57",
            "the pond stood 0 pegs higher on night # than on night #",
            "(scale) (stood) 0 (steps) (more) (when) # than (when) #",
        ),
        (
            "Corbett's mug on the Herschel hook, and the hook of the man who discovered Uranus",
            "@'s mug on the @ hook, and the hook of the man who discovered uranus",
            "@'s mug on the @ hook, and the hook of (whom)",
        ),
        ("The Rector, 4 March, retires the 3rd", "the rector, 0 march, retires the 0", None),
        ("Pocock and Ruth stood by; the stoney lane", "@ and @ stood by; the stoney lane", None),
    ],
)
def test_what_changes_is_masked(text: str, plain: str | None, bare: str | None) -> None:
    if plain is not None:
        assert MASK.plain(text) == plain
    if bare is not None:
        assert MASK.bare(MASK.plain(text)) == bare
