"""HELM's scenario states."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from grading.core.formats import Row, RowError, open_upload
from grading.core.statuses import Status


def state(**changed: Any) -> dict[str, Any]:
    fields = {
        "instance": {"input": {"text": "…"}, "references": [], "split": "test", "id": "s1"},
        "train_trial_index": 0,
        "request": {"model": "openai/gpt-x", "prompt": "…"},
        "result": result("stop"),
    }
    return fields | changed


def result(reason: str | None, **changed: Any) -> dict[str, Any]:
    completion = {"text": "reply", "logprob": 0, "tokens": []}
    if reason is not None:
        completion["finish_reason"] = {"reason": reason}
    return {
        "success": True,
        "embedding": [],
        "completions": [completion],
        "cached": False,
    } | changed


def failure(error: str) -> dict[str, Any]:
    return {"success": False, "embedding": [], "completions": [], "error": error, "cached": False}


def read(*states: dict[str, Any], indent: int | None = 2) -> list[Row | RowError]:
    data = {"adapter_spec": {"method": "generation", "stop_sequences": ["]"]}}
    text = json.dumps(data | {"request_states": states, "annotator_specs": []}, indent=indent)
    upload = open_upload(io.BytesIO(text.encode()), "scenario_state.json")
    assert upload.format == "helm"
    return list(upload.rows)


@pytest.mark.parametrize("indent", [None, 2])
def test_a_request_state_becomes_a_row(indent: int | None) -> None:
    (row,) = read(state(train_trial_index=1), indent=indent)
    assert isinstance(row, Row)
    assert (row.sample_id, row.epoch, row.completion) == ("s1", 2, "reply")
    assert (row.model, row.raw_marker) == ("openai/gpt-x", "finish_reason: stop")


def test_an_id_that_a_scenario_set_goes_before_helms_own() -> None:
    (row,) = read(state(instance={"id": "id0", "extra_data": {"sample_id": "s7"}}))
    assert isinstance(row, Row)
    assert row.sample_id == "s7"


@pytest.mark.parametrize(
    ("found", "status", "unknown"),
    [
        (result("stop"), Status.ANSWERED, False),
        (result("endoftext"), Status.ANSWERED, False),
        (result("length"), Status.TRUNCATED, False),
        (result("unknown"), Status.ANSWERED, True),
        (result(None), Status.ANSWERED, True),
        (failure("Content blocked by the provider"), Status.FILTERED, False),
        (failure("the response triggered the content_filter"), Status.FILTERED, False),
        (failure("content_filter_error: the filter timed out"), Status.FAILED, False),
        (failure("connection reset"), Status.FAILED, False),
    ],
)
def test_status(found: dict[str, Any], status: Status, unknown: bool) -> None:
    (row,) = read(state(result=found))
    assert isinstance(row, Row)
    assert (row.status, row.stop_unknown) == (status, unknown)
    assert (row.completion is None) == (not status.is_scored)
    assert row.error == found.get("error")


def test_what_is_no_single_completion_is_told() -> None:
    two = result("stop")["completions"] * 2
    (error,) = read(state(result=result("stop", completions=two)))
    assert "result.completions: found a list of 2; expected one completion" in str(error)
