"""The vendors' batch files and lm-eval samples, in the shapes of their published types."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from grading.core.formats import Row, RowError, Seen, Upload, open_upload
from grading.core.statuses import Status


def upload(*records: Any, name: str = "batch.jsonl", seen: Seen | None = None) -> Upload:
    data = "\n".join(json.dumps(record) for record in records).encode()
    return open_upload(io.BytesIO(data), name, seen)


def one(record: Any) -> Row:
    (found,) = upload(record).rows
    assert isinstance(found, Row), found
    return found


def row_error(good: Any, bad: Any) -> RowError:
    _, found = upload(good, bad).rows
    assert isinstance(found, RowError)
    return found


# OpenAI


def openai(body: Any, *, status: int = 200, error: Any = None, custom_id: str = "s1") -> Any:
    response = None if body is None else {"status_code": status, "body": body}
    return {"id": "batch_req_1", "custom_id": custom_id, "response": response, "error": error}


def chat(content: str | None = "text", reason: str = "stop", refusal: str | None = None) -> Any:
    message = {"role": "assistant", "content": content, "refusal": refusal}
    usage = {"prompt_tokens": 9, "completion_tokens": 4}
    choices = [{"index": 0, "message": message, "finish_reason": reason}]
    return {"object": "chat.completion", "model": "gpt-x", "choices": choices, "usage": usage}


def responses(*output: Any, status: str = "completed", reason: str | None = None) -> Any:
    details = None if reason is None else {"reason": reason}
    return {
        "object": "response",
        "model": "gpt-x",
        "status": status,
        "error": None,
        "incomplete_details": details,
        "output": list(output),
    }


def message(*parts: Any) -> Any:
    return {"type": "message", "role": "assistant", "content": list(parts)}


TEXT = {"type": "output_text", "text": "text"}


def test_openai_chat_reply() -> None:
    row = one(openai(chat(), custom_id="ef1-chain-L00-maritime-s0-imp1__e12"))
    assert (row.sample_id, row.epoch) == ("ef1-chain-L00-maritime-s0-imp1", 12)
    assert (row.completion, row.model, row.raw_marker) == ("text", "gpt-x", "finish_reason: stop")
    assert row.usage is not None
    assert (row.usage.input_tokens, row.usage.output_tokens) == (9, 4)


@pytest.mark.parametrize(
    ("body", "status", "unknown"),
    [
        (chat(), Status.ANSWERED, False),
        (chat(reason="length"), Status.TRUNCATED, False),
        (chat("", reason="content_filter"), Status.FILTERED, False),
        (chat(None, refusal="I can't."), Status.REFUSED, False),
        (chat(None, reason="content_filter", refusal="I can't."), Status.FILTERED, False),
        (chat(reason="tool_calls"), Status.ANSWERED, True),
        (responses(message(TEXT)), Status.ANSWERED, False),
        (responses(status="incomplete", reason="max_output_tokens"), Status.TRUNCATED, False),
        (responses(status="incomplete", reason="content_filter"), Status.FILTERED, False),
        (responses(message({"type": "refusal", "refusal": "no"})), Status.REFUSED, False),
        (responses(status="failed"), Status.FAILED, False),
        (responses(status="in_progress"), Status.ANSWERED, True),
    ],
)
def test_openai_status(body: Any, status: Status, unknown: bool) -> None:
    row = one(openai(body))
    assert (row.status, row.stop_unknown) == (status, unknown)


def test_openai_text_is_every_text_part_of_every_message() -> None:
    thought = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "draft"}]}
    call = {"type": "function_call", "arguments": "{}"}
    row = one(openai(responses(thought, message(TEXT, TEXT), call, message(TEXT))))
    assert row.completion == "texttexttext"


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("content_filter", Status.FILTERED),
        ("content_policy_violation", Status.FILTERED),
        ("invalid_prompt", Status.FILTERED),
        ("content_filter_error", Status.FAILED),
        ("context_length_exceeded", Status.FAILED),
        (None, Status.FAILED),
    ],
)
def test_openai_failure_inside_the_body(code: str | None, status: Status) -> None:
    row = one(openai({"error": {"code": code, "message": "it was filtered"}}, status=400))
    assert (row.status, row.completion) == (status, None)
    assert row.error == ("it was filtered" if code is None else f"{code}: it was filtered")


def test_openai_failure_without_a_response() -> None:
    row = one(openai(None, error={"code": "batch_expired", "message": "too late"}))
    assert (row.status, row.error) == (Status.FAILED, "batch_expired: too late")


def test_openai_output_and_error_files_are_one_submission() -> None:
    seen = Seen()
    output = upload(openai(chat(), custom_id="a"), seen=seen)
    errors = upload(openai({"error": {"code": "x"}}, status=500, custom_id="b"), seen=seen)
    found = [*output.rows, *errors.rows]
    assert [(row.sample_id, row.status) for row in found if isinstance(row, Row)] == [
        ("a", Status.ANSWERED),
        ("b", Status.FAILED),
    ]


def test_batch_rows_belong_to_their_ids_in_any_order() -> None:
    records = [openai(chat(f"text {i}"), custom_id=f"s{i}") for i in (3, 1, 2)]
    found = [
        (row.sample_id, row.completion) for row in upload(*records).rows if isinstance(row, Row)
    ]
    assert found == [("s3", "text 3"), ("s1", "text 1"), ("s2", "text 2")]


@pytest.mark.parametrize(
    ("record", "field"),
    [
        (openai(chat(), custom_id="no such id!"), "sample_id"),
        (openai(chat(), custom_id="s1__e0"), "epoch"),
        ({**openai(chat()), "custom_id": 7}, "custom_id"),
        (openai([]), "response"),
        (openai({"choices": []}), "response.body.choices"),
        (openai({"object": "list"}), "response.body"),
    ],
)
def test_openai_row_error(record: Any, field: str) -> None:
    assert row_error(openai(chat(), custom_id="good"), record).field == field


# Anthropic


def anthropic(result: Any, custom_id: str = "s1") -> Any:
    return {"custom_id": custom_id, "result": result}


def succeeded(*content: Any, reason: str | None = "end_turn") -> Any:
    usage = {"input_tokens": 9, "output_tokens": 4}
    text = {"model": "claude-x", "content": list(content), "stop_reason": reason, "usage": usage}
    return anthropic({"type": "succeeded", "message": text})


def errored(kind: str, words: str) -> Any:
    inner = {"type": "error", "error": {"type": kind, "message": words}, "request_id": "r"}
    return anthropic({"type": "errored", "error": inner})


BLOCK = {"type": "text", "text": "text"}
BLOCKED = errored("invalid_request_error", "Output blocked by content filtering policy")
THOUGHT = {"type": "thinking", "thinking": "draft", "signature": "s"}


@pytest.mark.parametrize(
    ("record", "status", "unknown"),
    [
        (succeeded(BLOCK), Status.ANSWERED, False),
        (succeeded(BLOCK, reason="stop_sequence"), Status.ANSWERED, False),
        (succeeded(BLOCK, reason="max_tokens"), Status.TRUNCATED, False),
        (succeeded(BLOCK, reason="model_context_window_exceeded"), Status.TRUNCATED, False),
        (succeeded(reason="refusal"), Status.REFUSED, False),
        (succeeded(BLOCK, reason="pause_turn"), Status.ANSWERED, True),
        (succeeded(BLOCK, reason=None), Status.ANSWERED, True),
        (BLOCKED, Status.FILTERED, False),
        (errored("overloaded_error", "Overloaded"), Status.FAILED, False),
        (anthropic({"type": "expired"}), Status.FAILED, False),
        (anthropic({"type": "canceled"}), Status.FAILED, False),
    ],
)
def test_anthropic_status(record: Any, status: Status, unknown: bool) -> None:
    row = one(record)
    assert (row.status, row.stop_unknown) == (status, unknown)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([THOUGHT, BLOCK], "text"),
        ([{"type": "redacted_thinking", "data": "x"}, THOUGHT, BLOCK], "text"),
        ([BLOCK, BLOCK], "texttext"),
        ([THOUGHT], ""),
        ([BLOCK, {"type": "tool_use", "input": {}}], "text"),
        ([], ""),
    ],
)
def test_anthropic_text_is_every_text_block(content: list[Any], text: str) -> None:
    assert one(succeeded(*content)).completion == text


def test_anthropic_keeps_the_innermost_reason() -> None:
    row = one(errored("overloaded_error", "Overloaded"))
    assert (row.error, row.raw_marker) == (
        "overloaded_error: Overloaded",
        "result: errored; overloaded_error",
    )


@pytest.mark.parametrize(
    ("record", "field"),
    [
        (anthropic({"type": "odd"}), "result"),
        (anthropic(None), "result"),
        (anthropic({"type": "succeeded", "message": {"content": "x"}}), "result.message.content"),
        (anthropic({"type": "expired"}, custom_id="a/b"), "sample_id"),
    ],
)
def test_anthropic_row_error(record: Any, field: str) -> None:
    good = anthropic({"type": "expired"}, custom_id="good")
    assert row_error(good, record).field == field


# lm-eval


def sample(text: Any = "text", filter_name: str = "none", sample_id: str = "s1") -> Any:
    return {
        "doc_id": 0,
        "doc": {"sample_id": sample_id, "prompt": "…"},
        "resps": [[text]],
        "filtered_resps": ["cut"],
        "filter": filter_name,
        "fact_f1": 1.0,
    }


def test_lm_eval_sample() -> None:
    row = one(sample())
    assert (row.sample_id, row.completion, row.status) == ("s1", "text", Status.ANSWERED)
    assert row.stop_unknown


def test_lm_eval_has_one_row_per_filter_and_one_reply() -> None:
    found = upload(sample(), sample(filter_name="strict"), sample("other", sample_id="s2"))
    rows = [row for row in found.rows if isinstance(row, Row)]
    assert ([row.sample_id for row in rows], found.repeated) == (["s1", "s2"], 1)


@pytest.mark.parametrize(
    ("record", "field"),
    [
        (sample(5), "resps"),
        ({**sample(), "resps": [["a", "b"]]}, "resps"),
        ({**sample(), "doc": "x"}, "doc"),
        ({**sample(), "doc": {"id": 1}}, "sample_id"),
    ],
)
def test_lm_eval_row_error(record: Any, field: str) -> None:
    assert row_error(sample(sample_id="good"), record).field == field


# Which is which


def test_formats_are_told_by_their_keys() -> None:
    assert [upload(record).format for record in (openai(chat()), succeeded(BLOCK), sample())] == [
        "openai-batch",
        "anthropic-batch",
        "lm-eval",
    ]
