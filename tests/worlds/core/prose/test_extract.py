from __future__ import annotations

import pytest

from tests.worlds.core.prose.mill import APPLE, FACTS, mill_pack, mill_world
from worlds.core.constraints import Equality, Implication, Literal
from worlds.core.policy import Branch, Rule
from worlds.core.prose.extract import Closure, Order, OwnVoice, Scale, extract
from worlds.core.prose.grammar import Grammar


def found(text: str, channel: str = "letter") -> list[tuple[str, str, object]]:
    grammar = Grammar.of_world(mill_world(), mill_pack(), FACTS)
    return [(s.role, text[s.start : s.end], s.meaning) for s in extract(text, channel, grammar)]


def test_the_longer_statement_wins() -> None:
    rule = "if it was Ashdown who dressed stone S-21, then hopper H-12 was filled by Corbett"
    meaning = Implication.of(Literal("S-21", "=", "Ashdown"), Literal("H-12", "=", "Corbett"))
    assert found(f"Mind you, {rule}. Good night.") == [("clue", rule, meaning)]


def test_a_report_spans_its_hedge() -> None:
    report = "Pocock has it that Ashdown dressed stone S-21"
    meaning = Equality("S-21", value="Ashdown")
    assert found(f"Well. {report}, and there is an end.") == [("distractor", report, meaning)]


def test_a_clue_and_a_report_in_one_paper_stay_apart() -> None:
    text = "Ashdown dressed stone S-21. The sexton says that Corbett filled hopper H-12."
    assert [role for role, _, _ in found(text)] == ["clue", "distractor"]


def test_positions_count_code_points() -> None:
    text = "Élodie’s café — \U0001f6a2. Ashdown dressed stone S-21."
    assert [clause for _, clause, _ in found(text)] == ["Ashdown dressed stone S-21"]


def test_colour_states_nothing() -> None:
    assert found("The cat has kittened, and Pocock sends his love.") == []


def test_a_frame_is_read_in_a_notice_only() -> None:
    text = (
        "Each stone was dressed and each hopper filled by one person only of the hands of the "
        "mill, and those are Ashdown and Corbett. The pond stood at one peg for the whole of a "
        "night: 1 is the lowest, 4 the highest, in whole pegs. Trust what is told here in the "
        "teller's own voice, for it is true; what he reports of others may be true or false. You "
        "may use what every child knows."
    )
    meanings = [meaning for _, _, meaning in found(text, "notice")]
    assert meanings == [
        Closure("hands", ("hopper", "stone"), ("Ashdown", "Corbett")),
        Scale("pond", 1, 4),
        OwnVoice(),
    ]
    assert found(text, "letter") == []


def test_a_closure_over_jobs_of_another_roster_is_none() -> None:
    text = "Each tithe was counted by one person only of the hands of the mill, and those are "
    assert found(text + "Ashdown and Corbett.", "notice") == []


def test_an_order_is_read_with_the_dates_it_replaces() -> None:
    text = (
        "This replaces what I wrote on the 3rd and the 21st of May. If stone S-34 was dressed by "
        "Brewster, and if the pond stood higher than peg 2 on night N-57, loan stone S-21, "
        "whoever dressed it, in the name of whoever looked after lantern L-45. If not both are so, "
        "pawn stone S-21 in the name of whoever dressed stone S-34."
    )
    rule = Rule(
        (Literal("S-34", "=", "Brewster"), Literal("N-57", ">", 2)),
        Branch("loan", "S-21", "L-45"),
        Branch("pawn", "S-21", "S-34"),
    )
    order = Order(rule, "the 3rd and the 21st of May")
    assert found(text, "notice") == [("policy", text, order)]


def test_an_objective_names_the_mark_it_asks_about() -> None:
    text = "The squire will ask first who looked after lantern L-45."
    assert found(text, "notice") == [("objective", text, "L-45")]


def test_a_note_is_found_by_the_banks_words() -> None:
    text = f"Pencilled beside it: {APPLE.note}"
    assert found(text, "margin") == [("bridge-note", text, "apple")]


@pytest.mark.parametrize("channel", ["telegram", "ledger"])
def test_statements_of_one_style_mean_nothing_in_another(channel: str) -> None:
    assert found("Ashdown dressed stone S-21", channel) == []
