"""The picture of the inference profile: it adds up, and its bars stay inside."""

from __future__ import annotations

import pytest

from tests.worlds.builders import minted
from worlds.core.ids import FamilyId
from worlds.services.minting import Minted
from worlds.services.profile import profile_of


@pytest.mark.parametrize("name", ["chain", "case"])
def test_every_fact_falls_in_one_step(name: str) -> None:
    outcome = minted(FamilyId(name, "L01", "maritime", 7))
    assert isinstance(outcome, Minted)
    first = outcome.instances[0]
    inference = first.certificate["inference"]
    profile = profile_of(first.world, first.certificate)
    assert sum(step.facts for step in profile.steps) == profile.facts == inference["facts"]
    assert profile.steps[-1].so_far == inference["facts"]
    chained = [step for step in profile.steps if step.kind == "chained"]
    assert len(chained) == inference["rounds"]
    assert sum(step.facts for step in chained) == inference["propagated"]


def test_bars_stand_on_the_ground_and_inside_the_picture() -> None:
    outcome = minted(FamilyId("case", "L01", "maritime", 7))
    assert isinstance(outcome, Minted)
    profile = profile_of(outcome.instances[0].world, outcome.instances[0].certificate)
    for step in profile.steps:
        assert step.y + step.height == pytest.approx(profile.ground)
        assert 0 < step.above < profile.ground
        assert step.stated <= step.height
        assert step.x >= 0
        assert step.x + profile.bar <= profile.width
    assert len({step.x for step in profile.steps}) == len(profile.steps)
