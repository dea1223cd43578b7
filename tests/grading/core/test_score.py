"""One reply against one world."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.core.answers import Reason, Unreadable, read_answer
from grading.core.score import AnswerKey, FactScore, Grade, StatedAction, Verdict, grade
from tests.grading.core.builders import ACTION, FACTS, KEY, WORLD, entries, graded, reply, right
from worlds.core.model import Domain


def score(**facts: object) -> FactScore:
    """The fact score of a reply with the true facts, some of them changed (`W_21=…`)."""
    changed = {mark.replace("_", "-"): value for mark, value in facts.items()}
    return graded(reply({**FACTS, **changed})).facts


def test_right_answer() -> None:
    found = graded(right())
    assert found.facts == FactScore(n=8, stated=8, tp=8)
    assert (found.world_exact, found.action_correct, found.task_success) == (True, True, True)
    assert found.policy_consistent is True
    assert found.action == StatedAction("register", "P-86", "Wetherby")
    assert {verdict.verdict for verdict in found.verdicts} == {Verdict.RIGHT}
    assert found.stated_world == WORLD.solution


def test_marks_words_and_values_in_other_writing() -> None:
    facts = {f" “{mark.lower()}” ": value for mark, value in FACTS.items()}
    facts[" “n-18” "] = "2.0"
    facts[" “n-57” "] = "**3**"
    assert graded(reply(facts, ["p‑86", "Register", "WETHERBY."])).task_success


@pytest.mark.parametrize(
    ("counts", "precision", "recall", "f1"),
    [
        ((4, 5, 3), 3 / 5, 3 / 4, 2 / 3),
        ((5, 5, 5), 1.0, 1.0, 1.0),
        ((4, 0, 0), 0.0, 0.0, 0.0),
        ((6, 3, 0), 0.0, 0.0, 0.0),
        ((0, 0, 0), 0.0, 0.0, 0.0),
    ],
)
def test_fact_score_from_counts(
    counts: tuple[int, int, int], precision: float, recall: float, f1: float
) -> None:
    found = FactScore(*counts)
    assert (found.precision, found.recall, found.f1) == (precision, recall, f1)


def test_empty_and_unreadable_replies_state_nothing() -> None:
    for found in (graded(""), graded("no"), grade(KEY, Unreadable(Reason.NO_ANSWER))):
        assert found.facts == FactScore(n=8, stated=0, tp=0)
        assert (found.readable, found.action, found.action_count) == (False, None, 0)
        assert (found.task_success, found.policy_consistent) == (False, None)


@pytest.mark.parametrize(
    "value",
    [
        ["Pryce"],
        ["Pryce", "Quill"],
        {"value": "Pryce"},
        "Pryce or Quill",
        "Pryce, Quill",
        True,
        4,
        "",
        "Nobody",
    ],
)
def test_odd_value_is_stated_and_wrong(value: object) -> None:
    assert score(P_33=value) == FactScore(n=8, stated=8, tp=7)


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999", "2.0000001", "9" * 5000])
def test_number_that_is_no_value_is_stated_and_wrong(text: str) -> None:
    found = graded(right().replace('"N-18", "is", 2', f'"N-18", "is", {text}'))
    assert found.facts == FactScore(n=8, stated=8, tp=7)
    assert json.dumps(found.payload(), allow_nan=False)


def test_null_states_nothing() -> None:
    assert score(P_33=None) == FactScore(n=8, stated=7, tp=7)


def test_unknown_mark_is_stated_and_wrong() -> None:
    found = graded(reply({**FACTS, "Z-99": "Pryce", "P33": "Pryce"}, ACTION))
    assert found.facts == FactScore(n=8, stated=10, tp=8)
    assert found.unknown == ("Z-99", "P33")
    assert not found.world_exact
    assert not found.task_success


def test_one_mark_with_two_values_is_stated_once_and_wrong() -> None:
    twice = [*entries(), ["P-33", "is", "Quill"]]
    found = graded(json.dumps({"answer": twice}))
    assert found.facts == FactScore(n=8, stated=8, tp=7)
    assert found.verdicts[0].verdict is Verdict.WRONG
    assert found.verdicts[0].stated == ("Pryce", "Quill")


def test_one_mark_with_one_value_twice_is_one_fact() -> None:
    twice = [*entries(), ["p-33", "is", "PRYCE"], ["N-18", "is", "2"], ["N-18", "is", 2.0]]
    assert graded(json.dumps({"answer": twice})).facts == FactScore(n=8, stated=8, tp=8)


# Actions


@pytest.mark.parametrize(
    "action",
    [
        ["P-86", "hold", "Wetherby"],
        ["P-33", "register", "Wetherby"],
        ["P-86", "register", "Quill"],
        ["P-86", "register", None],
        ["P-86", "register", ["Wetherby"]],
        ["P-86", "register or hold", "Wetherby"],
        ["P-86", "register", "Wetherby", "Quill"],
        ["P-86", "", "Wetherby"],
    ],
)
def test_action_wrong_in_any_part(action: list[object]) -> None:
    found = graded(reply(FACTS, action))
    assert (found.world_exact, found.action_correct, found.task_success) == (True, False, False)


def test_two_different_actions_are_a_hedge() -> None:
    found = graded(reply(FACTS, ACTION, ["P-86", "hold", "Quill"]))
    assert (found.action_count, found.action, found.action_correct) == (2, None, False)
    assert found.policy_consistent is None


def test_the_same_action_twice_is_one() -> None:
    found = graded(reply(FACTS, ACTION, ["p-86", "REGISTER", "wetherby"]))
    assert (found.action_count, found.task_success) == (1, True)


def test_no_action() -> None:
    found = graded(reply())
    assert (found.action_count, found.world_exact, found.action_correct) == (0, True, False)


# Policy consistency: the rule on the world that the reply itself states


def test_consistent_on_a_misread_world() -> None:
    found = graded(reply({**FACTS, "L-44": "Thorne"}, ["P-86", "register", "Thorne"]))
    assert (found.policy_consistent, found.action_correct) == (True, False)


def test_other_branch_on_a_misread_world() -> None:
    misread = {**FACTS, "G-68": "Thorne"}
    assert graded(reply(misread, ["P-86", "hold", "Quill"])).policy_consistent is True
    assert graded(reply(misread, ACTION)).policy_consistent is False


@pytest.mark.parametrize("mark", ["G-68", "N-95", "L-44"])
def test_consistency_cannot_be_told_without_a_mark_that_the_rule_reads(mark: str) -> None:
    partial = {m: value for m, value in FACTS.items() if m != mark}
    assert graded(reply(partial, ACTION)).policy_consistent is None


@pytest.mark.parametrize("value", ["Nobody", "Halloran or Quill", ["Halloran"]])
def test_consistency_needs_values_of_the_domain(value: object) -> None:
    assert graded(reply({**FACTS, "G-68": value}, ACTION)).policy_consistent is None


# The key


def test_ordinal_party_and_name_printed_as_number() -> None:
    names = ("1", "2", "3", "4", "5")
    staff = dict(zip(WORLD.domains[1].values, names, strict=True))
    renamed = replace(
        WORLD,
        domains=(WORLD.domains[0], Domain("staff", names)),
        solution={v: staff.get(value, value) for v, value in WORLD.solution.items()},
    )
    key = AnswerKey.of(renamed)
    text = reply({renamed.mark_of(v): value for v, value in renamed.solution.items()})
    as_numbers = text.replace('"1"', "1").replace('"2"', "2.0")
    assert grade(key, read_answer(as_numbers)).facts.tp == 8


def test_payload_is_json_and_whole() -> None:
    payload = graded(right()).payload()
    assert json.loads(json.dumps(payload)) == payload
    assert payload["facts"] == {"n": 8, "stated": 8, "tp": 8}
    assert payload["action"] == {"verb": "register", "item": "P-86", "party": "Wetherby"}


# Nothing that is added to an answer can raise what it earns


EXTRA = st.lists(
    st.tuples(
        st.sampled_from([*FACTS, "Z-99"]),
        st.sampled_from(["is", "hold", "register"]),
        st.sampled_from(["Pryce", "Quill", "Wetherby", "Halloran", 1, 2, 3, ["Quill"], "x"]),
    ),
    max_size=4,
)


def earned(found: Grade) -> tuple[int, bool, bool]:
    return found.facts.tp, found.action_correct, found.task_success


@given(EXTRA, EXTRA)
def test_hedging_never_earns(stated: list[tuple[str, str, object]], extra: list[object]) -> None:
    """A second value or action beside one already stated earns nothing more."""
    marks = {(mark, word == "is") for mark, word, _ in stated}
    said_before = {mark for mark, is_fact in marks if is_fact}
    acted = any(not is_fact for _, is_fact in marks)
    hedge = [
        entry
        for entry in extra
        if isinstance(entry, tuple) and (entry[0] in said_before if entry[1] == "is" else acted)
    ]
    alone = graded(json.dumps({"answer": stated}))
    hedged = graded(json.dumps({"answer": [*stated, *hedge]}))
    assert all(more <= less for more, less in zip(earned(hedged), earned(alone), strict=True))


@given(st.permutations(entries(FACTS, ACTION)))
def test_order_of_entries_does_not_matter(order: list[list[object]]) -> None:
    assert graded(json.dumps({"answer": order})).task_success
