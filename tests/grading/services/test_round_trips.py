"""From an export through a tool and back: every format brings the same replies to the same grades.

The tools are played: a solver reads what the export holds, replies, and the replies are written as
the tool writes them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from grading.core.inspect_scorer import score_sample
from grading.models import Submission
from tests.grading.builders import corpus_of, graded, line, perfect, rows_of, wrong
from worlds.models import Corpus
from worlds.services import CorpusExport

pytestmark = pytest.mark.django_db

Ask = Callable[[str], str]
"""A solver: a prompt in, a reply out."""


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def corpus() -> Corpus:
    return corpus_of()


@pytest.fixture
def ask(corpus: Corpus) -> Ask:
    """Somebody who is right in every second instance and says nothing in every fifth."""
    replies = {}
    for number, row in enumerate(rows_of(corpus)):
        reply = perfect(row) if number % 2 else wrong(row)
        replies[row.prompt] = "I cannot say." if number % 5 == 4 else reply
    return replies.__getitem__


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for text in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(text)


def _jsonl(folder: Path, ask: Ask) -> bytes:
    return b"".join(
        line(each["id"], ask(each["prompt"])) for each in _lines(folder / "instances.jsonl")
    )


def _openai(folder: Path, ask: Ask) -> bytes:
    rows = []
    for number, request in enumerate(_lines(folder / "requests-1.jsonl")):
        assert (request["method"], request["url"]) == ("POST", "/v1/chat/completions")
        (message,) = request["body"]["messages"]
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": ask(message["content"])},
            "finish_reason": "stop",
        }
        body = {"id": "c", "model": request["body"]["model"], "choices": [choice]}
        response = {"status_code": 200, "request_id": "r", "body": body}
        rows.append(
            {"id": f"batch_req_{number}", "custom_id": request["custom_id"],
             "response": response, "error": None}
        )  # fmt: skip
    return _dumped(reversed(rows))


def _anthropic(folder: Path, ask: Ask) -> bytes:
    rows = []
    for request in _lines(folder / "requests-1.jsonl"):
        assert {"model", "max_tokens", "messages"} == request["params"].keys()
        (message,) = request["params"]["messages"]
        reply = {
            "type": "message",
            "role": "assistant",
            "model": request["params"]["model"],
            "content": [{"type": "text", "text": ask(message["content"])}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        result = {"type": "succeeded", "message": reply}
        rows.append({"custom_id": request["custom_id"], "result": result})
    return _dumped(rows)


def _inspect(folder: Path, ask: Ask) -> bytes:
    samples = []
    for sample in _lines(folder / "dataset.jsonl"):
        text = ask(sample["input"])
        message = {"role": "assistant", "content": text}
        output = {
            "model": "m",
            "choices": [{"message": message, "stop_reason": "stop"}],
            "completion": text,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        samples.append({"id": sample["id"], "epoch": 1, "output": output, "scores": {"x": 1}})
    log = {"version": 2, "status": "success", "eval": {"task": "t", "model": "lab/m"}}
    return json.dumps(log | {"samples": samples}, indent=2).encode()


def _lm_eval(folder: Path, ask: Ask) -> bytes:
    rows = [
        {
            "doc_id": number,
            "doc": doc,
            "target": doc["target"],
            "arguments": {"gen_args_0": {"arg_0": doc["prompt"], "arg_1": {"until": []}}},
            "resps": [[ask(doc["prompt"])]],
            "filtered_resps": [""],
            "filter": "none",
            "metrics": ["bypass"],
            "bypass": 1.0,
        }
        for number, doc in enumerate(_lines(folder / "documents.jsonl"))
    ]
    return _dumped(rows)


def _dumped(rows: Any) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


TOOLS: Mapping[str, Callable[[Path, Ask], bytes]] = {
    "jsonl": _jsonl,
    "inspect": _inspect,
    "lm-eval": _lm_eval,
    "openai-batch": _openai,
    "anthropic-batch": _anthropic,
}


def _grades(submission: Submission) -> list[dict[str, Any]]:
    fields = ("instance__sample_id", "status", "n", "stated", "tp", "grade", "diagnosis")
    return list(submission.records.order_by("instance__sample_id").values(*fields))


@pytest.mark.parametrize("target", [True, False], ids=["with target", "without"])
@pytest.mark.parametrize("to", TOOLS)
def test_replies_through_a_tool_get_the_grades_of_a_plain_file(
    corpus: Corpus, ask: Ask, tmp_path: Path, to: str, target: bool
) -> None:
    plain = b"".join(line(row, ask(row.prompt)) for row in rows_of(corpus))
    expected = _grades(graded(corpus, plain, model="plain"))
    assert [row["tp"] for row in expected] == [7, 8, 7, 8, 0, 8, 7, 8, 7, 0]
    folder = tmp_path / "export"
    CorpusExport(corpus, to, target=target).write(folder)
    submission = graded(corpus, TOOLS[to](folder, ask), model=to)
    assert submission.formats == [{"jsonl": "plain", "inspect": "inspect-json"}.get(to, to)]
    assert _grades(submission) == expected


def test_the_scorer_of_the_inspect_task_gives_the_grades_of_the_upload(
    corpus: Corpus, ask: Ask, tmp_path: Path
) -> None:
    folder = tmp_path / "export"
    CorpusExport(corpus, "inspect").write(folder)
    log = _inspect(folder, ask)
    outputs = {sample["id"]: sample["output"] for sample in json.loads(log)["samples"]}
    submission = graded(corpus, log)
    for sample in _lines(folder / "dataset.jsonl"):
        found = score_sample(
            sample["id"], sample["metadata"]["truth"], outputs[sample["id"]], model="lab/m"
        )
        record = submission.records.get(instance__sample_id=sample["id"])
        for field in ("status", "n", "stated", "tp", "world_exact", "task_success", "stop_unknown"):
            assert found.row[field] == getattr(record, field)
