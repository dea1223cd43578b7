"""Inspect logs as JSON: one object with a header and, under `samples`, one object per sample.

`sample_id` is the sample's `id`, which is what our export gives Inspect; `epoch` is its `epoch`.
The model is the one that the header names, so that every sample of a log has the same.

Status: the strongest of `sample.error` (failed), the stop reason of the first choice and
`sample.limit` (truncated). A sample without choices failed, unless a limit says why there are none.
`content_filter` is what Inspect calls both a refusal and a filter; Anthropic's details tell them
apart. A provider that rejects a request leaves its own words in `completion`: they are kept as the
error and never graded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from grading.core.formats.base import Format
from grading.core.formats.fields import epoch_of, model_of, sample_id_of, usage_of
from grading.core.formats.members import text_at
from grading.core.formats.rows import Malformed, Row, told
from grading.core.formats.source import Layout, Source
from grading.core.formats.stream import Piece
from grading.core.normal import storable
from grading.core.statuses import Status, strongest

__all__ = ["InspectJson"]

_ATTACHMENT = "attachment://"
_STOP_REASONS = {
    "stop": Status.ANSWERED,
    "max_tokens": Status.TRUNCATED,
    "model_length": Status.TRUNCATED,
    "content_filter": Status.FILTERED,
}
_REJECTIONS = ("model_length", "content_filter")
_MAX_ERROR = 2000
_MAX_MARKER = 200


class InspectJson(Format):
    """The format of Inspect's `--log-format json`."""

    name = "inspect-json"
    label = "Inspect log (.json)"
    id_field = "id"
    layouts: ClassVar[tuple[Layout, ...]] = ("lines", "object")

    def __init__(self, model: str | None = None) -> None:
        self._model = model

    def matches(self, keys: frozenset[str]) -> bool:
        """Whether an object with these keys is such a log."""
        return {"eval", "status", "version"} <= keys

    def opened(self, source: Source) -> Format:
        """Take the model from the header."""
        return InspectJson(text_at(source.head, ("eval", "model")))

    def pieces(self, source: Source) -> Iterator[Piece]:
        """The samples, one at a time."""
        return source.members("samples")

    def row(self, record: dict[str, Any], line: int) -> Row:
        """One row from one sample; raises Malformed."""
        output = record.get("output")
        if not isinstance(output, dict):
            raise Malformed("output", told(output), "an object with choices")
        model = model_of(self._model or output.get("model") or None)
        status, markers, known = _status(record, output, model or "")
        reply = _resolved(_text(output), record.get("attachments"))
        words = _error(record, output)
        if _was_rejected(output):
            reply, words = "", words or reply
        return Row(
            line=line,
            sample_id=sample_id_of(record.get("id")),
            epoch=epoch_of(record.get("epoch")),
            completion=storable(reply) if status.is_scored else None,
            model=model,
            status=status,
            raw_marker=storable("; ".join(markers))[:_MAX_MARKER],
            stop_unknown=not known,
            usage=usage_of(output.get("usage")),
            error=storable(words)[:_MAX_ERROR] or None,
        )


def _status(
    record: dict[str, Any], output: dict[str, Any], model: str
) -> tuple[Status, list[str], bool]:
    """Status, raw markers, and whether anything tells how the reply ended."""
    found: list[Status] = []
    markers = []
    choice = _choice(output)
    reason = choice.get("stop_reason")
    if choice:
        markers.append(f"stop_reason: {reason}")
        if reason == "content_filter" and _is_refusal(choice, output, model):
            markers.append("refusal")
            found.append(Status.REFUSED)
        elif isinstance(reason, str) and reason in _STOP_REASONS:
            found.append(_STOP_REASONS[reason])
    if limit := record.get("limit"):
        kind = limit.get("type") if isinstance(limit, dict) else limit
        markers.append(f"limit: {kind}")
        found.append(Status.TRUNCATED)
    elif not choice:
        markers.append("no choices")
        found.append(Status.FAILED)
    if record.get("error"):
        markers.append("error")
        found.append(Status.FAILED)
    if output.get("error") and reason not in _REJECTIONS:
        markers.append("output.error")
        found.append(Status.FAILED)
    return strongest(found or [Status.ANSWERED]), markers, bool(found)


def _choice(output: dict[str, Any]) -> dict[str, Any]:
    """The first choice; an empty object for none."""
    match output.get("choices"):
        case [dict() as choice, *_]:
            return choice
        case None | []:
            return {}
        case other:
            raise Malformed("output.choices", told(other), "a list of choices")


def _is_refusal(choice: dict[str, Any], output: dict[str, Any], model: str) -> bool:
    """Whether Anthropic says that the model refused, in details or in a part of the content."""
    if not model.startswith("anthropic/"):
        return False
    metadata = output.get("metadata")
    places = (choice, output, metadata if isinstance(metadata, dict) else {})
    for place in places:
        details = place.get("stop_details")
        if isinstance(details, dict) and details.get("type") == "refusal":
            return True
    return any(part.get("refusal") is True for part in _content_parts(choice))


def _was_rejected(output: dict[str, Any]) -> bool:
    """Whether the provider turned the request down: it says so, or no token was ever counted."""
    reason = _choice(output).get("stop_reason")
    return bool(output.get("error")) or (reason in _REJECTIONS and not output.get("usage"))


def _text(output: dict[str, Any]) -> str:
    """The completion, or else the text of the first choice, as Inspect puts it together."""
    completion = output.get("completion")
    if isinstance(completion, str) and completion:
        return completion
    choice = _choice(output)
    message = choice.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return content
    texts = [part.get("text") for part in _content_parts(choice) if part.get("type") == "text"]
    return "\n".join(text for text in texts if isinstance(text, str))


def _content_parts(choice: dict[str, Any]) -> list[dict[str, Any]]:
    message = choice.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


def _resolved(text: str, attachments: object) -> str:
    """A text that was moved among the sample's attachments, from there."""
    if text.startswith(_ATTACHMENT) and isinstance(attachments, dict):
        found = attachments.get(text.removeprefix(_ATTACHMENT))
        return found if isinstance(found, str) else text
    return text


def _error(record: dict[str, Any], output: dict[str, Any]) -> str:
    """The words of an error, of the sample or of the provider."""
    for error in (record.get("error"), output.get("error")):
        if isinstance(error, dict) and isinstance(error.get("message"), str):
            return str(error["message"])
        if isinstance(error, str) and error:
            return error
    return ""
