"""Plain rows: fields, statuses, and what is wrong with a row."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from grading.core.formats import Row, RowError, Seen, Usage, open_upload
from grading.core.records import assess
from grading.core.statuses import Status
from tests.grading.core.builders import ACTION, FACTS, KEY, entries, right


def upload(*records: Any, name: str = "replies.jsonl") -> list[Row | RowError]:
    """What a JSON Lines file of these records is read as."""
    text = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in records)
    return list(open_upload(io.BytesIO(text.encode("utf-8", "surrogatepass")), name).rows)


def one(**fields: Any) -> Row:
    """The row of a record with these fields and a sample id."""
    (found,) = upload({"sample_id": "s1", **fields})
    assert isinstance(found, Row)
    return found


def error(record: Any) -> tuple[str, str, str]:
    """Field, found and expected of a record's error, in a file that is otherwise good."""
    good, found = upload({"sample_id": "good", "completion": "x"}, record)
    assert isinstance(good, Row)
    assert isinstance(found, RowError)
    assert (found.file, found.line) == ("replies.jsonl", 2)
    return found.field, found.found, found.expected


def test_row_with_every_field() -> None:
    row = one(
        epoch=2,
        completion="text",
        model=" Lab/Model\u00a0x ",
        stop_reason="stop",
        usage={"input_tokens": 10, "output_tokens": 5},
        score=1.0,
    )
    assert row == Row(
        line=1,
        sample_id="s1",
        epoch=2,
        completion="text",
        model="Lab/Model x",
        status=Status.ANSWERED,
        raw_marker="stop_reason: stop",
        stop_unknown=False,
        usage=Usage(10, 5),
    )


def test_row_with_the_least() -> None:
    row = one(completion="")
    assert row == Row(1, "s1", 1, "", None, Status.ANSWERED, stop_unknown=True)


@pytest.mark.parametrize(
    ("fields", "status", "unknown"),
    [
        ({"completion": "x", "stop_reason": "end_turn"}, Status.ANSWERED, False),
        ({"completion": "x", "stop_reason": "length"}, Status.TRUNCATED, False),
        ({"completion": "x", "stop_reason": "max_tokens"}, Status.TRUNCATED, False),
        ({"completion": "x", "stop_reason": "content_filter"}, Status.FILTERED, False),
        ({"completion": None, "stop_reason": "refusal"}, Status.REFUSED, False),
        ({"completion": "x", "stop_reason": "tool_calls"}, Status.ANSWERED, True),
        ({"completion": "x", "status": "answered"}, Status.ANSWERED, False),
        (
            {"completion": "x", "status": "truncated", "stop_reason": "stop"},
            Status.TRUNCATED,
            False,
        ),
        ({"completion": None, "status": "filtered"}, Status.FILTERED, False),
        ({"status": "missing"}, Status.MISSING, False),
        ({"completion": None, "error": "HTTP 529 after 5 retries"}, Status.FAILED, False),
        ({"completion": "x", "error": "timeout"}, Status.FAILED, False),
        ({"completion": "x", "error": ""}, Status.ANSWERED, True),
        ({"error": {"code": "content_filter", "message": "blocked"}}, Status.FILTERED, False),
        (
            {"error": {"code": "content_filter_error", "message": "it was filtered"}},
            Status.FAILED,
            False,
        ),
        ({"error": {"message": "I refuse"}}, Status.FAILED, False),
        ({"status": "answered", "error": "boom"}, Status.FAILED, False),
        ({"status": "filtered", "error": "blocked upstream"}, Status.FILTERED, False),
        ({"status": "refused", "stop_reason": "content_filter"}, Status.FILTERED, False),
    ],
)
def test_status(fields: dict[str, Any], status: Status, unknown: bool) -> None:
    row = one(**fields)
    assert (row.status, row.stop_unknown) == (status, unknown)


def test_wording_of_a_reply_is_no_marker() -> None:
    assert one(completion="I'm sorry, I can't help with that.").status is Status.ANSWERED


def test_markers_are_kept() -> None:
    row = one(status="filtered", error={"code": "x1", "message": "why"}, stop_reason="odd")
    assert row.raw_marker == "status: filtered; error: x1: why; stop_reason: odd"
    assert row.error == "x1: why"


@pytest.mark.parametrize("answer", [entries(FACTS, ACTION), {"answer": entries(FACTS, ACTION)}])
def test_answer_object_takes_the_path_of_a_text(answer: Any) -> None:
    row = one(answer=answer)
    assert assess(KEY, row.completion) == assess(KEY, right())


def test_answer_values_that_are_no_numbers() -> None:
    text = (
        '{"sample_id": "s1", "answer": [["N-18", "is", NaN], ["N-57", "is", 1e999], ["N-95", "is", '
    )
    (row,) = upload(text + "9" * 5000 + "]]}")
    assert isinstance(row, Row)
    found = assess(KEY, row.completion).grade
    assert found is not None
    assert (found.facts.stated, found.facts.tp) == (3, 0)


@pytest.mark.parametrize(
    ("record", "field"),
    [
        ({"completion": "x"}, "sample_id"),
        ({"sample_id": 5, "completion": "x"}, "sample_id"),
        ({"sample_id": "", "completion": "x"}, "sample_id"),
        ({"sample_id": "../../etc", "completion": "x"}, "sample_id"),
        ({"sample_id": "a\0b", "completion": "x"}, "sample_id"),
        ({"sample_id": "x" * 65, "completion": "x"}, "sample_id"),
        ({"sample_id": "s", "completion": "x", "epoch": True}, "epoch"),
        ({"sample_id": "s", "completion": "x", "epoch": 0}, "epoch"),
        ({"sample_id": "s", "completion": "x", "epoch": "1"}, "epoch"),
        ({"sample_id": "s", "completion": "x", "epoch": 1.0}, "epoch"),
        ({"sample_id": "s", "completion": "x", "epoch": 10**30}, "epoch"),
        ({"sample_id": "s"}, "completion"),
        ({"sample_id": "s", "completion": None}, "completion"),
        ({"sample_id": "s", "completion": ["x"]}, "completion"),
        ({"sample_id": "s", "completion": True}, "completion"),
        ({"sample_id": "s", "status": "truncated"}, "completion"),
        ({"sample_id": "s", "completion": "x", "answer": []}, "answer"),
        ({"sample_id": "s", "answer": "x"}, "answer"),
        ({"sample_id": "s", "completion": "x", "status": "ok"}, "status"),
        ({"sample_id": "s", "completion": "x", "status": ["answered"]}, "status"),
        ({"sample_id": "s", "completion": "x", "stop_reason": 3}, "stop_reason"),
        ({"sample_id": "s", "completion": "x", "error": 500}, "error"),
        ({"sample_id": "s", "completion": "x", "model": ""}, "model"),
        ({"sample_id": "s", "completion": "x", "model": "a\0"}, "model"),
        ({"sample_id": "s", "completion": "x", "model": ["a"]}, "model"),
        ('{"sample_id": "s", "completion": "x", "completion": "y"}', "completion"),
        ('{"sample_id": "s", "answer": {"answer": [], "answer": []}}', "answer"),
        ("[1, 2]", "row"),
        ('"text"', "row"),
        ("{oops}", "row"),
        ('{"sample_id": "s", "completion": "x\0"}', "row"),
        ('{"sample_id": "s", "answer": ' + "[" * 10_000 + "]" * 10_000 + "}", "row"),
    ],
)
def test_row_error_names_the_field(record: Any, field: str) -> None:
    assert error(record)[0] == field


def test_row_error_says_what_was_found_and_expected() -> None:
    assert error({"sample_id": "s", "completion": "x", "epoch": True}) == (
        "epoch",
        "true",
        "a whole number from 1 to 10000",
    )
    assert error({"sample_id": "s"})[1:] == (
        "nothing",
        "text, or an answer, a status or an error that says why there is none",
    )


def test_row_error_is_one_sentence_and_keeps_the_row() -> None:
    record = '{"sample_id": "s", "epoch": 0, "completion": "é"}'
    found = upload('{"sample_id": "good", "completion": "x"}', record)[1]
    assert isinstance(found, RowError)
    assert str(found) == (
        "replies.jsonl, line 2, epoch: found the number 0; expected a whole number from 1 to 10000"
    )
    assert found.raw == record


def test_deep_nesting_inside_the_text_of_a_reply_is_no_row_error() -> None:
    assert one(completion="[" * 200_000).status is Status.ANSWERED


def test_nul_and_lone_surrogates_in_a_reply_become_replacement_characters() -> None:
    assert one(completion="a\0b\ud800").completion == "a\ufffdb\ufffd"


def test_usage_is_never_a_reason_to_lose_a_row() -> None:
    for usage in (None, 3, [], {}, {"input_tokens": "many"}, {"input_tokens": True}):
        assert one(completion="x", usage=usage).usage is None
    vendor = {"prompt_tokens": 7, "completion_tokens": 2}
    assert one(completion="x", usage=vendor).usage == Usage(7, 2)


# Keys


def test_the_same_reply_twice_is_one() -> None:
    record = {"sample_id": "s", "completion": "x"}
    text = f"{json.dumps(record)}\n{json.dumps({**record, 'epoch': 1})}\n"
    found = open_upload(io.BytesIO(text.encode()), "a.jsonl")
    assert [row.line for row in found.rows] == [1]
    assert found.repeated == 1


def test_different_replies_for_one_key_are_named_and_the_first_is_kept() -> None:
    first, second, other = upload(
        {"sample_id": "s", "completion": "x"},
        {"sample_id": "s", "completion": "y"},
        {"sample_id": "s", "completion": "y", "epoch": 2},
    )
    assert isinstance(first, Row)
    assert isinstance(other, Row)
    assert isinstance(second, RowError)
    assert second.found == "another reply for s, epoch 1"
    assert second.expected == "one reply; the one in replies.jsonl, line 1, is kept"


def test_keys_are_shared_between_the_files_of_a_submission() -> None:
    seen = Seen()
    line = b'{"sample_id": "s", "completion": "x"}'
    first = open_upload(io.BytesIO(line), "a.jsonl", seen)
    second = open_upload(io.BytesIO(line.replace(b'"x"', b'"y"')), "b.jsonl", seen)
    assert [type(row) for row in first.rows] == [Row]
    (conflict,) = second.rows
    assert isinstance(conflict, RowError)
    assert "a.jsonl, line 1" in conflict.expected
