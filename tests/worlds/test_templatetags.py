"""Numbers as people read them."""

from __future__ import annotations

import pytest

from worlds.services import Piece
from worlds.services.evidence import Change
from worlds.templatetags.evidence import duration, percent
from worlds.templatetags.pieces import changes, pieces, references


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.0, "1 s"),
        (12.4, "12 s"),
        (89.4, "89 s"),
        (90.0, "2 min"),
        (3540.0, "59 min"),
        (3599.0, "1 h 0 min"),
        (7800.0, "2 h 10 min"),
    ],
)
def test_time_is_told_in_the_units_that_matter(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_a_share_is_told_in_per_cent() -> None:
    assert [percent(share) for share in (0.0, 0.125, 1.0)] == ["0.0 %", "12.5 %", "100.0 %"]


def test_a_clause_is_marked_and_its_text_escaped() -> None:
    plain, clause = Piece("Say <b>: "), Piece("x < y", ("E3",), role="clue", label="E3")
    assert pieces([plain, clause], "beside-") == (
        'Say &lt;b&gt;: <mark class="clue-span" data-unit="E3" data-role="clue" '
        'id="beside-span-E3" data-label="E3">x &lt; y</mark>'
    )


def test_a_clause_says_what_was_asked_of_it() -> None:
    asked = Piece("x", ("E3", "E4"), "clue", contradicted=True, forcing=True, missing=True)
    assert pieces([asked]) == (
        '<mark class="clue-span" data-unit="E3 E4" data-role="clue" data-overlap '
        "data-contradicted data-forcing data-missing><s>x</s></mark>"
    )


def test_references_lead_to_where_units_and_bridges_are_explained() -> None:
    assert references(["E1", "K0"], bridges_at="/certificate/") == (
        '<span class="mono"><a href="#unit-E1" data-unit="E1">E1</a>, '
        '<a href="/certificate/#bridge-K0" data-unit="K0">K0</a></span>'
    )


def test_differences_name_the_other_value_first() -> None:
    assert changes([Change("W-21", true="Pryce", other="<Quill>")]) == (
        '<span><span class="mono">W-21</span> &lt;Quill&gt; (not Pryce)</span>'
    )
