"""Which answer a reply gives in the end, and when it gives none."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grading.core.answers import MAX_REPLY, Answer, Reason, Unreadable, read_answer
from grading.core.islands import Members
from grading.core.normal import NotAValue, Number
from tests.grading.core.builders import ACTION, FACTS, KEY, entries, graded, reply, right
from worlds.core.prose.conditions import CONTRACT

DRAFT = reply({"P-33": "Halloran"})


def read(text: str) -> Answer:
    found = read_answer(text)
    assert isinstance(found, Answer)
    return found


def reason(text: str) -> Reason:
    found = read_answer(text)
    assert isinstance(found, Unreadable)
    return found.reason


# What surrounds the answer


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "```json\n{}\n```",
        "```\n{}\n```",
        "````json\n{}\n````",
        "```python\nd = {{'a': 1}}\nprint(d)\n```\n```json\n```\n```\n{}\n```",
        "Here is `the` result: {}",
        "[note] {}",
        "{}\nSources: papers [3] and [7]; rule {{as printed}}.",
        "The set {{a, b}} and {{x}} lead to {} as shown in {{",
        '{{"set"}} and {{"a", "b"}}: {}',
        '{{"thought": "see above"}}\n{}',
        "\ufeff{}",
        "\u200b{}",
        "<answer>\r\n{}\r\n</answer>",
        "[{}]",
    ],
)
def test_surroundings_change_nothing(text: str) -> None:
    assert graded(text.format(right())).task_success


def test_graded_range_is_the_object() -> None:
    text = f"Ünïcode 𝔘 first. {right()} Then more."
    found = read(text)
    assert text[found.start : found.end] == right()


def test_windows_line_ends() -> None:
    text = json.dumps({"answer": entries(FACTS, ACTION)}, indent=2).replace("\n", "\r\n")
    assert graded(text).task_success


def test_raw_tab_in_a_string_is_tolerated() -> None:
    assert graded(right().replace('"Pryce"', '"\tPryce"')).task_success


def test_raw_line_break_in_a_string_is_not() -> None:
    assert reason(right().replace('"Pryce"', '"Pry\nce"')) is Reason.INCOMPLETE


# Reasoning


@pytest.mark.parametrize(
    "text",
    [
        "<think>maybe {draft} hmm</think>\n{right}",
        '<THINK>{{"draft": true}}</THINK>\n<think>again {draft}</think>{right}',
        "so {draft} it is</think>{right}",
        "<thinking>{draft}</thinking>{right}",
        "<think>the <think> tag {draft}</think>{right}",
        "<think>a <think> b </think> {draft} </think>{right}",
        "<think>{right}</think>{draft}<think>no</think>{right}",
        "{right}<think>let me check: {draft}</think>",
    ],
)
def test_reasoning_is_left_out(text: str) -> None:
    assert graded(text.format(draft=DRAFT, right=right())).task_success


@pytest.mark.parametrize(
    "text", ["<think>{right}</think>", "{right}</think>", "<think>{right}", "<think>{right}</think"]
)
def test_answer_only_in_reasoning_is_none(text: str) -> None:
    found = read_answer(text.format(right=right()))
    assert isinstance(found, Unreadable)


def test_unclosed_reasoning_is_told() -> None:
    assert read_answer(f"<think>{right()}") == Unreadable(
        Reason.UNCLOSED_REASONING, unclosed_reasoning=True
    )
    found = read(f"{right()} <think>but wait")
    assert found.unclosed_reasoning


def test_tags_inside_a_complete_object_are_text() -> None:
    text = json.dumps({"notes": "it says <think> twice </think>", "answer": entries(FACTS, ACTION)})
    assert graded(text).task_success


# Drafts and finals


def test_last_complete_answer_is_graded() -> None:
    found = read(f"{DRAFT}\nNo: {DRAFT}\nFinally: {right()}")
    assert found.earlier == 2
    assert graded(f"{DRAFT}\nNo: {DRAFT}\nFinally: {right()}").task_success


def test_right_draft_earns_nothing() -> None:
    assert graded(f"{right()} or rather {DRAFT}").facts.tp == 0


def test_drafts_are_not_merged() -> None:
    split = f"{reply()}\n{reply({}, ACTION)}"
    found = graded(split)
    assert (found.facts.stated, found.action_correct, found.task_success) == (0, True, False)
    assert read(split).earlier == 1


def test_unfinished_answer_after_a_draft_leaves_the_draft() -> None:
    found = read(f'{DRAFT} better: {{"answer": [["P-33", "is", "Pry')
    assert [claim.value for claim in found.facts] == ["Halloran"]


def test_unfinished_answer_before_another_on_the_same_line() -> None:
    assert graded(f'{{"answer": [["P-33", "is", "Pry {right()}').task_success


def test_stray_quote_does_not_swallow_the_answer() -> None:
    assert graded(f'{{"abc {right()}').task_success


def test_answer_inside_a_broken_object() -> None:
    assert graded(f'{{"reply": {right()}, oops').task_success


# The answer object


def test_other_members_are_ignored() -> None:
    text = json.dumps({"why": "`3` and ```log```", "answer": entries(FACTS, ACTION), "sure": 1})
    assert graded(text).task_success


@pytest.mark.parametrize(
    "wrap",
    [
        lambda text: f'{{"final": {json.dumps(text)}}}',
        lambda text: f'{{"json_tool_call": {text}}}',
        lambda text: f'{{"result": {{"output": {text}}}}}',
        lambda text: f'{{"answer": {text}}}',
        lambda text: f'{{"answer": {json.dumps(text)}}}',
        lambda text: (
            '{"tool_calls": [{"function": {"arguments": ' + json.dumps(text) + ', "name": "x"}}]}'
        ),
    ],
)
def test_wrapper_around_one_answer(wrap: object) -> None:
    assert callable(wrap)
    assert graded(wrap(right())).task_success


def test_wrapper_around_two_answers_is_ambiguous() -> None:
    assert reason(f'{{"first": {DRAFT}, "second": {right()}}}') is Reason.AMBIGUOUS
    assert reason(f'{{"steps": [{right()}, {right()}]}}') is Reason.AMBIGUOUS


def test_wrapper_too_many_levels_down() -> None:
    text = right()
    for _ in range(8):
        text = f'{{"inner": {text}}}'
    assert reason(text) is Reason.INCOMPLETE


def test_answer_given_twice_is_ambiguous() -> None:
    inside = right()[1:-1]
    assert reason(f"{{{inside}, {inside}}}") is Reason.AMBIGUOUS
    assert reason(f'{{{inside}, "Answer": []}}') is Reason.AMBIGUOUS


@pytest.mark.parametrize(
    "value",
    [
        {"P-33": "Pryce"},
        [{"mark": "P-33", "word": "is", "value": "Pryce"}],
        ["P-33", "is", "Pryce"],
        ["P-33: Pryce"],
        ["Pryce", "Pryce", "Quill"],
        "Pryce",
        4,
        None,
    ],
)
def test_other_shapes_are_named(value: object) -> None:
    assert reason(json.dumps({"answer": value})) is Reason.WRONG_SHAPE


def test_misshapen_answer_after_a_right_one_counts_as_the_last() -> None:
    assert reason(right() + '{"answer": "Pryce"}') is Reason.WRONG_SHAPE


def test_empty_answer_is_read_and_states_nothing() -> None:
    found = graded('{"answer": []}')
    assert (found.readable, found.facts.stated, found.action_count) == (True, 0, 0)


def test_trailing_commas() -> None:
    text = right().replace("]]", "],],").replace('"],', '",],')
    assert graded(text).task_success


def test_doubled_comma_is_unreadable() -> None:
    assert reason(right().replace("], [", "],, [", 1)) is Reason.INCOMPLETE


def test_python_literal_is_named_not_repaired() -> None:
    text = "{'answer': [['P-33', 'is', \"Cutter's Rest\"], ['P-86', 'hold', None]]}"
    assert reason(text) is Reason.PYTHON_LITERAL


def test_typographic_delimiters_are_named_not_repaired() -> None:
    assert reason("{“answer”: [[“P-33”, “is”, “Pryce”]]}") is Reason.CURLY_QUOTES
    assert reason('{"answer": [["P-33", "is", „Pryce"]]}') is Reason.INCOMPLETE


def test_quotes_inside_values_are_normalised() -> None:
    assert graded(right().replace('"Pryce"', '"“Pryce”"')).task_success
    assert read('{"answer": [["A-1", "is", "cutter\'s chest"]]}').facts[0].value == "cutter's chest"


# The prompt's own text


def test_echo_of_the_contract_is_no_answer() -> None:
    assert reason(CONTRACT) is Reason.INCOMPLETE
    example = '{"answer": [["<reference mark>", "<word>", "<value>"]]}'
    assert reason(example) is Reason.ECHO
    assert graded(f"{right()} as in {example}").task_success


# Entries


def test_entry_kinds() -> None:
    found = read('{"answer": [["A-1", "IS", 4], ["B-2", "hold", "x"], ["C-3", "is", null]]}')
    assert [(c.mark, c.value) for c in found.facts] == [("A-1", 4), ("C-3", None)]
    assert [(c.mark, c.word, c.value) for c in found.actions] == [("B-2", "hold", "x")]


def test_values_that_are_none() -> None:
    text = (
        '{"answer": [["A", "is", NaN], ["B", "is", -Infinity], ["C", "is", 1e999], ["D", "is", '
        + "9" * 5000
        + '], ["E", "is", [1, 2]], ["F", "is", {"v": 1}], ["G", "is", true]]}'
    )
    values = [claim.value for claim in read(text).facts]
    assert values[:3] == [NotAValue("NaN"), NotAValue("-Infinity"), Number("1e999")]
    assert isinstance(values[3], Number)
    assert isinstance(values[5], Members)
    assert values[6] is True
    assert all(len(claim.shown) <= 80 for claim in read(text).facts)


def test_entries_of_wrong_length_state_no_value() -> None:
    found = read('{"answer": [["A"], ["B", "is"], ["C", "is", 1, 2], ["D", "hold", 1, 2], [4], 5]}')
    assert [(c.mark, c.value) for c in found.facts] == [("B", ["is"]), ("C", [1, 2])]
    assert [(c.mark, c.value) for c in found.actions] == [("D", [1, 2])]
    assert found.malformed == 3


def test_lone_surrogate_and_nul_are_shown_storably() -> None:
    found = read('{"answer": [["A", "is", "Hal\\u0000den\\ud800"]]}').facts[0]
    assert found.value == "Hal\0den\ud800"
    assert found.shown == "Hal\ufffdden\ufffd"


# Hostile replies


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Reason.EMPTY),
        (" \n", Reason.EMPTY),
        ("I refuse.", Reason.NO_ANSWER),
        ("[" * 200_000, Reason.NO_ANSWER),
        ('{"a":' * 5000 + "1" + "}" * 5000, Reason.TOO_DEEP),
        ('{"answer": ' + "[" * 10_000 + "]" * 10_000 + "}", Reason.TOO_DEEP),
        ("x" * (MAX_REPLY + 1), Reason.TOO_LONG),
    ],
)
def test_hostile_replies_have_a_reason(text: str, expected: Reason) -> None:
    assert reason(text) is expected


def test_deep_value_beside_a_good_answer() -> None:
    deep = "[" * 900 + "]" * 900
    text = right()[:-1] + f', "extra": {deep}}}'
    assert graded(text).task_success
    assert graded(right().replace('"Pryce"', deep, 1)).facts.tp == 7


PARTS = [
    *(right(), DRAFT, "<think>", "</think>", '{"answer":', '"answer"', "null", "is", "```"),
    *("{", "}", "[", "]", '"', ",", ":", "\\", "\n", "\ud800", "\0", "{'answer': 1}"),
]
FRAGMENTS = st.lists(
    st.sampled_from(PARTS) | st.text(max_size=5),
    max_size=12,
).map("".join)


@given(FRAGMENTS)
@example("{" + '"answer": [[]]' + "}")
def test_any_text_is_read_and_graded(text: str) -> None:
    found = read_answer(text)
    if isinstance(found, Answer):
        assert text[found.start] == "{"
        assert text[found.end - 1] == "}"
    score = graded(text).facts
    assert 0 <= score.tp <= min(score.n, score.stated)
    assert 0.0 <= score.f1 <= 1.0


@given(st.text(), st.text())
@example('{"', "")
def test_last_object_counts_whatever_stands_before_it_on_other_lines(
    before: str, after: str
) -> None:
    # Tags, braces and quotes are what could change the reading; each has tests of its own.
    clean = "".join(char for char in before + "\n" if char not in '<{"')
    tail = "".join(char for char in after if char not in "<{")
    found = read(clean + right() + tail)
    assert (found.start, found.end) == (len(clean), len(clean) + len(right()))


def test_key_is_untouched_by_grading() -> None:
    before = dict(KEY.variable_of)
    graded(right())
    assert dict(KEY.variable_of) == before
