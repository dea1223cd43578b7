"""Papers cut at the borders of spans, and nothing told to those who may not know."""

from __future__ import annotations

from worlds.core.instance import Document, Span
from worlds.models import Instance
from worlds.services.instances import documents_of
from worlds.services.papers import Piece, around_papers, clauses_of, papers_of

ROLES = {"E1": "clue", "E2": "distractor"}


def _paper(text: str, *spans: Span) -> Document:
    return Document("D1", 1, "letter", "Letter", text, spans)


def test_pieces_are_cut_at_the_spans() -> None:
    paper = _paper("Dear M., it rains. Your A.", Span("E1", 9, 18))
    (shown,) = papers_of([paper], roles=ROLES)
    assert shown.pieces == (
        Piece("Dear M., "),
        Piece("it rains.", ("E1",), "clue", "E1"),
        Piece(" Your A."),
    )


def test_positions_count_code_points() -> None:
    (shown,) = papers_of([_paper("🏛️ é: rain", Span("E1", 5, 9))], roles=ROLES)
    assert [piece.text for piece in shown.pieces] == ["🏛️ é:", " rai", "n"]


def test_overlap_becomes_a_piece_of_both_and_each_unit_is_labelled_once() -> None:
    paper = _paper("abcdefgh", Span("E1", 0, 5), Span("E2", 3, 8))
    (shown,) = papers_of([paper], roles=ROLES)
    assert [(p.text, p.units, p.label) for p in shown.pieces] == [
        ("abc", ("E1",), "E1"),
        ("de", ("E1", "E2"), "E2"),
        ("fgh", ("E2",), ""),
    ]


def test_contradicted_unit_is_marked_in_all_its_pieces() -> None:
    paper = _paper("abcdefgh", Span("E1", 0, 5), Span("E2", 3, 8))
    (shown,) = papers_of([paper], roles=ROLES, contradicted={"E2"})
    assert [piece.contradicted for piece in shown.pieces] == [False, True, True]


def test_without_roles_nothing_tells_where_a_clause_stands(implicit: Instance) -> None:
    documents = documents_of(implicit.documents)
    for document, paper in zip(documents, papers_of(documents), strict=True):
        assert paper.pieces == (Piece(document.text),)


def test_pieces_joined_are_the_text(implicit: Instance) -> None:
    documents = documents_of(implicit.documents)
    roles = {span.unit: "clue" for document in documents for span in document.spans}
    for document, paper in zip(documents, papers_of(documents, roles=roles), strict=True):
        assert "".join(piece.text for piece in paper.pieces) == document.text


def test_opening_and_contract_stand_around_the_papers(implicit: Instance) -> None:
    before, after = around_papers(implicit.prompt, documents_of(implicit.documents))
    assert before.startswith("You have been given the complete record")
    assert after.startswith("Reply with one JSON object")
    assert implicit.prompt.startswith(before)
    assert implicit.prompt.endswith(after)


def test_prompt_without_papers_is_all_before() -> None:
    assert around_papers("DOMAINS …", []) == ("DOMAINS …", "")


def test_prompt_that_does_not_hold_its_papers_shows_nothing_around_them() -> None:
    assert around_papers("something else", [_paper("text")]) == ("", "")


def test_a_story_is_one_paper_in_paragraphs_and_its_heading_is_not_shown() -> None:
    text = "He rose.\nIt rained.\nHe said so."
    (shown,) = papers_of([_paper(text, Span("E1", 9, 19))], roles=ROLES, story=True)
    assert (shown.channel, shown.heading, shown.name) == ("story", "", "the story")
    assert shown.paragraphs == (
        (Piece("He rose."),),
        (Piece("It rained.", ("E1",), "clue", "E1"),),
        (Piece("He said so."),),
    )
    (unlit,) = papers_of([_paper(text)], story=True)
    assert [piece.text for (piece,) in unlit.paragraphs] == text.split("\n")


def test_a_paper_is_one_paragraph_whatever_its_lines() -> None:
    (shown,) = papers_of([_paper("Soap.\nCandles.")])
    assert shown.paragraphs == (shown.pieces,)
    assert shown.name == "paper 1"


def test_what_forces_and_what_is_missing_is_marked_in_all_its_pieces() -> None:
    paper = _paper("abcdefgh", Span("E1", 0, 5), Span("E2", 3, 8))
    (shown,) = papers_of([paper], roles=ROLES, forcing={"E1"}, missing="E2")
    assert [piece.forcing for piece in shown.pieces] == [True, True, False]
    assert [piece.missing for piece in shown.pieces] == [False, True, True]


def test_clauses_are_the_words_at_their_spans(implicit: Instance) -> None:
    documents = documents_of(implicit.documents)
    clauses = clauses_of(documents)
    for document in documents:
        for span in document.spans:
            assert clauses[span.unit] == document.text[span.start : span.end]
