"""Anthropic batch results: succeeded, errored, expired and canceled requests in one file.

The text of a message is all its text blocks in order; thinking and tool blocks are no text.
"""

from __future__ import annotations

from typing import Any

from grading.core.formats.base import Format
from grading.core.formats.batch import key_of, worded
from grading.core.formats.fields import model_of, usage_of
from grading.core.formats.rows import Malformed, Row, told
from grading.core.normal import storable
from grading.core.statuses import STOP_REASONS, Status

__all__ = ["AnthropicBatch"]

_FILTERING = "content filtering"


class AnthropicBatch(Format):
    """The format of Anthropic's message batches."""

    name = "anthropic-batch"
    label = "Anthropic batch results"
    id_field = "custom_id"
    layouts = ("lines",)

    def matches(self, keys: frozenset[str]) -> bool:
        """Whether rows with these keys are lines of such a batch."""
        return "custom_id" in keys and "result" in keys

    def row(self, record: dict[str, Any], line: int) -> Row:
        """One row from one line; raises Malformed."""
        key = key_of(record.get("custom_id"))
        match record.get("result"):
            case {"type": "succeeded", "message": dict() as message}:
                return _message(key, line, message)
            case {"type": "errored", "error": dict() as error}:
                return _errored(key, line, error)
            case {"type": ("expired" | "canceled") as how}:
                return _failed(key, line, f"result: {how}", Status.FAILED, how)
            case other:
                expected = "a result that succeeded, errored, expired or was canceled"
                raise Malformed("result", told(other), expected)


def _message(key: tuple[str, int], line: int, message: dict[str, Any]) -> Row:
    content = message.get("content")
    if not isinstance(content, list):
        raise Malformed("result.message.content", told(content), "a list of content blocks")
    texts = [
        block["text"]
        for block in content
        if isinstance(block, dict)
        and block.get("type") == "text"
        and isinstance(block.get("text"), str)
    ]
    reason = message.get("stop_reason")
    status = STOP_REASONS.get(reason) if isinstance(reason, str) else None
    return Row(
        line=line,
        sample_id=key[0],
        epoch=key[1],
        completion=storable("".join(texts)),
        model=model_of(message.get("model")),
        status=status or Status.ANSWERED,
        raw_marker=storable(f"stop_reason: {reason}"),
        stop_unknown=status is None,
        usage=usage_of(message.get("usage")),
    )


def _errored(key: tuple[str, int], line: int, error: dict[str, Any]) -> Row:
    """The innermost error tells; its message names content filtering where that was the cause."""
    inner = error.get("error") if isinstance(error.get("error"), dict) else error
    assert isinstance(inner, dict)
    kind, message = inner.get("type"), inner.get("message")
    filtered = isinstance(message, str) and _FILTERING in message.lower()
    status = Status.FILTERED if filtered else Status.FAILED
    return _failed(key, line, f"result: errored; {kind}", status, worded(kind, message))


def _failed(key: tuple[str, int], line: int, marker: str, status: Status, words: str) -> Row:
    return Row(
        line=line,
        sample_id=key[0],
        epoch=key[1],
        completion=None,
        model=None,
        status=status,
        raw_marker=storable(marker),
        error=storable(words),
    )
