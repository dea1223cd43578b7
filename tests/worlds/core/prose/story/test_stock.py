from __future__ import annotations

from tests.worlds.core.prose.mill import mill_pack
from worlds.core.prose.story.stock import Stock, sentences_of
from worlds.core.seeds import derive

TEXTS = ("It rained.", "It blew. A door shut.", "{local} went by.")


def stock(seed: int = 1) -> Stock:
    return Stock(mill_pack(), derive(seed, "stock test"), ("Abbot", "Bickley"))


def test_a_text_is_cut_where_a_sentence_ends() -> None:
    assert sentences_of("It rained. Who came? it was I. Yes!") == [
        "It rained.",
        "Who came? it was I.",
        "Yes!",
    ]


def test_every_text_comes_once() -> None:
    held = stock()
    dealt = [held.deal(TEXTS, {"local": "Abbot"}) for _ in range(4)]
    assert sorted(map(str, dealt[:3])) == sorted(
        [str(["It rained."]), str(["It blew.", "A door shut."]), str(["Abbot went by."])]
    )
    assert dealt[3] is None
    assert held.left(TEXTS) == 0


def test_a_text_comes_again_in_other_words_only() -> None:
    held = stock()
    text = ("{local} went by.",)
    told = [held.deal(text, {}), held.deal(text, {}), held.deal(text, {}, again=True)]
    assert told[1] is None
    assert {str(told[0]), str(told[2])} == {"['Abbot went by.']", "['Bickley went by.']"}
    assert held.deal(text, {}, again=True) is None
    held.begin_again()
    assert held.deal(text, {}) is not None


def test_what_is_longer_than_the_room_is_left_for_later() -> None:
    held = stock()
    assert held.deal(("It blew. A door shut.",), {}, most=1) is None
    assert held.deal(("It blew. A door shut.",), {}, most=2) == ["It blew.", "A door shut."]


def test_a_sentence_told_in_one_text_is_not_told_in_another() -> None:
    held = stock()
    assert held.deal(("It rained.",), {}) == ["It rained."]
    assert held.deal(("A cock crew. It rained.",), {}) is None


def test_one_text_is_told_in_any_case() -> None:
    held = stock()
    assert {held.one(("It rained.",), {}) for _ in range(3)} == {"It rained."}


def test_some_are_as_many_as_there_are() -> None:
    assert sorted(stock().some(["A.", "B.", "A."], {}, 5)) == ["A.", "B."]
