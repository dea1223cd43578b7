"""Plain rows, as JSON Lines or a JSON array: the format of one's own scripts.

``{"sample_id", "completion" | "answer", "model"?, "epoch"?, "stop_reason"?, "status"?, "error"?,
"usage"?}``; other keys are ignored, scores among them.

Status: the strongest of `status`, `error` and `stop_reason`. An error is a failure (filtered, if it
is an object whose code names a filter), unless `status` declares what kind of missing mass it
explains. Without any marker, or with a stop reason that nobody knows, the reply is answered with
`stop_unknown`.
"""

from __future__ import annotations

import json
from typing import Any

from grading.core.formats.base import Format
from grading.core.formats.fields import epoch_of, model_of, sample_id_of, text_of, usage_of
from grading.core.formats.rows import Malformed, Row, told
from grading.core.normal import storable
from grading.core.statuses import STOP_REASONS, Status, provider_error, strongest

__all__ = ["Plain", "plain_row"]

_STATUSES = tuple(status.value for status in Status)
_MAX_MARKER = 200


class Plain(Format):
    """The plain format."""

    name = "plain"
    label = "plain JSON Lines or JSON array"
    id_field = "sample_id"
    layouts = ("lines", "array")

    def matches(self, keys: frozenset[str]) -> bool:
        """Whether rows with these keys are plain ones."""
        return "sample_id" in keys and bool(
            keys & {"completion", "answer", "status", "error", "stop_reason"}
        )

    def row(self, record: dict[str, Any], line: int) -> Row:
        """One row from one object; raises Malformed."""
        completion = _completion(record)
        status, marker, unknown = _status(record)
        if completion is None and status.is_scored:
            raise Malformed(
                "completion",
                "null" if "completion" in record else "nothing",
                "text, or an answer, a status or an error that says why there is none",
            )
        error = _error(record)[0]
        return Row(
            line=line,
            sample_id=sample_id_of(record.get("sample_id")),
            epoch=epoch_of(record.get("epoch")),
            completion=completion,
            model=model_of(record.get("model")),
            status=status,
            raw_marker=marker,
            stop_unknown=unknown,
            usage=usage_of(record.get("usage")),
            error=error or None,
        )


def _completion(record: dict[str, Any]) -> str | None:
    completion, answer = record.get("completion"), record.get("answer")
    if answer is None:
        return None if completion is None else text_of(completion, "completion")
    if completion is not None:
        raise Malformed("answer", "an answer beside a completion", "one of the two")
    if isinstance(answer, list):
        answer = {"answer": answer}
    if not isinstance(answer, dict):
        raise Malformed("answer", told(answer), "the contract's list or its whole object")
    return storable(json.dumps(answer, ensure_ascii=False))


def _status(record: dict[str, Any]) -> tuple[Status, str, bool]:
    """Status, raw marker, and whether nothing tells how the reply ended."""
    declared, stop = record.get("status"), record.get("stop_reason")
    error, code = _error(record)
    found: list[Status] = []
    markers = []
    if declared is not None:
        if declared not in _STATUSES:
            raise Malformed("status", told(declared), f"one of {', '.join(_STATUSES)}")
        found.append(Status(declared))
        markers.append(f"status: {declared}")
    if error and all(status.is_scored for status in found):
        found.append(provider_error(code))
    if error:
        markers.append(f"error: {error}")
    if stop is not None:
        reason = text_of(stop, "stop_reason")
        markers.append(f"stop_reason: {reason}")
        if reason in STOP_REASONS:
            found.append(STOP_REASONS[reason])
    marker = "; ".join(markers)[:_MAX_MARKER]
    return strongest(found or [Status.ANSWERED]), marker, not found


def _error(record: dict[str, Any]) -> tuple[str, str | None]:
    """An error's words and its code; empty words for none."""
    match record.get("error"):
        case None | "":
            return "", None
        case str() as message:
            return storable(message), None
        case {"code": str() as code, **rest}:
            detail = rest.get("message")
            return storable(f"{code}: {detail}" if isinstance(detail, str) else code), code
        case {"message": str() as detail}:
            return storable(detail), None
        case other:
            raise Malformed("error", told(other), "text, an object with code and message, or null")


def plain_row(row: Row) -> str:
    """A row of any format in the words of this one, as one line of JSON."""
    fields = {
        "sample_id": row.sample_id,
        "epoch": row.epoch,
        "completion": row.completion,
        "model": row.model,
        "status": None if row.stop_unknown else row.status.value,
        "error": row.error,
    }
    return json.dumps({k: v for k, v in fields.items() if v is not None}, ensure_ascii=False)
