from __future__ import annotations

from collections import Counter

import pytest

from worlds.core.errors import Unrenderable
from worlds.core.prose.variety import Deck, Spread
from worlds.core.seeds import derive

WORDINGS = tuple(f"wording {i}" for i in range(5))


def test_no_wording_comes_round_while_another_is_unused() -> None:
    spread = Spread(derive(1, "variety"))
    used: Counter[str] = Counter()
    for _ in range(23):
        used[spread.choose(WORDINGS, WORDINGS)] += 1
        assert max(used.values()) - min(used[wording] for wording in WORDINGS) <= 1


def test_options_with_one_key_count_together() -> None:
    spread = Spread(derive(1, "variety"))
    options, keys = ("a forward", "a backward", "b"), ("a", "a", "b")
    chosen = [keys[options.index(spread.choose(options, keys))] for _ in range(10)]
    assert Counter(chosen) == {"a": 5, "b": 5}


def test_a_deck_deals_everything_before_it_repeats() -> None:
    deck = Deck(derive(1, "variety"))
    dealt = [deck.deal("wordings", WORDINGS) for _ in range(10)]
    assert set(dealt[:5]) == set(WORDINGS)
    assert set(dealt[5:]) == set(WORDINGS)


def test_decks_are_kept_apart_by_name() -> None:
    deck = Deck(derive(1, "variety"))
    assert {deck.deal("one", WORDINGS) for _ in range(5)} == set(WORDINGS)
    assert deck.deal("other", ("only",)) == "only"


def test_an_empty_deck_is_a_gap_of_the_pack() -> None:
    with pytest.raises(Unrenderable, match="letter carrier"):
        Deck(derive(1, "variety")).deal("letter carrier", ())
