"""The command that measures: what it prints, never how fast anything is."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from grading import bench as grading_bench
from worlds import bench as worlds_bench
from worlds.core.errors import BadInput

_PARTS = (*worlds_bench.PARTS, *grading_bench.PARTS)


def _bench(**options: Any) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("bench", stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


def test_command_reports_json_and_progress() -> None:
    out, err = _bench(worlds=1, levels="L00", profiles="case", only="oracle", json=True)
    report = json.loads(out)
    assert report["format"] == "enigmaforge.bench/1"
    assert report["worlds"] == 1
    assert {"python", "cores", "load_before", "load_after"} <= set(report["machine"])
    (row,) = report["parts"]["oracle"]
    assert (row["profile"], row["level"], row["one"], row["other"]) == (
        *("case", "L00", "oracle", "native"),
    )
    assert err == "oracle: case L00\n"


def test_command_prints_a_table() -> None:
    out, _ = _bench(worlds=1, levels="L00", profiles="case", only="certificates,oracle")
    assert out.startswith("certificates\nprofile  level  compared")
    assert out.splitlines()[-1].startswith("goals: ")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"worlds": 0}, "--worlds: found 0, expected a whole number from 1 to 1000"),
        ({"levels": "L00,L10"}, "--levels: found 'L10', expected L00 or"),
        ({"profiles": "hard"}, "--profiles: found 'hard', expected chain or case"),
        ({"only": "speed"}, f"--only: found 'speed', expected {' or '.join(_PARTS)}"),
    ],
)
def test_bad_input_is_a_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Exception, match=sentence) as refused:
        _bench(**options)
    assert isinstance(refused.value.__cause__ or refused.value, BadInput)
