"""Inspect logs as one JSON object: statuses, what is graded, and what is not."""

from __future__ import annotations

import gzip
import io
import json
from typing import Any

import pytest

from grading.core.formats import FileRejected, Row, RowError, open_upload
from grading.core.statuses import Status
from tests.grading.core.formats.builders import DATA, HEADER, log, output, sample


def read(data: bytes) -> list[Row | RowError]:
    upload = open_upload(io.BytesIO(data), "log.json")
    assert upload.format == "inspect-json"
    return list(upload.rows)


def only(data: bytes) -> Row:
    (row,) = read(data)
    assert isinstance(row, Row), str(row)
    return row


def test_the_log_that_inspect_wrote() -> None:
    rows = read((DATA / "sample_inspect.json").read_bytes())
    assert [(row.sample_id[8:], row.status) for row in rows if isinstance(row, Row)] == [
        ("f001-explicit-maritime-r1", Status.FILTERED),
        ("f001-implicit-maritime-r1", Status.ANSWERED),
        ("f002-explicit-manor-r1", Status.ANSWERED),
        ("f002-implicit-manor-r1", Status.TRUNCATED),
    ]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("packed", [False, True])
def test_a_sample_becomes_a_row(indent: int | None, packed: bool) -> None:
    data = log(sample(epoch=2), indent=indent)
    row = only(gzip.compress(data) if packed else data)
    assert (row.sample_id, row.epoch) == ("ef1-chain-L00-maritime-s0-imp1", 2)
    assert (row.completion, row.model, row.raw_marker) == (
        "reply",
        "openai/gpt-x",
        "stop_reason: stop",
    )
    assert row.usage is not None
    assert (row.usage.input_tokens, row.usage.output_tokens) == (10, 5)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"output": output(reason="stop")}, Status.ANSWERED),
        ({"output": output(reason="max_tokens")}, Status.TRUNCATED),
        ({"output": output(reason="model_length")}, Status.TRUNCATED),
        ({"output": output(reason="content_filter")}, Status.FILTERED),
        ({"output": output() | {"choices": []}}, Status.FAILED),
        ({"output": output() | {"choices": []}, "limit": {"type": "time"}}, Status.TRUNCATED),
        ({"limit": {"type": "token", "limit": 100}}, Status.TRUNCATED),
        ({"limit": {"type": "token"}, "output": output(reason="content_filter")}, Status.FILTERED),
        ({"error": {"message": "boom"}, "output": output(reason="content_filter")}, Status.FAILED),
        ({"output": output("sorry", reason="unknown", error="500")}, Status.FAILED),
    ],
)
def test_status(fields: dict[str, Any], status: Status) -> None:
    row = only(log(sample(**fields)))
    assert row.status is status
    assert not row.stop_unknown
    assert (row.completion is None) == (not status.is_scored)


def test_an_unknown_stop_reason_leaves_the_reply_answered() -> None:
    row = only(log(sample(output=output(reason="unknown"))))
    assert (row.status, row.stop_unknown, row.completion) == (Status.ANSWERED, True, "reply")


REFUSING_PART = [{"type": "text", "text": "I will not", "refusal": True}]


@pytest.mark.parametrize(
    "told",
    [
        output(reason="content_filter", choice={"stop_details": {"type": "refusal"}}),
        output(reason="content_filter", stop_details={"type": "refusal"}),
        output(reason="content_filter", metadata={"stop_details": {"type": "refusal"}}),
        output(REFUSING_PART, reason="content_filter"),
    ],
)
def test_a_refusal_is_told_from_a_filter_for_anthropic_alone(told: dict[str, Any]) -> None:
    assert only(log(sample(output=told), model="anthropic/c")).status is Status.REFUSED
    assert only(log(sample(output=told), model="openai/c")).status is Status.FILTERED


@pytest.mark.parametrize("told", [{"error": "too long"}, {"usage": None}])
def test_a_rejected_request_is_never_graded(told: dict[str, Any]) -> None:
    """Inspect puts the provider's words where the reply would be."""
    words = '{"answer": [["A-1", "is", 4]]}'
    row = only(log(sample(output=output(words, "model_length", completion=words, **told))))
    assert (row.status, row.completion) == (Status.TRUNCATED, "")
    assert row.error == told.get("error", words)


def test_parts_of_a_message_are_joined_and_reasoning_is_left_out() -> None:
    parts = [
        {"type": "reasoning", "reasoning": "hm"},
        {"type": "text", "text": "one"},
        {"type": "text", "text": "two"},
    ]
    assert only(log(sample(output=output(parts)))).completion == "one\ntwo"
    assert only(log(sample(output=output(parts, completion="as stored")))).completion == "as stored"


def test_attachments() -> None:
    kept = {"a" * 32: "the long reply"}
    moved = output("attachment://" + "a" * 32)
    assert only(log(sample(output=moved, attachments=kept))).completion == "the long reply"
    unknown = "attachment://" + "b" * 32
    assert only(log(sample(output=output(unknown), attachments=kept))).completion == unknown


def test_scores_are_not_read_even_when_they_are_no_numbers() -> None:
    scores = {"ours": {"value": float("nan")}, "theirs": {"value": float("inf")}}
    data = log(sample(scores=scores))
    assert b"NaN" in data
    assert only(data).completion == "reply"


def test_a_bad_sample_costs_itself_alone() -> None:
    good = [sample(id="s1"), sample(id="s3")]
    bad, first, second = sample(id=7), *good
    rows = read(log(first, bad, second, sample(id="s4", output=None)))
    assert [row.sample_id for row in rows if isinstance(row, Row)] == ["s1", "s3"]
    told = [str(row) for row in rows if isinstance(row, RowError)]
    assert "line 2, sample_id: found the number 7" in told[0]
    assert "line 4, output: found null" in told[1]


def test_a_log_that_breaks_off_keeps_its_whole_samples() -> None:
    data = log(sample(id="s1"), sample(id="s2"))
    rows = read(data[: data.index(b'"s2"') + 40])
    assert [row.sample_id for row in rows if isinstance(row, Row)] == ["s1"]
    assert "the end of the array" in str(rows[-1])


def test_a_log_without_samples_is_told() -> None:
    (error,) = read(json.dumps(HEADER, indent=2).encode())
    assert "no list under samples" in str(error)


def test_another_object_is_refused() -> None:
    with pytest.raises(FileRejected, match="Inspect log"):
        open_upload(io.BytesIO(json.dumps({"eval": 1, "x": 2}, indent=2).encode()), "f.json")
