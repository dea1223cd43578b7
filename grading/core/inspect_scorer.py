"""What the task that `export_corpus --to inspect` writes asks of the grading.

A sample of Inspect is read as its log is read on upload and graded by the one function that grades,
so a sample has the same grade in both places, and the headline scores come out the same to the last
bit. Nothing here imports Inspect: it hands over plain JSON types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from grading.core.answers import Answer
from grading.core.formats.inspect_json import InspectJson
from grading.core.metrics import Score, scores, tabulate
from grading.core.records import GradedRow, assess
from grading.core.score import AnswerKey
from grading.core.statistics import Bootstrap
from grading.core.statuses import Status
from grading.core.table import Corpus, Item
from worlds.core.codec import read_world

__all__ = ["SampleScore", "headline_scores", "score_sample"]

_DECIMALS = 9


@dataclass(frozen=True, slots=True)
class SampleScore:
    """One graded sample: numbers by name, and the row that scores over a corpus are made of."""

    values: Mapping[str, float]
    answer: str
    explanation: str
    row: dict[str, Any]


def score_sample(
    sample_id: str,
    truth: Mapping[str, Any],
    output: Mapping[str, Any],
    *,
    model: str,
    epoch: int = 1,
) -> SampleScore:
    """Grade the output of one sample, as Inspect dumps it; raises BadFormat for a broken truth."""
    read = InspectJson(model).row({"id": sample_id, "epoch": epoch, "output": dict(output)}, 1)
    found = assess(AnswerKey.of(read_world(truth)), read.completion, read.status, read.stop_unknown)
    row = GradedRow.of(read.sample_id, read.epoch, found)
    shown = ""
    if isinstance(found.reading, Answer) and read.completion is not None:
        shown = read.completion[found.reading.start : found.reading.end]
    return SampleScore(
        values={
            "task_success": float(row.task_success),
            "fact_f1": found.grade.facts.f1 if found.grade else 0.0,
            "world_exact": float(row.world_exact),
            "action_correct": float(row.action_correct),
        },
        answer=shown,
        explanation=_explained(row, read.raw_marker),
        row=asdict(row) | {"status": row.status.value},
    )


def headline_scores(
    name: str,
    sha256: str,
    samples: Iterable[tuple[str, Mapping[str, Any]]],
    rows: Iterable[Mapping[str, Any]],
) -> dict[str, float]:
    """The scores of one solver over a corpus by name; one that cannot be said is left out.

    `samples` are the ids with their metadata: all that is expected, also what has no row.
    """
    items = tuple(
        Item(
            sample_id,
            about["family"],
            about["level"],
            about["genre"],
            about["condition"],
            about["realization"],
            about["burial"],
        )
        for sample_id, about in samples
    )
    graded = [GradedRow(**{**row, "status": Status(row["status"])}) for row in rows]
    table = tabulate(Corpus(name, sha256, items), graded)
    found = scores(Bootstrap(sha256), table)
    return {
        metric: round(score.value, _DECIMALS)
        for metric, score in found.items()
        if isinstance(score, Score)
    }


def _explained(row: GradedRow, marker: str) -> str:
    if not row.status.is_scored:
        return f"{row.status.value} ({marker})"
    return (
        f"{row.tp} of {row.n} facts right, {row.stated} stated; "
        f"action {'right' if row.action_correct else 'not right'}"
    )
