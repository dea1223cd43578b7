from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worlds.core.errors import SpanLost
from worlds.core.instance import Document, Span
from worlds.core.prose.spans import (
    Segment,
    at_grapheme,
    cut,
    segments,
)


def paper(text: str, *spans: tuple[str, int, int]) -> Document:
    return Document("D1", 1, "letter", "Letter", text, tuple(Span(*span) for span in spans))


def test_spans_count_code_points_not_bytes() -> None:
    text = "Élodie’s café — berth 4. Halden kept the Juno."
    quote = "Halden kept the Juno"
    start = text.index(quote)
    assert segments(paper(text, ("E1", start, start + len(quote)))) == (
        Segment("Élodie’s café — berth 4. ", ()),
        Segment(quote, ("E1",)),
        Segment(".", ()),
    )


def test_overlapping_and_nested_spans_become_flat_stretches() -> None:
    text = "abcdefghijklmnopqrstuvwxyz0123"
    found = segments(paper(text, ("E1", 0, 20), ("E2", 5, 12), ("E3", 10, 30)))
    assert found == (
        Segment("abcde", ("E1",)),
        Segment("fghij", ("E1", "E2")),
        Segment("kl", ("E1", "E2", "E3")),
        Segment("mnopqrst", ("E1", "E3")),
        Segment("uvwxyz0123", ("E3",)),
    )


def test_two_units_may_share_one_stretch() -> None:
    assert segments(paper("abc", ("E2", 0, 2), ("E1", 0, 2)))[0] == Segment("ab", ("E1", "E2"))


@pytest.mark.parametrize("span", [(10, 10), (28, 35), (-1, 4), (12, 5)])
def test_an_empty_or_outlying_span_is_refused(span: tuple[int, int]) -> None:
    with pytest.raises(SpanLost, match="E1"):
        segments(paper("abcdefghijklmnopqrstuvwxyz0123", ("E1", *span)))


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("E\u0301lodie", 1),
        ("ok \U0001f469\u200d\U0001f692", 4),
        ("ok \U0001f469\u200d\U0001f692", 5),
    ],
)
def test_a_span_may_not_cut_a_grapheme(text: str, end: int) -> None:
    assert not at_grapheme(text, end)
    with pytest.raises(SpanLost, match="E1"):
        segments(paper(text, ("E1", 0, end)))


@given(st.text(min_size=1), st.data())
def test_stretches_join_to_the_text_and_carry_their_units(text: str, data: st.DataObject) -> None:
    places = st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))
    drawn = data.draw(st.lists(places.filter(lambda place: place[0] < place[1]), max_size=4))
    spans = [Span(f"E{i}", start, end) for i, (start, end) in enumerate(drawn)]
    found = cut(text, spans)
    assert "".join(segment.text for segment in found) == text
    for span in spans:
        marked = "".join(segment.text for segment in found if span.unit in segment.units)
        assert marked == text[span.start : span.end]


def test_a_text_without_spans_is_one_stretch() -> None:
    assert segments(paper("abc")) == (Segment("abc", ()),)


def test_markup_in_a_clause_is_only_text() -> None:
    text = "Said: <img src=x onerror=alert(1)> & done."
    assert "".join(s.text for s in segments(paper(text, ("E1", 6, 34)))) == text
