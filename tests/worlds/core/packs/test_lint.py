from __future__ import annotations

import pytest

from worlds.core.packs.lint import article_fits, lint


@pytest.mark.parametrize(
    ("article", "word"),
    [
        ("an", "hour"),
        ("a", "European"),
        ("an", "MS"),
        ("a", "one-pound"),
        ("an", "umbrella"),
        ("a", "unit"),
        ("an", "unimportant"),
        ("a", "ewe"),
        ("an", "honest"),
        ("a", "house"),
        ("an", "11th"),
        ("an", "8th"),
        ("a", "2nd"),
        ("an", "X-ray"),
        ("a", "U-boat"),
        ("An", "Amundsen"),
        ("a", "Mulcahy"),
    ],
)
def test_articles_go_by_sound(article: str, word: str) -> None:
    assert article_fits(article, word)
    assert not article_fits("a" if article.lower() == "an" else "an", word)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("He ate a apple.", "a or an"),
        ("She waited an hour and a hour.", "a or an"),
        ("It was the the cat.", "a doubled word"),
        ("The The cat.", "a doubled word"),
        ("Two  blanks.", "two blanks in a row"),
        ("A blank , here.", "a blank before a mark"),
        ("Ends.. twice.", "doubled marks"),
        ("So,, it goes.", "doubled marks"),
        ("Left {open}.", "a leftover brace"),
        ("Done. then more.", "no capital after a full stop"),
        ("Trailing \nblank.", "a blank at a line's end"),
        ("One.\n\nTwo.", "an empty line"),
        ("Tab\there.", "a carriage return or tab"),
        ("Cafe\u0301.", "not NFC"),
    ],
)
def test_what_is_wrong_is_told(text: str, told: str) -> None:
    assert any(told in finding for finding in lint(text))


@pytest.mark.parametrize(
    "text",
    [
        "Q. You were there? A. An hour and a half.",
        "He had had enough, and so, so late.",
        "Mr. brown paper is a joke; St. bees, viz. bees, P.p. the Stores.",
        "… and then it rained.",
        "A. A man. Élodie’s café — berth four.",
        "",
    ],
)
def test_sound_text_has_no_findings(text: str) -> None:
    assert lint(text) == ()


def test_capitals_hide_articles_but_not_blanks() -> None:
    assert lint("SEND A APPLE stop", loud=True) == ()
    assert lint("SEND  APPLES", loud=True) != ()
