"""Errors say what is wrong in one line, and keep saying it on the other side of a process."""

from __future__ import annotations

import pickle

import pytest

from worlds.core.errors import (
    BadInput,
    EnginesDisagree,
    EnigmaError,
    Exhausted,
    GateRejected,
    NotProved,
    SpanLost,
    Unrenderable,
)

ERRORS = (
    BadInput("level", "L99", "L00 to L09"),
    EnginesDisagree("uniqueness", {"dpll": "proved", "oracle": 2}),
    Exhausted("ef1-chain-L00-maritime-s1", 60, {"a": 59, "b": 1}),
    GateRejected(("one finding", "another")),
    NotProved("ablation", "unknown", "clue E1"),
    SpanLost("D1", "E1"),
    Unrenderable("no wording"),
)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_crosses_a_process_whole(error: EnigmaError) -> None:
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert copy.__dict__ == error.__dict__


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_a_message_is_one_line(error: EnigmaError) -> None:
    assert str(error)
    assert "\n" not in str(error)


def test_a_long_value_is_quoted_briefly() -> None:
    assert len(str(BadInput("id", "x" * 10_000, "an id"))) < 120
