"""The frozen report of one corpus: every number that a page shows, as JSON types.

The same rows give the same bytes (through `worlds.core.codec.canonical`): submissions are put in
order, seeds come from the corpus, numbers are rounded once. When an exact control is broken the
report is void and holds no number of any solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

from grading.core.contrasts import Contrast, contrasts_of
from grading.core.controls import EXPECTED, ControlResult
from grading.core.metrics import (
    METRICS,
    Corpus,
    Item,
    Score,
    Table,
    Unscored,
    ranking_values,
    scores,
    sliced_scores,
    tabulate,
)
from grading.core.people import Solved, people_lines
from grading.core.records import GradedRow
from grading.core.refusals import NAME as REFUSAL
from grading.core.refusals import Refusals, refusals
from grading.core.statistics import CONFIDENCE, PERMUTATIONS, RESAMPLES, Bootstrap, tie_groups
from grading.core.statuses import Status

__all__ = ["FORMAT", "LEAST_COVERAGE", "RANKED_BY", "Submission", "build_report"]

FORMAT = "enigmaforge.report/1"
RANKED_BY = "intuition"
LEAST_COVERAGE = 90
"""The coverage in percent below which a solver is shown and not ranked."""

_DECIMALS = 9
_KINDS = {"model": 0, "human": 1}
_SLICES = {
    "level": "level",
    "condition": "condition",
    "genre": "genre",
    "realization": "surface",
    "burial": "told_as",
}
"""What scores are sliced by, and the field of an instance that tells its slice."""


@dataclass(frozen=True, slots=True)
class Submission:
    """One solver's graded rows; only `model`s are ranked.

    `files` are the SHA-256 of what was uploaded, `grader_sha256` that of the code that graded it;
    it is empty when that is not known.
    """

    key: str
    model: str
    kind: Literal["model", "human", "control", "reference"]
    rows: Sequence[GradedRow]
    files: tuple[str, ...] = ()
    grader_sha256: str = ""


def build_report(
    corpus: Corpus,
    submissions: Iterable[Submission],
    controls: Iterable[ControlResult],
    versions: Mapping[str, str],
    people: Iterable[Solved] = (),
) -> dict[str, Any]:
    """Compute the report; raises BadInput for rows that do not belong to the corpus.

    `people` are the attempts behind the submissions of people, for what they come to at a level.
    """
    results = sorted(controls, key=lambda result: result.name)
    broken = [result.name for result in results if not result.ok]
    bootstrap = Bootstrap(corpus.sha256)
    return {
        "format": FORMAT,
        "corpus": _corpus(corpus),
        "versions": dict(versions),
        "statistics": {
            "unit": "family",
            "interval": CONFIDENCE,
            "resamples": RESAMPLES,
            "permutations": PERMUTATIONS,
            "seeds": {name: bootstrap.seed(name) for name in (*(m.name for m in METRICS), REFUSAL)},
            "multiplicity": "none",
        },
        "controls": {
            "state": _state(results, broken),
            "broken": broken,
            "results": [_control(result) for result in results],
        },
        "void": bool(broken),
        "ranked_by": RANKED_BY,
        "least_coverage": LEAST_COVERAGE,
        "metrics": [
            {
                "name": metric.name,
                "label": metric.label,
                "unit": metric.unit,
                "better": metric.better,
                "definition": metric.definition,
            }
            for metric in METRICS
        ],
        **_results(corpus, [] if broken else list(submissions), bootstrap),
        "people": [] if broken else people_lines(people),
    }


def _results(
    corpus: Corpus, submissions: Sequence[Submission], bootstrap: Bootstrap
) -> dict[str, Any]:
    """What holds numbers of solvers; empty where there are none to show."""
    laid = []
    for submission in submissions:
        table = tabulate(corpus, submission.rows)
        laid.append(_Laid(submission, table, scores(bootstrap, table)))
    laid.sort(key=lambda one: one.order)
    return {
        "rows": _rows(laid, bootstrap),
        "calibrations": [
            line
            for one in laid
            if one.submission.kind == "reference"
            for line in _calibrations(one, bootstrap)
        ],
    }


def _corpus(corpus: Corpus) -> dict[str, Any]:
    return {
        "name": corpus.name,
        "sha256": corpus.sha256,
        "instances": len(corpus.items),
        "families": len({item.family for item in corpus.items}),
        **{f"{name}s": _values(corpus.items, field) for name, field in _slicing(corpus.items)},
    }


def _slicing(items: Iterable[Item]) -> list[tuple[str, str]]:
    """The slices of a corpus; one without stories is not sliced by how deep they bury a clue."""
    has_stories = any(item.burial is not None for item in items)
    return [each for each in _SLICES.items() if has_stories or each[0] != "burial"]


def _values(items: Iterable[Item], field: str) -> list[str]:
    return sorted({getattr(item, field) for item in items})


def _state(results: Sequence[ControlResult], broken: Sequence[str]) -> str:
    """`broken`, `not run` when an exact control has no result, or `ok`."""
    if broken:
        return "broken"
    return "ok" if set(EXPECTED) <= {result.name for result in results} else "not run"


def _control(result: ControlResult) -> dict[str, Any]:
    return {
        "name": result.name,
        "exact": result.exact,
        "ok": result.ok,
        "expected": dict(result.expected),
        "found": dict(result.found),
    }


@dataclass(frozen=True, slots=True)
class _Laid:
    """A submission laid over the corpus, with its scores."""

    submission: Submission
    table: Table
    scores: Mapping[str, Score | Unscored]

    @property
    def coverage(self) -> float:
        """Scored among expected records, in percent."""
        expected = self.table.statuses.total()
        return 100 * sum(cell.scored for cell in self.table.cells) / expected if expected else 0.0

    @property
    def unranked(self) -> str | None:
        """Why it has no rank, in words; None if it has one."""
        if self.submission.kind == "human":
            return "a person, shown beside the models"
        if self.submission.kind != "model":
            return "a control, shown for comparison"
        found = self.scores[RANKED_BY]
        if isinstance(found, Unscored):
            return found.reason
        if self.coverage < LEAST_COVERAGE:
            return f"fewer than {LEAST_COVERAGE} % of the expected replies were scored"
        return None

    @property
    def order(self) -> tuple[bool, int, float, str, str]:
        """Ranked ones, then models, people and controls; each best first, then by name."""
        found = self.scores[RANKED_BY]
        value = found.value if isinstance(found, Score) else -1.0
        submission = self.submission
        return (
            self.unranked is not None,
            _KINDS.get(submission.kind, len(_KINDS)),
            -value,
            submission.model,
            submission.key,
        )


def _rows(laid: Sequence[_Laid], bootstrap: Bootstrap) -> list[dict[str, Any]]:
    ranked = [one for one in laid if one.unranked is None]
    values = [ranking_values(one.table) for one in ranked]
    groups = tie_groups(bootstrap, RANKED_BY, values)
    ranks = {one.submission.key: group for one, group in zip(ranked, groups, strict=True)}
    return [_row(one, ranks.get(one.submission.key), bootstrap) for one in laid]


def _row(laid: _Laid, rank: tuple[int, int] | None, bootstrap: Bootstrap) -> dict[str, Any]:
    submission, table = laid.submission, laid.table
    statuses = table.statuses
    expected = statuses.total()
    return {
        "key": submission.key,
        "model": submission.model,
        "kind": submission.kind,
        "files": sorted(submission.files),
        "grader_sha256": submission.grader_sha256,
        "rank": rank and _rank(*rank),
        "unranked": laid.unranked,
        "records": expected - statuses[Status.MISSING],
        "epochs": table.epochs,
        "expected": expected,
        "stop_unknown": table.stop_unknown,
        "statuses": _statuses(table),
        "coverage": _number(laid.coverage),
        "is_lower_bound": any(cell.missing for cell in table.cells),
        "scores": {name: _score(found) for name, found in laid.scores.items()},
        "slices": {
            name: _slices(table, name, field, bootstrap)
            for name, field in _slicing(cell.item for cell in table.cells)
        },
        "contrasts": [_contrast(found) for found in contrasts_of(bootstrap, table)],
        "cells": list(_cells(table, bootstrap)),
        "status_groups": _status_groups(table),
        "missing_mass": _missing_mass(table),
        "refusal": _refusal(refusals(bootstrap, table)),
    }


def _rank(low: int, high: int) -> dict[str, Any]:
    return {"low": low, "high": high, "text": str(low) if low == high else f"{low}–{high}"}


def _slices(table: Table, name: str, field: str, bootstrap: Bootstrap) -> dict[str, Any]:
    slices = {}
    for value in _values((cell.item for cell in table.cells), field):
        found = sliced_scores(bootstrap, table.where(field, value), f" {name}={value}")
        slices[value] = {metric: _score(score) for metric, score in found.items()}
    return slices


def _contrast(contrast: Contrast) -> dict[str, Any]:
    return {
        "first": contrast.first,
        "second": contrast.second,
        "metric": contrast.metric,
        "score": _score(contrast.found),
        "p": _number(contrast.p),
    }


def _calibrations(laid: _Laid, bootstrap: Bootstrap) -> Iterator[dict[str, Any]]:
    """What a control that is only reported comes to, at each level under each condition."""
    for cell in _cells(laid.table, bootstrap):
        yield {"control": laid.submission.model, **cell}


def _cells(table: Table, bootstrap: Bootstrap) -> Iterator[dict[str, Any]]:
    """The scores at each level under each condition."""
    items = [cell.item for cell in table.cells]
    for level, condition in product(_values(items, "level"), _values(items, "condition")):
        part = table.where("level", level).where("condition", condition)
        if part.cells:
            found = sliced_scores(bootstrap, part, f" level={level} condition={condition}")
            yield {
                "level": level,
                "condition": condition,
                "scores": {name: _score(score) for name, score in found.items()},
            }


def _refusal(found: Refusals) -> dict[str, Any]:
    """Refused records by condition, and whether they depend on it."""
    return {
        "conditions": {
            condition: {"refused": refused, "expected": expected}
            for condition, (refused, expected) in found.counts.items()
        },
        "p": found.p,
        "note": found.note,
    }


def _status_groups(table: Table) -> list[dict[str, Any]]:
    """Records by status for each condition, level and genre; a status without any is left out."""
    return [
        {
            "condition": condition,
            "level": level,
            "genre": genre,
            "statuses": {name: count for name, count in _statuses(part).items() if count},
        }
        for (condition, level, genre), part in _groups(table)
    ]


def _missing_mass(table: Table) -> list[dict[str, Any]]:
    """Records by status for each condition, level and genre that has any missing mass."""
    return [
        {
            "condition": condition,
            "level": level,
            "genre": genre,
            "expected": len(part.cells) * table.epochs,
            "statuses": _statuses(part),
        }
        for (condition, level, genre), part in _groups(table)
        if any(cell.missing for cell in part.cells)
    ]


def _groups(table: Table) -> list[tuple[tuple[str, str, str], Table]]:
    """The table by condition, level and genre, in their order."""
    groups: dict[tuple[str, str, str], list[Any]] = {}
    for cell in table.cells:
        item = cell.item
        groups.setdefault((item.condition, item.level, item.genre), []).append(cell)
    return [(key, Table(tuple(cells), table.epochs, 0)) for key, cells in sorted(groups.items())]


def _statuses(table: Table) -> dict[str, int]:
    counts = table.statuses
    return {status.value: counts[status] for status in Status}


def _score(found: Score | Unscored) -> dict[str, Any]:
    if isinstance(found, Unscored):
        return {"unscored": found.reason}
    return {
        "value": _number(found.value),
        "low": _number(found.interval.low),
        "high": _number(found.interval.high),
        "note": found.interval.note,
        "families": found.families,
        "lower_bound": _number(found.lower_bound),
        "upper_bound": _number(found.upper_bound),
        "answered_only": _number(found.answered_only),
        "counts": dict(found.counts),
    }


def _number(value: float | None) -> float | None:
    """A number as it is frozen; -0.0 is 0.0."""
    return None if value is None else round(float(value), _DECIMALS) + 0.0
