"""OpenAI batch files: the output file and the error file, chat and responses bodies.

A failed request may stand in either file, with `error` null and the failure inside
`response.body`; so a reply is one only if its HTTP status is 200 and its body has one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grading.core.formats.base import Format
from grading.core.formats.batch import key_of, worded
from grading.core.formats.fields import model_of, usage_of
from grading.core.formats.rows import Malformed, Row, told
from grading.core.normal import storable
from grading.core.statuses import STOP_REASONS, Status, provider_error, strongest

__all__ = ["OpenAIBatch"]

_OK = 200
_FINISH_REASONS = ("stop", "length", "content_filter")


class OpenAIBatch(Format):
    """The format of OpenAI's batch API, and of those who copied it."""

    name = "openai-batch"
    label = "OpenAI batch output and errors"
    id_field = "custom_id"
    layouts = ("lines",)

    def matches(self, keys: frozenset[str]) -> bool:
        """Whether rows with these keys are lines of such a batch."""
        return "custom_id" in keys and "response" in keys

    def row(self, record: dict[str, Any], line: int) -> Row:
        """One row from one line; raises Malformed."""
        key = key_of(record.get("custom_id"))
        response = record.get("response")
        if response is None:
            return _failed(key, line, record.get("error"), "error")
        if not isinstance(response, dict) or not isinstance(response.get("body"), dict):
            raise Malformed("response", told(response), "an object with a body, or null")
        body = response["body"]
        if response.get("status_code", _OK) != _OK or body.get("error") is not None:
            return _failed(key, line, body.get("error"), f"HTTP {response.get('status_code')}")
        if isinstance(body.get("choices"), list):
            return _chat(key, line, body)
        if isinstance(body.get("output"), list):
            return _responses(key, line, body)
        raise Malformed("response.body", told(body), "choices (chat) or output (responses)")


def _failed(key: tuple[str, int], line: int, error: object, marker: str) -> Row:
    raw = error if isinstance(error, dict) else {}
    code = raw.get("code") if isinstance(raw.get("code"), str) else None
    words = worded(code, raw.get("message")) or (error if isinstance(error, str) else marker)
    return Row(
        line=line,
        sample_id=key[0],
        epoch=key[1],
        completion=None,
        model=None,
        status=provider_error(code),
        raw_marker=storable(worded(marker, code)),
        error=storable(words),
    )


def _chat(key: tuple[str, int], line: int, body: dict[str, Any]) -> Row:
    choice = body["choices"][0] if body["choices"] else {}
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        raise Malformed("response.body.choices", told(body["choices"]), "a choice with a message")
    reason = choice.get("finish_reason")
    markers = [f"finish_reason: {reason}"]
    found = [STOP_REASONS[reason]] if reason in _FINISH_REASONS else []
    if message.get("refusal") is not None:
        markers.append("refusal")
        found.append(Status.REFUSED)
    text = message.get("content")
    return _row(key, line, body, text if isinstance(text, str) else "", found, markers)


def _responses(key: tuple[str, int], line: int, body: dict[str, Any]) -> Row:
    parts = list(_parts(body["output"]))
    details = body.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, dict) else None
    status = body.get("status")
    markers = [f"status: {status}"]
    found = []
    if status == "completed":
        found.append(Status.ANSWERED)
    elif status == "incomplete" and isinstance(reason, str):
        markers.append(f"reason: {reason}")
        found += [STOP_REASONS[reason]] if reason in STOP_REASONS else []
    elif status in ("failed", "cancelled"):
        found.append(Status.FAILED)
    if any(part.get("type") == "refusal" for part in parts):
        markers.append("refusal")
        found.append(Status.REFUSED)
    texts = [part.get("text") for part in parts if part.get("type") == "output_text"]
    text = "".join(text for text in texts if isinstance(text, str))
    return _row(key, line, body, text, found, markers)


def _parts(output: Iterable[object]) -> Iterable[dict[str, Any]]:
    """The content parts of every message, in order; reasoning and tool calls are left out."""
    for item in output:
        if isinstance(item, dict) and item.get("type") == "message":
            content = item.get("content")
            for part in content if isinstance(content, list) else []:
                if isinstance(part, dict):
                    yield part


def _row(
    key: tuple[str, int],
    line: int,
    body: dict[str, Any],
    text: str,
    found: list[Status],
    markers: list[str],
) -> Row:
    return Row(
        line=line,
        sample_id=key[0],
        epoch=key[1],
        completion=storable(text),
        model=model_of(body.get("model")),
        status=strongest(found or [Status.ANSWERED]),
        raw_marker=storable("; ".join(markers)),
        stop_unknown=not found,
        usage=usage_of(body.get("usage")),
    )
