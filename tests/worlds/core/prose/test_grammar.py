from __future__ import annotations

from dataclasses import replace

import pytest

from tests.worlds.core.prose.mill import FACTS, URANUS, mill_pack, mill_world
from worlds.core.constraints import AllDifferent, Arithmetic, Equality, Implication, Literal
from worlds.core.errors import Unrenderable
from worlds.core.model import CHANNELS
from worlds.core.packs import Pack, Wording, genres, pack
from worlds.core.prose.forms import phrasings
from worlds.core.prose.grammar import Grammar
from worlds.core.prose.normal import normal
from worlds.core.prose.roundtrip import kind_sets, roundtrip_findings


def grammar() -> Grammar:
    return Grammar.of_world(mill_world(), mill_pack(), FACTS)


def pack_of(genre: str) -> Pack:
    return mill_pack() if genre == "mill" else pack(genre)


def misread(genre: str, *, every_entry: bool) -> list[str]:
    return [
        str(finding)
        for finding in roundtrip_findings(pack_of(genre), URANUS, every_entry=every_entry)
    ]


@pytest.mark.parametrize("genre", ["mill", *genres()])
def test_every_wording_reads_back_as_itself_and_as_nothing_else(genre: str) -> None:
    assert misread(genre, every_entry=False) == []


@pytest.mark.slow
@pytest.mark.parametrize("genre", ["mill", *genres()])
def test_every_wording_with_every_lexicon_entry_reads_back(genre: str) -> None:
    assert misread(genre, every_entry=True) == []


@pytest.mark.parametrize(
    ("form", "text", "told"),
    [
        ("same_person", "{a.mark}{b.mark} had one person", "does not read back"),
        ("not_person", "{v} {a.past} {a.thing}", "and as"),
        ("pin_person", "{v} {a.past} {a.thing}; so much", "with what stands around it"),
        ("pin_person", "{v} {a.past} {a.thing} of a evening", "a or an"),
        ("pin_ordinal", "for {a.subject} the the step {a.when} was {v.step}", "a doubled word"),
    ],
)
def test_a_wording_that_reads_otherwise_is_named(form: str, text: str, told: str) -> None:
    changed = replace(mill_pack(), clauses=(*mill_pack().clauses, Wording(form, text)))
    found = [str(f) for f in roundtrip_findings(changed, URANUS, every_entry=False)]
    assert any(told in finding for finding in found)


@pytest.mark.parametrize("genre", ["mill", *genres()])
def test_the_round_trip_meets_every_role_and_every_measure(genre: str) -> None:
    lexicon = pack_of(genre).lexicon
    sets = list(kind_sets(pack_of(genre)))
    assert {role.key for roles, _ in sets for role in roles} == {r.key for r in lexicon.roles}
    assert {measure.key for _, measure in sets} == {m.key for m in lexicon.measures}
    for roles, measure in sets:
        assert len({role.roster for role in roles}) == 1
        assert len({measure.letter, *(role.letter for role in roles)}) == len(roles) + 1


def test_a_capital_may_begin_a_clause() -> None:
    plain = "whoever dressed stone S-21, the same person filled hopper H-12"
    readings = grammar().parse(plain[0].upper() + plain[1:], "letter")
    assert [r.constraint for r in readings] == [Equality("H-12", right="S-21")]


def test_a_telegram_is_read_in_capitals_only() -> None:
    assert grammar().parse("S-21 ASHDOWN", "telegram")[0].constraint == Equality(
        "S-21", value="Ashdown"
    )
    assert grammar().parse("S-21 Ashdown", "telegram") == ()


def test_an_implication_holds_shorter_readings() -> None:
    text = "if it was Ashdown who dressed stone S-21, then the pond stood at peg 2 on night N-18"
    longest = max(grammar().parse(text, "letter"), key=lambda r: r.end - r.start)
    assert longest.constraint == Implication.of(
        Literal("S-21", "=", "Ashdown"), Literal("N-18", "=", 2)
    )


def test_a_hedge_makes_a_report_of_a_clause() -> None:
    text = "Pocock has it that Ashdown dressed stone S-21"
    readings = grammar().parse(text, "letter")
    assert [(r.start, r.hedged) for r in readings] == [(0, True), (19, False)]


@pytest.mark.parametrize(
    "text",
    [
        "Nobody dressed stone S-21",
        "Zacharias dressed stone S-21",
        "Ashdown filled stone S-21",
        "Ashdown dressed hopper S-21",
        "Ashdown dressed stone H-21",
        "Ashdown dressed stone S-21a",
        "McAshdown dressed stone S-21",
        "the pond stood two pegs higher on night N-18 than on market day N-57",
        "the pond stood two peg higher on night N-18 than on night N-57",
        "the pond stood two pegs higher on night N-18 than on night N-18",
        "stone S-21 was dressed and hopper H-12 filled: three jobs, and no person for two of them",
    ],
)
def test_what_is_nearly_a_clause_is_none(text: str) -> None:
    assert grammar().parse(text, "letter") == ()


def test_an_offset_is_said_from_either_end() -> None:
    said = phrasings(Arithmetic("offset", "N-57", "N-18", 1), grammar().plain)
    assert [form for form, _ in said] == ["offset_more", "offset_less"]


def test_no_form_says_an_offset_of_nothing() -> None:
    with pytest.raises(Unrenderable, match="N-57"):
        phrasings(Arithmetic("offset", "N-57", "N-18", 0), grammar().plain)


def test_lists_of_two_and_of_many_read_back() -> None:
    for marks in (("S-21", "H-12"), ("S-21", "S-34", "H-12", "L-45")):
        wording = mill_pack().clauses_of("all_different_person", "letter")[0]
        text = grammar().render(wording, {"all": marks}, "letter")
        assert [r.constraint for r in grammar().parse(text, "letter")] == [
            normal(AllDifferent(marks))
        ]


def test_every_channel_but_those_of_style_reads_prose() -> None:
    text = "Ashdown dressed stone S-21"
    readers = [channel for channel in CHANNELS if grammar().parse(text, channel)]
    assert readers == [c for c in CHANNELS if c not in ("telegram", "ledger")]
