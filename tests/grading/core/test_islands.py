"""JSON objects in prose: what is found, where it ends, and at what cost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grading.core.islands import (
    MAX_DEPTH,
    Broken,
    Island,
    Json,
    Members,
    next_start,
    parse_object,
)
from grading.core.normal import NotAValue, Number

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=True, allow_infinity=True)
    | st.text()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=5)


def plain(node: Json) -> Any:
    """A node as the standard library would have it, numbers as they are written."""
    match node:
        case Members():
            return {name: plain(value) for name, value in node.pairs}
        case list():
            return [plain(item) for item in node]
        case NotAValue():
            return node.text
        case Number():
            return str(node)
        case _:
            return node


def by_json(text: str) -> Any:
    def whole(digits: str) -> object:
        return int(digits) if len(digits) <= 18 else digits

    return json.loads(text, parse_float=str, parse_int=whole, parse_constant=str)


@given(OBJECTS, st.booleans(), st.text(alphabet="ab {}[]<\n", max_size=8))
def test_parse_object_agrees_with_the_standard_library(
    value: dict[str, Any], ascii_only: bool, before: str
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    for fast in (True, False):
        found = parse_object(before + text + " rest", len(before), fast)
        assert isinstance(found, Island)
        assert (found.start, found.end) == (len(before), len(before) + len(text))
        assert plain(found.members) == by_json(text)


PARTS = [
    *(
        "{",
        "}",
        "[",
        "]",
        '"',
        ":",
        ",",
        "\\",
        " ",
        "\n",
        "\t",
        "1",
        "-",
        "e9",
        "NaN",
        "null",
        "tru",
    ),
    *('"a"', '{"a":', '{"a":1}', '"\\u0041"', '"\\q"', "{}", "[1,]", "é"),
]
FRAGMENTS = st.lists(
    st.sampled_from(PARTS),
    max_size=30,
).map("".join)


@given(FRAGMENTS)
@example('{"abc {"a":1}')
@example('{"a":[1,2,}')
@example('{"a":1,}')
@example('{"a":"tab\there"}')
def test_parse_object_fast_and_slow_agree(text: str) -> None:
    position = next_start(text, 0)
    while position < len(text):
        fast, slow = parse_object(text, position, True), parse_object(text, position, False)
        assert type(fast) is type(slow)
        if isinstance(fast, Island) and isinstance(slow, Island):
            assert (fast.end, plain(fast.members)) == (slow.end, plain(slow.members))
            position = next_start(text, fast.end)
        else:
            assert isinstance(fast, Broken)
            assert fast == slow
            assert fast.resume > position
            position = next_start(text, fast.resume)


@pytest.mark.parametrize("text", ['{"a": 1,}', '{"a": [1, 2,],}', '{"a": {"b": 1,},}'])
def test_single_trailing_commas_are_tolerated(text: str) -> None:
    found = parse_object(text, 0)
    assert isinstance(found, Island)
    assert plain(found.members) == json.loads(text.replace(",}", "}").replace(",]", "]"))


@pytest.mark.parametrize(
    "text",
    ['{"a": 1,,}', '{"a": [1,,2]}', "{,}", '{"a": [,]}', '{"a" 1}', '{"a": 01}', '{"a": +1}'],
)
def test_other_damage_is_no_object(text: str) -> None:
    assert isinstance(parse_object(text, 0), Broken)


def test_comma_and_brace_inside_a_string_stay() -> None:
    found = parse_object('{"a": "x,}", "b": ",]",}', 0)
    assert isinstance(found, Island)
    assert plain(found.members) == {"a": "x,}", "b": ",]"}


def test_repeated_keys_are_kept() -> None:
    found = parse_object('{"a": 1, "a": 2}', 0)
    assert isinstance(found, Island)
    assert found.members.named("a") == [1, 2]


def test_complete_objects_inside_a_broken_one() -> None:
    found = parse_object('{"x": {"a": {"b": 1}}, "y": {"c": 2}, oops', 0)
    assert isinstance(found, Broken)
    assert [plain(one.members) for one in found.inner] == [{"a": {"b": 1}}, {"c": 2}]


@pytest.mark.parametrize("depth", [10, 900, MAX_DEPTH])
def test_nesting_up_to_the_limit(depth: int) -> None:
    text = '{"a":' * depth + "1" + "}" * depth
    found = parse_object(text, 0)
    assert isinstance(found, Island)
    assert found.end == len(text)


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 10_000, 200_000])
def test_nesting_beyond_the_limit(depth: int) -> None:
    found = parse_object('{"a":' * depth + "1" + "}" * depth, 0)
    assert isinstance(found, Broken)
    assert found.too_deep


HOSTILE = [
    '{"a":',
    '{"',
    '{"{',
    "{}",
    '"{',
    '{"a":1,',
    "<think>",
    "</think>",
    '{"answer":[]}',
    '{"\\',
    '{"a":"\\"',
    '{"a{":',
    '{"",',
    '{"a":"{\\"b\\":',
    "{ ",
]


@pytest.mark.parametrize("unit", HOSTILE)
@pytest.mark.parametrize("fast", [True, False])
def test_work_grows_in_proportion_to_the_text(unit: str, fast: bool) -> None:
    def work(size: int) -> int:
        """Characters looked at: the length of every attempt, up to where it ends or breaks."""
        text = unit * (size // len(unit))
        total = 0
        position = next_start(text, 0)
        while position < len(text):
            found = parse_object(text, position, fast)
            end = found.end if isinstance(found, Island) else found.reached
            total += end - position
            position = next_start(text, found.end if isinstance(found, Island) else found.resume)
        return total

    small, large = work(4_000), work(40_000)
    assert large <= 12 * small + 100
