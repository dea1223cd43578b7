from __future__ import annotations

import pytest

from tests.worlds.core.prose.mill import FACTS, mill_id, mill_pack, mill_world
from worlds.core.prose.conditions import CONTRACT, OPENING, QUESTION, RECORD, printed
from worlds.core.prose.surface import Surface, write_surface

CONDITIONS = ("exp", "frm", "imp")


def surface(condition: str) -> Surface:
    return write_surface(mill_world(), mill_id(condition), genre=mill_pack(), facts=FACTS)


def test_the_contract_is_word_for_word_the_published_one() -> None:
    assert CONTRACT == (
        "Reply with one JSON object and nothing after it: "
        '{"answer": [["<reference mark>", "<word>", <value>], …]}. '
        "A reference mark is printed as a letter, a hyphen and a number. Give one entry for "
        "everything that the record settles about a mark, and one for whatever it requires in the "
        'end. The word is "is" for what is so; otherwise take it from the record as printed. '
        "A value is a surname or a bare number."
    )


@pytest.mark.parametrize("condition", CONDITIONS)
def test_every_condition_ends_with_the_same_bytes(condition: str) -> None:
    assert surface(condition).prompt.encode().endswith(b"\n\n" + CONTRACT.encode())


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_deferred_prompt_is_the_inline_one_without_the_contract(condition: str) -> None:
    inline = surface(condition).prompt
    deferred = write_surface(
        mill_world(), _deferred(condition), genre=mill_pack(), facts=FACTS
    ).prompt
    assert f"{deferred}\n\n{CONTRACT}" == inline


def _deferred(condition: str):  # type: ignore[no-untyped-def]
    from dataclasses import replace

    return replace(mill_id(condition), deferred=True)


def test_the_implicit_prompt_is_one_sentence_and_the_record() -> None:
    found = surface("imp")
    assert found.prompt == "\n\n".join([OPENING, *map(printed, found.documents), CONTRACT])


def test_the_explicit_prompt_asks_for_every_fact_and_the_decision_in_force() -> None:
    found = surface("exp")
    record = "\n\n".join([RECORD, *map(printed, found.documents)])
    question = found.prompt.removeprefix(record).removesuffix(CONTRACT).strip()
    assert question.startswith(QUESTION)
    for mark in (variable.mark for variable in mill_world().variables):
        assert mark in question
    assert "who looked after lantern L-45" in question
    assert "at which peg the pond stood on night N-95" in question
    policy = max(
        int(d.heading.split(", ")[1].split()[0]) for d in found.documents if ", " in d.heading[-14:]
    )
    assert f"the order of the {policy}" in question
    assert "loan" not in question
    assert "pawn" not in question


def test_the_formal_prompt_has_no_prose_and_no_reports() -> None:
    found = surface("frm")
    assert found.documents == ()
    assert "dressed" not in found.prompt
    assert "S-34 = Dunning\n" not in found.prompt
    assert "R2: if S-34 = Brewster and N-57 > 2 then loan(S-21, L-45) else pawn(S-21, S-34)" in (
        found.prompt
    )


def test_no_prompt_gives_a_value_of_an_unstated_fact_in_its_question() -> None:
    question = surface("exp").prompt.rpartition(QUESTION)[2].removesuffix(CONTRACT)
    assert not any(name in question for name in ("Ashdown", "Brewster", "Corbett", "Dunning"))
