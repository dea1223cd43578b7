"""The grader against a plain reference: the same payloads for replies of every kind.

A key is used again and again, as in an import, so that what it remembers takes part.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grading.bench.replies import SOLVERS, reply_row
from grading.core.answers import read_answer
from grading.core.casebook import Casebook
from grading.core.diagnose import diagnose
from grading.core.islands import Island, parse_object
from grading.core.score import AnswerKey, grade
from tests.grading.core.builders import ACTION, FACTS, KEY, WORLD, entries, reply
from tests.grading.core.reference import expected
from worlds.core.engines import problem_of
from worlds.core.engines.dpll import Dpll
from worlds.core.ids import parse_family_id
from worlds.core.mint import forge_family
from worlds.core.model import World

FAMILIES = (
    "ef1-chain-L00-maritime-s0",
    "ef1-case-L01-manor-s3",
    "ef1-chain-L03-hotel-s1",
    "ef1-case-L05-theater-s2",
)
ODD = (
    True, False, None, 0, 1, -1, 4, "4", "4.0", " “4” ", 10**30, "Nobody", "", "PRYCE", "*Pryce*",
    "Pryce or Quill", ["Pryce"], {"value": "Pryce"}, "x" * 100,
)  # fmt: skip
RAW = ("4.0", "4e0", "NaN", "-Infinity", "1e999", "9" * 30, '"\\ud800"', '"\\u0000"', "[[4]]")


def check(key: AnswerKey, text: str) -> None:
    reading = read_answer(text)
    found = grade(key, reading)
    assert (found.payload(), diagnose(key, found).payload()) == expected(key.world, reading)


def values(mark: str) -> st.SearchStrategy[Any]:
    """Values of the mark's domain, the true one most often, or something odd."""
    domain = WORLD.term_values[KEY.variable_of[mark.lower()]]
    return st.one_of(st.just(FACTS[mark]), st.sampled_from(domain), st.sampled_from(ODD))


FACT = st.sampled_from(list(FACTS)).flatmap(
    lambda mark: st.tuples(
        st.sampled_from([mark, mark.lower(), f" {mark}."]),
        st.sampled_from(["is", "is", "is", "Is "]),
        values(mark),
    )
)
DEED = st.tuples(
    st.sampled_from(["P-86", "p-86", "L-44"]),
    st.sampled_from(["register", "hold", "Register."]),
    st.sampled_from(["Wetherby", "wetherby", "Pryce", 4, "4", True, None, ["Pryce"]]),
)
JUNK = st.sampled_from([["P-33"], ["P-33", "Pryce"], ["P-33", "is"], [4, "is", "x"], "P-33", []])


@settings(max_examples=250, deadline=None)
@given(
    kept=st.sets(st.sampled_from(list(FACTS))),
    more=st.lists(st.one_of(FACT, DEED, JUNK), max_size=6),
)
@example(kept=set(FACTS), more=[("L-44", "is", "Thorne")])
@example(kept=set(), more=[("N-18", "is", 1), ("N-95", "is", True)])
def test_observatory_like_the_reference(kept: set[str], more: list[Any]) -> None:
    facts = {mark: value for mark, value in FACTS.items() if mark in kept}
    check(KEY, json.dumps({"answer": [*entries(facts), *more]}))


@pytest.mark.parametrize("mark", ["P-33", "N-18"])
def test_odd_values_like_the_reference_twice_over(mark: str) -> None:
    # What comes first is remembered; 1, true and "1" must not be taken for each other.
    for value in (*ODD, *ODD[::-1]):
        check(KEY, reply({**FACTS, mark: value}, ACTION))
        check(KEY, reply(FACTS, [*ACTION[:2], value]))
    for text in RAW:
        check(KEY, reply({**FACTS, mark: "?"}, ACTION).replace('"?"', text))


@pytest.mark.parametrize("family", FAMILIES)
def test_models_like_the_reference(family: str) -> None:
    world = forge_family(parse_family_id(family)).world
    key = AnswerKey.of(world)
    for solver in SOLVERS[::4]:
        check(key, reply_row(solver, f"{family}-imp1", world)["completion"] or "")


@pytest.mark.parametrize("family", FAMILIES)
def test_wrong_bridges_like_the_reference(family: str) -> None:
    world = forge_family(parse_family_id(family)).world
    key = AnswerKey.of(world)
    for bridge in world.bridges:
        for facts in _misread(world, bridge.id):
            for stated in (facts, dict(list(facts.items())[::2])):
                check(key, reply({world.mark_of(term): stated[term] for term in stated}))


def _misread(world: World, bridge: str) -> list[dict[str, Any]]:
    """The facts that follow from a wrong answer, for each that leaves a world."""
    problem = problem_of(world)
    engine = Dpll(problem.domains)
    for label, constraint in problem.constraints.items():
        engine.add(label, constraint)
    engine.ban("wrong", {bridge: world.truth[bridge]})
    labels = [label for label in problem.constraints if label != bridge]
    model = engine.solve([*labels, "wrong"]).model
    return [] if model is None else [{v.id: model[v.id] for v in world.variables}]


def test_clue_false_of_the_true_world_is_always_asked() -> None:
    # The stored truth of a family may have been tampered with.
    false = {**WORLD.solution, "V0": "Quill"}
    damaged = World(
        WORLD.domains, WORLD.variables, WORLD.bridges, WORLD.units, WORLD.apparent, WORLD.policy,
        false,
    )  # fmt: skip
    check(AnswerKey.of(damaged), reply({**FACTS, "P-33": "Quill", "N-18": 1}, ACTION))


# What is remembered is bounded


def test_key_remembers_no_more_than_so_many_short_values() -> None:
    key = AnswerKey.of(WORLD)
    for number in range(500):
        check_quickly(key, reply({**FACTS, "P-33": number, " " * (number % 90) + "N-18": 2}))
    check_quickly(key, reply({**FACTS, "P-33": "x" * 10_000}))
    assert len(key._verdicts[0]) == 64
    assert all(len(str(value)) <= 64 for value in key._verdicts[0])
    assert len(key._written) <= 8 * len(FACTS)
    assert all(len(mark) <= 64 for mark in key._written)


def test_key_remembers_no_more_than_so_many_actions() -> None:
    key = AnswerKey.of(WORLD)
    for number in range(400):
        check_quickly(key, reply({}, ["P-86", "register", number]))
    check_quickly(key, reply({}, ["P-86", "register", "x" * 10_000]))
    assert len(key._deeds) == 256


def check_quickly(key: AnswerKey, text: str) -> None:
    assert grade(key, read_answer(text)).readable


def test_clue_of_many_terms_is_put_to_the_engine() -> None:
    # With 64 ways to fill a clue in or fewer they are tried; both ways say the same.
    world = forge_family(parse_family_id("ef1-case-L05-theater-s2")).world
    book = Casebook(world)
    asked = 0
    for label, _, _, answers in book._clues:
        scope = answers.scope
        for value in world.term_values[scope[0]]:
            known = {scope[0]: value}
            assert answers.work_out(known) == answers._is_refuted(known), label  # type: ignore[attr-defined]
            asked += 1
    assert asked > 50


def test_list_of_scalars_is_read_at_once_like_token_by_token() -> None:
    parts = [
        '"a"',
        "1",
        "-0",
        "01",
        "1.50",
        "1e5",
        "NaN",
        "null",
        "true",
        '"\\u00e9"',
        '"\t"',
        "[]",
    ]
    for one in parts:
        for other in parts:
            body = f'{{"answer": [[{one}, {other}],["x" , {one} ]], "b": "\t"}}'
            plain = body.replace('"b": "\t"', '"b": 0')
            slow, fast = parse_object(body, 0), parse_object(plain, 0)
            assert isinstance(slow, Island) == isinstance(fast, Island), body
            if isinstance(slow, Island) and isinstance(fast, Island):
                assert slow.members.pairs[0] == fast.members.pairs[0]
