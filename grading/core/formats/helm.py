"""HELM's scenario_state.json: one object with, under `request_states`, one object per request.

HELM may number instances anew, so the sample id is `instance.extra_data.sample_id` where a scenario
set it, else `instance.id`. The epoch is `train_trial_index` + 1. Only requests for a completion
have one: a file of several adapters' requests has several replies for one key, which is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from grading.core.formats.base import Format
from grading.core.formats.fields import epoch_of, model_of, sample_id_of, text_of
from grading.core.formats.rows import Malformed, Row, told
from grading.core.formats.source import Source
from grading.core.formats.stream import Piece
from grading.core.normal import storable
from grading.core.statuses import Status

__all__ = ["Helm"]

_FINISH_REASONS = {
    "stop": Status.ANSWERED,
    "endoftext": Status.ANSWERED,
    "length": Status.TRUNCATED,
    "content_filter": Status.FILTERED,
}
_FILTER = re.compile(r"content[ _-]?(?:filter|policy)|content (?:was )?blocked|safety filter")
_OUTAGE = re.compile(r"content_filter_error|timed out|timeout|unable to determine")
_MAX_ERROR = 2000


class Helm(Format):
    """The format of HELM's runs."""

    name = "helm"
    label = "HELM scenario_state.json"
    id_field = "instance.extra_data.sample_id or instance.id"
    layouts = ("lines", "object")

    def matches(self, keys: frozenset[str]) -> bool:
        """Whether an object with these keys is such a file."""
        return {"adapter_spec", "request_states"} <= keys

    def pieces(self, source: Source) -> Iterator[Piece]:
        """The request states, one at a time."""
        return source.members("request_states")

    def row(self, record: dict[str, Any], line: int) -> Row:
        """One row from one request state; raises Malformed."""
        instance, result = record.get("instance"), record.get("result")
        if not isinstance(instance, dict):
            raise Malformed("instance", told(instance), "an object with an id")
        if not isinstance(result, dict):
            raise Malformed("result", told(result), "an object with completions")
        request = record.get("request")
        status, marker = _status(result)
        error = result.get("error")
        return Row(
            line=line,
            sample_id=sample_id_of(_id(instance)),
            epoch=epoch_of(_epoch(record.get("train_trial_index"))),
            completion=_completion(result) if (status or Status.ANSWERED).is_scored else None,
            model=model_of(request.get("model") if isinstance(request, dict) else None),
            status=status or Status.ANSWERED,
            raw_marker=marker,
            stop_unknown=status is None,
            error=storable(error)[:_MAX_ERROR] if isinstance(error, str) and error else None,
        )


def _id(instance: dict[str, Any]) -> object:
    match instance.get("extra_data"):
        case {"sample_id": str() as sample_id}:
            return sample_id
    return instance.get("id")


def _epoch(trial: object) -> object:
    return trial + 1 if isinstance(trial, int) and not isinstance(trial, bool) else trial


def _completion(result: dict[str, Any]) -> str:
    match result.get("completions"):
        case [{"text": text}]:
            return text_of(text, "result.completions")
        case other:
            raise Malformed("result.completions", told(other), "one completion with a text")


def _status(result: dict[str, Any]) -> tuple[Status | None, str]:
    """Status, None where nothing tells it, and the raw marker."""
    if result.get("success") is False:
        words = str(result.get("error") or "").lower()
        filtered = _FILTER.search(words) and not _OUTAGE.search(words)
        return (Status.FILTERED if filtered else Status.FAILED), "success: false"
    match result.get("completions"):
        case [{"finish_reason": {"reason": str() as reason}}, *_]:
            return _FINISH_REASONS.get(reason), storable(f"finish_reason: {reason}")[:200]
    return None, ""
