"""The formal surface cut into sections and lines, each with the unit that it writes down."""

from __future__ import annotations

import pytest

from worlds.core.prose.formal import SECTIONS
from worlds.models import Corpus, Instance
from worlds.services.instances import world_of
from worlds.services.notation import notation_lines, notation_of
from worlds.services.papers import Marking, Piece


@pytest.fixture
def formal(corpus: Corpus) -> Instance:
    return corpus.instances.with_truth().in_condition("formal").reading_order()[0]


def test_every_clue_and_both_rules_have_their_line(formal: Instance) -> None:
    world = world_of(formal.family)
    roles = {unit.id: unit.role for unit in world.units}
    _, papers, _ = notation_of(formal.prompt, notation_lines(world), Marking(roles))
    told = {
        piece.label: (paper.heading, piece.role)
        for paper in papers
        for piece in paper.pieces
        if piece.label
    }
    expected = {unit.id: ("CONSTRAINTS", "clue") for unit in world.clues}
    expected |= {
        unit.id: ("RULES", unit.role)
        for unit in world.units
        if unit.role in ("policy", "provisional")
    }
    assert told == expected


def test_sections_and_what_surrounds_them_are_the_whole_prompt(formal: Instance) -> None:
    world = world_of(formal.family)
    roles = {unit.id: unit.role for unit in world.units}
    for marking in (None, Marking(roles)):
        before, papers, after = notation_of(formal.prompt, notation_lines(world), marking)
        assert tuple(paper.heading for paper in papers) == SECTIONS
        sections = [
            f"{paper.heading}\n{''.join(piece.text for piece in paper.pieces)}" for paper in papers
        ]
        assert "\n\n".join([before, *sections, after]) == formal.prompt
        assert after.startswith("Reply with one JSON object")


def test_without_marking_nothing_tells_the_lines_apart(formal: Instance) -> None:
    _, papers, _ = notation_of(formal.prompt, {}, None)
    assert all(len(paper.pieces) == 1 and not paper.pieces[0].units for paper in papers)


def test_lines_that_force_and_that_are_missing_are_marked() -> None:
    marking = Marking({"E1": "clue", "E2": "clue"}, forcing=("E1",), missing="E2")
    prompt = "A record.\n\nCONSTRAINTS\nA-1 = B-2\nB-2 = 3"
    _, (paper,), after = notation_of(prompt, {"A-1 = B-2": "E1", "B-2 = 3": "E2"}, marking)
    assert paper.pieces == (
        Piece("A-1 = B-2", ("E1",), "clue", "E1", forcing=True),
        Piece("\n"),
        Piece("B-2 = 3", ("E2",), "clue", "E2", missing=True),
    )
    assert after == ""


def test_prompt_in_another_form_is_all_before() -> None:
    assert notation_of("Dear M.,\n\nit rains.", {}, None) == ("Dear M.,\n\nit rains.", (), "")
