"""Whole files as the tools wrote them: what each row's status is, in order."""

from __future__ import annotations

import gzip
import io

import pytest

from grading.core.formats import Row, open_upload
from grading.core.records import assess
from tests.grading.core.builders import KEY
from tests.grading.core.formats.builders import DATA

FILES = {
    "openai_batch_output.jsonl": (
        "openai-batch",
        ["answered", "truncated", "refused", "filtered", "truncated"],
    ),
    "openai_batch_errors.jsonl": ("openai-batch", ["filtered", "failed", "failed"]),
    "anthropic_batch_results.jsonl": (
        "anthropic-batch",
        ["answered", "truncated", "refused", "filtered", "failed", "failed", "failed"],
    ),
    "plain.jsonl": ("plain", ["answered", "answered", "filtered", "failed"]),
    "sample_inspect.json": ("inspect-json", ["filtered", "answered", "answered", "truncated"]),
    "sample_inspect_zstd.eval": (
        "inspect-eval",
        ["answered", "filtered", "truncated", "answered"],
    ),
    "sample_lm_eval.jsonl": ("lm-eval", ["answered", "answered"]),
}


def rows(name: str, data: bytes) -> tuple[str, list[Row]]:
    upload = open_upload(io.BytesIO(data), name)
    found = list(upload.rows)
    assert all(isinstance(row, Row) for row in found)
    return upload.format, [row for row in found if isinstance(row, Row)]


@pytest.mark.parametrize("name", FILES)
def test_each_row_has_its_status_whatever_the_file_is_called(name: str) -> None:
    data = (DATA / name).read_bytes()
    # An archive of Inspect is not packed again.
    for each in [data] if name.endswith(".eval") else [data, gzip.compress(data)]:
        format_name, found = rows("a-name-that-tells-nothing", each)
        assert (format_name, [row.status.value for row in found]) == FILES[name]


def test_what_a_format_does_not_tell_stays_unknown_and_unreadable_replies_state_nothing() -> None:
    for row in rows("samples", (DATA / "sample_lm_eval.jsonl").read_bytes())[1]:
        assert row.stop_unknown
        graded = assess(KEY, row.completion, row.status, row.stop_unknown)
        assert graded.grade is not None
        assert not graded.grade.readable
