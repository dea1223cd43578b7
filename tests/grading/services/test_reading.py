"""What is read off a frozen report is read once, and cannot be changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from grading.models import Report
from grading.services.reading import read_once


def _report(content: str) -> Report:
    return Report(content=content, sha256=f"sha256 of {content}")


def test_a_report_is_read_once_and_another_one_anew() -> None:
    read: list[str] = []

    @read_once
    def rows_of(sha256: str, payload: Mapping[str, Any]) -> Any:
        read.append(sha256)
        return payload["rows"]

    one, two = _report('{"rows": [1]}'), _report('{"rows": [2]}')
    assert [rows_of(one), rows_of(_report(one.content)), rows_of(two)] == [(1,), (1,), (2,)]
    assert read == [one.sha256, two.sha256]


def test_what_was_read_cannot_be_changed() -> None:
    @read_once
    def row_of(sha256: str, payload: Mapping[str, Any]) -> Any:
        return payload["rows"][0]

    with pytest.raises(TypeError):
        row_of(_report('{"rows": [{"rank": 1}]}'))["rank"] = 2
