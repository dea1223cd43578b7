"""The scorer of the exported Inspect task, without Inspect: the grades and scores of an upload."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grading.core.inspect_scorer import headline_scores, score_sample
from worlds.core.codec import truth_payload
from worlds.core.errors import BadFormat
from worlds.core.export import Sample
from worlds.core.ids import parse_id
from worlds.core.instance import Instance
from worlds.core.mint import mint_family

IDS = [f"ef1-chain-L00-maritime-s7-{surface}" for surface in ("exp1", "frm1", "imp1")]
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def instances() -> tuple[Instance, ...]:
    ids = [parse_id(name) for name in IDS]
    return mint_family(ids[0].family, ids)


def _sample(instance: Instance) -> Sample:
    truth = truth_payload(instance.world)
    return Sample(instance.id, instance.narrator, instance.prompt, (), truth)


def _output(text: str, reason: str = "stop") -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "model": "m",
        "choices": [{"message": message, "stop_reason": reason}],
        "usage": {"input_tokens": 1, "output_tokens": 1},
        "completion": text,
    }


def _scored(instance: Instance, text: str | None, reason: str = "stop") -> Any:
    sample = _sample(instance)
    assert sample.truth is not None
    reply = str(sample.target) if text is None else text
    return score_sample(str(sample.id), sample.truth, _output(reply, reason), model="lab/m")


def test_a_right_answer_is_right(instances: tuple[Instance, ...]) -> None:
    found = _scored(instances[0], None)
    assert found.values == {
        "task_success": 1.0,
        "fact_f1": 1.0,
        "world_exact": 1.0,
        "action_correct": 1.0,
    }
    assert json.loads(found.answer)["answer"]
    assert "facts right" in found.explanation


def test_a_reply_that_was_filtered_is_missing_mass_and_not_graded(
    instances: tuple[Instance, ...],
) -> None:
    found = _scored(instances[0], None, "content_filter")
    assert found.values["fact_f1"] == 0.0
    assert found.row["status"] == "filtered"
    assert found.explanation == "filtered (stop_reason: content_filter)"


def test_the_headline_counts_what_has_no_row_as_wrong(instances: tuple[Instance, ...]) -> None:
    samples = [(str(i.id), _sample(i).about) for i in instances]
    rows = [_scored(instances[2], None).row]
    scores = headline_scores("harbour", "ab" * 32, samples, json.loads(json.dumps(rows)))
    assert scores["intuition"] == 100.0
    assert scores["task_success"] == pytest.approx(100 / 3)
    assert "tax" not in scores


def test_a_truth_that_was_cut_is_named(instances: tuple[Instance, ...]) -> None:
    sample = _sample(instances[0])
    with pytest.raises(BadFormat, match="truth"):
        score_sample(str(sample.id), {"domains": {}}, _output("x"), model="m")


def test_the_scorer_needs_no_django() -> None:
    code = (
        "import sys; sys.modules['django'] = None\n"
        "import grading.core.inspect_scorer\n"
        "print('inspect_ai' in sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert found.stdout == "False\n"
