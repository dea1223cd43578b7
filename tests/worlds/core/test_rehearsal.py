"""Whole records written with a pack, as the last check of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from worlds.core.bridges import bank
from worlds.core.packs import Pack, genres, pack
from worlds.core.rehearsal import rehearsal_findings


@pytest.mark.parametrize("genre", genres())
def test_every_genre_writes_whole_records(genre: str) -> None:
    assert [str(finding) for finding in rehearsal_findings(pack(genre), bank())] == []


def _without(part: str) -> Pack:
    maritime = pack("maritime")
    if part == "notices":
        shapes = tuple(shape for shape in maritime.shapes if shape.channel != "letter")
        return replace(maritime, shapes=shapes)
    orders = replace(maritime.orders, scales=(replace(maritime.orders.scales[0], text=part),))
    return replace(maritime, orders=orders)


@pytest.mark.parametrize(
    ("part", "told"),
    [
        ("notices", "the pack has no letter"),
        (
            "{subject} {verb} at one {step}, from {low} to {high}, for {whole}.",
            "does not say which end is the lowest",
        ),
    ],
)
def test_what_goes_wrong_in_a_record_is_a_gap(part: str, told: str) -> None:
    found = [str(finding) for finding in rehearsal_findings(_without(part), bank())]
    assert any(told in finding for finding in found), found
    assert all(finding.startswith(("a record of L0", "a story of L0")) for finding in found)


def test_a_line_of_the_story_that_states_something_is_a_gap() -> None:
    maritime = pack("maritime")
    told = [
        f"It was {name} who {role.past} {role.noun} {role.letter}-10."
        for role in maritime.lexicon.roles
        for name in maritime.lexicon.names[:3]
    ]
    story = replace(maritime.story, beat=(*maritime.story.beat, *told))
    found = [str(finding) for finding in rehearsal_findings(replace(maritime, story=story), bank())]
    assert any("states something" in finding for finding in found)
