"""The leaderboard as its page, its CSV and the command show it: cells read off a frozen report.

Nothing is computed here but the order of rows. What has no value keeps its reason, in words, and
sorts last in both directions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from grading.core.statuses import Status
from grading.models import Report, Submission
from grading.services.board_controls import LABELS, ControlLine, controls_of
from grading.services.board_order import ordered, read_order
from grading.services.board_people import PeopleLine, people_of
from grading.services.freezing import report_key
from grading.services.reading import read_once

__all__ = [
    "DEFAULT_SORT",
    "SLICES",
    "Board",
    "BoardRow",
    "Calibration",
    "Column",
    "ContrastLine",
    "ScoreCell",
    "Slice",
    "board_of",
    "entry_of",
    "slice_of",
]

SLICES = ("level", "condition", "genre", "realization", "burial")
DEFAULT_SORT = "rank"
_PLAIN_SORTS = (DEFAULT_SORT, "model", "coverage")
_SIGNIFICANT = 0.05

CALIBRATED = ("chance", "majority", "direct", "forward")
_CALIBRATION_SCORES = ("fact_f1", "task_success")

_RATIOS = {
    "earned_decisions": ("earned", "correct"),
    "decision_soundness": ("not guessed", "graded"),
    "discipline": ("finished", "attempted"),
    "claim_accuracy": ("right", "stated"),
}


@dataclass(frozen=True, slots=True)
class Column:
    """A score of the report: its name in data, its words, its unit and what it says."""

    name: str
    label: str
    unit: str
    better: str
    definition: str


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """One score of one solver; `value` is None when there is none, and then `words` says why."""

    column: Column
    value: float | None
    words: str = ""
    families: int = 0
    low: float | None = None
    high: float | None = None
    note: str = ""
    lower_bound: float | None = None
    upper_bound: float | None = None
    answered_only: float | None = None
    top: int | None = None
    bottom: int | None = None

    @property
    def unit(self) -> str:
        """What the numbers are parts of."""
        return self.column.unit

    @property
    def is_open(self) -> bool:
        """Whether what is missing leaves the value open."""
        return self.lower_bound != self.upper_bound

    @property
    def is_lower_bound(self) -> bool:
        """Whether the value can only be higher, as missing replies count as wrong in it."""
        return self.is_open and self.value == self.lower_bound

    @property
    def drawn(self) -> Drawn | None:
        """The score on an axis from 0 to 100; None for what has no such axis."""
        ends = [end for end in (self.value, self.low, self.high) if end is not None]
        if self.value is None or min(ends) < 0 or max(ends) > 100:
            return None
        scale = 100.0 if self.unit == "0–1" else 1.0

        def along(number: float | None) -> float | None:
            return None if number is None else min(100.0, max(0.0, scale * number))

        bounds = (self.lower_bound, self.upper_bound) if self.is_open else (None, None)
        return Drawn(
            scale * self.value,
            along(self.low),
            along(self.high),
            along(bounds[0]),
            along(bounds[1]),
        )


@dataclass(frozen=True, slots=True)
class Drawn:
    """Where the parts of a drawn score lie, from 0 to 100."""

    point: float
    low: float | None
    high: float | None
    bound_low: float | None
    bound_high: float | None


@dataclass(frozen=True, slots=True, eq=False)
class BoardRow:
    """One solver, with its scores by name in the report's order; equal to itself alone."""

    key: str
    label: str
    kind: str
    rank: str
    unranked: str
    scored: int
    expected: int
    coverage: float
    is_lower_bound: bool
    epochs: int
    stop_unknown: int
    statuses: tuple[tuple[str, int], ...]
    cells: Mapping[str, ScoreCell]
    slices: Mapping[str, Mapping[str, Mapping[str, ScoreCell]]]
    missing_mass: tuple[Mapping[str, Any], ...]
    refusal: str
    contrasts: tuple[ContrastLine, ...] = ()
    by_earlier_code: bool = False

    @property
    def lucky(self) -> int:
        """How many right actions come without the whole world."""
        earned = self.cells["earned_decisions"]
        return (earned.bottom or 0) - (earned.top or 0)


@dataclass(frozen=True, slots=True)
class ContrastLine:
    """A score of one solver under `first` minus under `second`, and the p value of its test."""

    first: str
    second: str
    cell: ScoreCell
    p: float | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """What the reported controls come to at one level under one condition.

    For each of `CALIBRATED` the fact F1 and the task success; None for a control without a result.
    """

    level: str
    condition: str
    cells: tuple[ScoreCell | None, ...]

    @property
    def families(self) -> int:
        """On how many families the scores rest."""
        return max((cell.families for cell in self.cells if cell), default=0)


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A report as rows and columns; one that is kept for each report, so equal to itself alone."""

    corpus: Mapping[str, Any]
    sha256: str
    is_void: bool
    controls_state: str
    broken: tuple[str, ...]
    controls: tuple[ControlLine, ...]
    columns: tuple[Column, ...]
    rows: tuple[BoardRow, ...]
    calibrations: tuple[Calibration, ...]
    people: tuple[PeopleLine, ...]
    statistics: Mapping[str, Any]
    versions: Mapping[str, str]
    least_coverage: float

    @property
    def model_count(self) -> int:
        """How many models are on it."""
        return sum(row.kind == "model" for row in self.rows)

    @property
    def person_count(self) -> int:
        """How many people are on it."""
        return sum(row.kind == "human" for row in self.rows)

    @property
    def reference_count(self) -> int:
        """How many controls stand beside them for comparison."""
        return len(self.rows) - self.model_count - self.person_count

    @property
    def calibrated(self) -> tuple[str, ...]:
        """The labels of the controls in the calibrations."""
        return tuple(LABELS[name] for name in CALIBRATED)

    @property
    def exact_passed(self) -> tuple[int, int]:
        """How many exact controls passed, of how many."""
        exact = [control for control in self.controls if control.exact]
        return sum(control.ok for control in exact), len(exact)

    def sorted_by(self, sort: str) -> tuple[BoardRow, ...]:
        """The rows by a column, `-` before it for the highest first; unknown names change nothing.

        Rows that are equal keep the report's order, so an order is the same on every page.
        """
        name, descending = read_order(sort, self.sort_keys, DEFAULT_SORT)
        places = {row.key: place for place, row in enumerate(self.rows) if row.rank}
        return ordered(
            self.rows, lambda row: _value(row, name, places, row.cells), descending=descending
        )

    @property
    def sort_keys(self) -> tuple[str, ...]:
        """What the board can be sorted by."""
        counts = (*(status.value for status in Status), "stop_unknown")
        return (*_PLAIN_SORTS, *counts, *(column.name for column in self.columns))


@dataclass(frozen=True, slots=True)
class Slice:
    """The scores over one part of a corpus; ranks are for the whole corpus only."""

    kind: str
    value: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[BoardRow, tuple[ScoreCell, ...]], ...]

    def sorted_by(self, sort: str) -> Slice:
        """The slice with its rows by a column, as `Board.sorted_by` has them."""
        name, descending = read_order(sort, self.sort_keys, DEFAULT_SORT)
        places = {row.key: place for place, (row, _) in enumerate(self.rows) if row.rank}

        def value(line: tuple[BoardRow, tuple[ScoreCell, ...]]) -> float | str | None:
            row, cells = line
            return _value(row, name, places, {cell.column.name: cell for cell in cells})

        return replace(self, rows=ordered(self.rows, value, descending=descending))

    @property
    def sort_keys(self) -> tuple[str, ...]:
        """What the slice can be sorted by."""
        return (*_PLAIN_SORTS, *(column.name for column in self.columns))


def board_of(report: Report) -> Board:
    """A report as rows and columns; parsed when it is first asked for."""
    return _read(report)


def slice_of(board: Board, kind: str, value: str) -> Slice:
    """One slice of a board, its rows in the board's order."""
    found = {row.key: row.slices.get(kind, {}).get(value, {}) for row in board.rows}
    names = {name for cells in found.values() for name in cells}
    columns = tuple(column for column in board.columns if column.name in names)
    rows = tuple(
        (row, tuple(found[row.key][column.name] for column in columns))
        for row in board.rows
        if found[row.key]
    )
    return Slice(kind, value, columns, rows)


def entry_of(submission: Submission, report: Report | None) -> BoardRow | None:
    """The row of a submission; None while no report has it, and on a void board."""
    if report is None:
        return None
    key = report_key(submission, submission.files.values_list("sha256", flat=True))
    return next((row for row in board_of(report).rows if row.key == key), None)


@read_once
def _read(sha256: str, payload: Mapping[str, Any]) -> Board:
    columns = tuple(Column(**metric) for metric in payload["metrics"])
    by_name = {column.name: column for column in columns}
    controls = payload["controls"]
    return Board(
        corpus=payload["corpus"],
        sha256=sha256,
        is_void=payload["void"],
        controls_state=controls["state"],
        broken=tuple(LABELS.get(name, name) for name in controls["broken"]),
        controls=controls_of(controls["results"]),
        columns=columns,
        rows=tuple(_row(row, by_name, payload["versions"]) for row in payload["rows"]),
        calibrations=_calibrations(payload.get("calibrations", ()), by_name),
        people=people_of(payload),
        statistics=payload["statistics"],
        versions=payload["versions"],
        least_coverage=payload["least_coverage"],
    )


def _row(
    row: Mapping[str, Any], columns: Mapping[str, Column], versions: Mapping[str, str]
) -> BoardRow:
    grader = versions["grading_sha256"]
    statuses = row["statuses"]
    is_reference = row["kind"] not in ("model", "human")
    return BoardRow(
        key=row["key"],
        label=LABELS.get(row["model"], row["model"]) if is_reference else row["model"],
        kind=row["kind"],
        rank=row["rank"]["text"] if row["rank"] else "",
        unranked=row["unranked"] or "",
        scored=sum(count for status, count in statuses.items() if Status(status).is_scored),
        expected=row["expected"],
        coverage=row["coverage"],
        is_lower_bound=row["is_lower_bound"],
        epochs=row["epochs"],
        stop_unknown=row["stop_unknown"],
        statuses=tuple((status.value, statuses[status.value]) for status in Status),
        cells=_cells(row["scores"], columns),
        slices=MappingProxyType(
            {kind: _slices(values, columns) for kind, values in row["slices"].items()}
        ),
        missing_mass=tuple(row["missing_mass"]),
        refusal=_refusal(row["refusal"]) if "refusal" in row else "",
        by_earlier_code=row.get("grader_sha256", grader) != grader,
        contrasts=tuple(
            ContrastLine(
                first=each["first"],
                second=each["second"],
                cell=_cell(columns[each["metric"]], each["score"]),
                p=each["p"],
            )
            for each in row.get("contrasts", ())  # a report of an earlier version has none
        ),
    )


def _refusal(found: Mapping[str, Any]) -> str:
    """One sentence: what was refused under which condition, and whether that is chance."""
    p = found["p"]
    if p is None:
        return f"{found['note'][:1].upper()}{found['note'][1:]}."
    counts = ", ".join(
        f"{count['refused']}/{count['expected']} {condition}"
        for condition, count in found["conditions"].items()
    )
    told = "depends on the condition" if p < _SIGNIFICANT else "shows no dependence on it"
    return (
        f"Refused or filtered by condition: {counts}; this {told} (permutation test, p = {p:.4f})."
    )


def _slices(
    values: Mapping[str, Any], columns: Mapping[str, Column]
) -> Mapping[str, Mapping[str, ScoreCell]]:
    return MappingProxyType({value: _cells(scores, columns) for value, scores in values.items()})


def _cells(scores: Mapping[str, Any], columns: Mapping[str, Column]) -> Mapping[str, ScoreCell]:
    """The scores in the order of the columns."""
    return MappingProxyType(
        {name: _cell(column, scores[name]) for name, column in columns.items() if name in scores}
    )


def _cell(column: Column, score: Mapping[str, Any]) -> ScoreCell:
    if "unscored" in score:
        return ScoreCell(column, None, score["unscored"])
    top, bottom = _RATIOS.get(column.name, ("", ""))
    return ScoreCell(
        column=column,
        value=score["value"],
        families=score["families"],
        low=score["low"],
        high=score["high"],
        note=score["note"],
        lower_bound=score["lower_bound"],
        upper_bound=score["upper_bound"],
        answered_only=score["answered_only"],
        top=score["counts"].get(top),
        bottom=score["counts"].get(bottom),
    )


def _calibrations(
    lines: Iterable[Mapping[str, Any]], columns: Mapping[str, Column]
) -> tuple[Calibration, ...]:
    """One line per level and condition, in their order, with the controls side by side."""
    found: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
    for line in lines:
        found.setdefault((line["level"], line["condition"]), {})[line["control"]] = line["scores"]
    return tuple(
        Calibration(
            level,
            condition,
            tuple(
                _cell(columns[name], controls[control][name]) if control in controls else None
                for control in CALIBRATED
                for name in _CALIBRATION_SCORES
            ),
        )
        for (level, condition), controls in sorted(found.items())
    )


def _value(
    row: BoardRow, name: str, places: Mapping[str, int], cells: Mapping[str, ScoreCell]
) -> float | str | None:
    """What a row is sorted by; `places` has the ranked ones, as a tie group is no number."""
    match name:
        case "rank":
            return places.get(row.key)
        case "model":
            return row.label.casefold()
        case "coverage":
            return row.coverage
        case "stop_unknown":
            return row.stop_unknown
    counts = dict(row.statuses)
    return counts[name] if name in counts else cells[name].value
