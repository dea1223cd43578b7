"""The board reads a frozen report: order, missing values in words, the CSV beside it."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grading.models import Report
from grading.services.board import Board, board_of, entry_of, slice_of
from grading.services.board_csv import board_csv, neutral, restored
from grading.services.board_json import board_json
from grading.services.board_order import narrowed
from grading.services.controlling import run_controls
from grading.services.freezing import freeze_report
from tests.grading.builders import corpus_of, graded, line, lines, perfect, rows_of, wrong

pytestmark = pytest.mark.django_db

NAMES = ['=HYPERLINK("http://x.test","a")', "@SUM(1)", "-2+3", "+1", "＝1", "'quoted", 'a,"b"']


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def report() -> Report:
    # Of three families no interval tells two solvers apart, whatever they do.
    corpus = corpus_of(families=4)
    rows = rows_of(corpus)
    graded(corpus, lines(rows), model="kestrel")
    graded(corpus, b"".join(line(row, wrong(row)) for row in rows), model="osprey")
    graded(corpus, b"".join(line(row, "", stop_reason="length") for row in rows), model="silent")
    graded(corpus, b"".join(line(row, None, error="HTTP 500") for row in rows), model="Broken")
    return freeze_report(corpus)


def _models(board: Board, sort: str) -> list[str]:
    return [row.label for row in board.sorted_by(sort) if row.kind == "model"]


def test_rows_stand_in_the_reports_order_unless_asked_otherwise(report: Report) -> None:
    board = board_of(report)
    assert _models(board, "") == _models(board, "rank") == ["kestrel", "osprey", "silent", "Broken"]
    assert _models(board, "model") == ["Broken", "kestrel", "osprey", "silent"]
    assert _models(board, "-fact_f1")[0] == "kestrel"


@pytest.mark.parametrize("sort", ["__class__", "-cells", "L9'", "--intuition", "\u0663"])
def test_an_unknown_order_changes_nothing(report: Report, sort: str) -> None:
    board = board_of(report)
    assert board.sorted_by(sort) == board.rows


def test_what_has_no_value_says_why_and_sorts_last_in_both_directions(report: Report) -> None:
    board = board_of(report)
    broken = next(row for row in board.rows if row.label == "Broken")
    assert broken.cells["fact_f1"].value is None
    assert "no reply was scored" in broken.cells["fact_f1"].words
    assert _models(board, "fact_f1")[-1] == _models(board, "-fact_f1")[-1] == "Broken"


def test_whoever_has_no_rank_comes_last_by_rank_in_both_directions(report: Report) -> None:
    board = board_of(report)
    assert [row.rank for row in board.rows] == ["1", "2–3", "2–3", ""]
    assert _models(board, "-rank") == ["silent", "osprey", "kestrel", "Broken"]


def test_rows_are_put_in_order_by_counts_of_statuses(report: Report) -> None:
    board = board_of(report)
    assert _models(board, "-truncated")[0] == "silent"
    assert _models(board, "-failed")[0] == "Broken"


def test_equal_rows_keep_one_order_in_both_directions(report: Report) -> None:
    board = board_of(report)
    twin = replace(board.rows[0], key="twin", label="twin")
    board = replace(board, rows=(board.rows[0], twin, *board.rows[1:]))
    for sort in ("intuition", "-intuition"):
        assert [n for n in _models(board, sort) if n in ("kestrel", "twin")] == ["kestrel", "twin"]


def test_exact_controls_are_listed_and_only_the_reported_ones_are_rows() -> None:
    corpus = corpus_of()
    assert board_of(freeze_report(corpus)).controls_state == "not run"
    run_controls(corpus)
    board = board_of(freeze_report(corpus))
    assert board.controls_state == "ok"
    assert board.exact_passed == (11, 11)
    references = {row.label for row in board.rows if row.kind == "reference"}
    assert len(references) == board.reference_count == 4
    assert [line.exact for line in board.controls] == [True] * 11 + [False] * 4


def test_ratios_are_told_with_their_two_counts(report: Report) -> None:
    osprey = next(row for row in board_of(report).rows if row.label == "osprey")
    claims = osprey.cells["claim_accuracy"]
    assert (claims.value, claims.top, claims.bottom) == (87.5, 140, 160)


def test_a_slice_has_the_scores_of_its_part_of_the_corpus(report: Report) -> None:
    sliced = slice_of(board_of(report), "condition", "implicit")
    assert [column.name for column in sliced.columns] == [
        "fact_f1", "task_success", "world_exact", "action_correct",
    ]  # fmt: skip
    cells = {row.label: cells for row, cells in sliced.rows}
    assert [cell.value for cell in cells["kestrel"]] == [1.0, 100.0, 100.0, 100.0]


def test_a_slice_is_put_in_order_by_its_own_scores(report: Report) -> None:
    sliced = slice_of(board_of(report), "condition", "implicit")
    for sort in ("fact_f1", "-fact_f1"):
        assert sliced.sorted_by(sort).rows[-1][0].label == "Broken"
    assert sliced.sorted_by("fact_f1").rows[0][0].label == "silent"
    assert sliced.sorted_by("tax").rows == sliced.rows


@pytest.mark.parametrize(
    ("kept", "labels"),
    [
        ({"kind": "model"}, ["kestrel", "osprey", "silent", "Broken"]),
        ({"kind": "reference"}, []),
        ({"name": " BROK"}, ["Broken"]),
        ({"least_coverage": 90}, ["kestrel", "osprey", "silent"]),
        ({"name": "KE", "least_coverage": 1}, ["kestrel"]),
    ],
)
def test_rows_are_narrowed_by_kind_name_and_coverage(
    report: Report, kept: dict[str, Any], labels: list[str]
) -> None:
    assert [row.label for row in narrowed(board_of(report).rows, **kept)] == labels


def test_a_submission_finds_its_own_row() -> None:
    corpus = corpus_of()
    submission = graded(corpus, lines(rows_of(corpus)))
    assert entry_of(submission, None) is None
    entry = entry_of(submission, freeze_report(corpus))
    assert entry is not None
    assert entry.cells["intuition"].value == 100.0


def test_a_score_is_drawn_on_an_axis_only_where_it_has_one(report: Report) -> None:
    cells = board_of(report).rows[0].cells
    assert cells["fact_f1"].drawn is not None
    assert cells["fact_f1"].drawn.point == 100.0
    assert cells["tax"].drawn is None


def _read(report: Report) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(board_csv(board_of(report)))))


def test_the_csv_has_the_numbers_of_the_report(report: Report) -> None:
    rows = {row["solver"]: row for row in _read(report)}
    scores = {row["model"]: row["scores"] for row in report.payload["rows"]}
    for model in ("kestrel", "osprey", "silent"):
        for name, column in (("intuition", "intuition_percent"), ("tax", "tax_points")):
            told = scores[model][name].get("value")
            assert rows[model][column] == ("" if told is None else repr(told))
    assert {row["report_sha256"] for row in rows.values()} == {report.sha256}
    assert "fact_f1: no reply was scored" in rows["Broken"]["notes"]
    assert rows["Broken"]["fact_f1_0_1"] == ""


def test_the_json_has_the_fields_and_the_values_of_the_csv(report: Report) -> None:
    told = json.loads(board_json(board_of(report)))
    table = _read(report)
    assert told["fields"] == list(table[0])
    assert (told["report_sha256"], told["void"]) == (report.sha256, False)
    for row, cells in zip(told["rows"], table, strict=True):
        assert {key: "" if cell is None else str(cell) for key, cell in row.items()} == cells
    broken = next(row for row in told["rows"] if row["solver"] == "Broken")
    assert broken["fact_f1_0_1"] is None


def test_names_in_the_csv_run_nothing_and_come_back_as_they_were() -> None:
    corpus = corpus_of()
    row = rows_of(corpus)[0]
    for name in NAMES:
        graded(corpus, line(row, perfect(row)), model=name)
    cells = [each["solver"] for each in _read(freeze_report(corpus))]
    assert sorted(restored(cell) for cell in cells) == sorted(NAMES)
    assert [cell for cell in cells if cell[0] in "=+-@＝"] == []


@pytest.mark.parametrize("text", [*NAMES, "\t=1", " =1", "\r=1", "kestrel", "", "a\nb"])
def test_neutral_can_be_taken_back(text: str) -> None:
    assert restored(neutral(text)) == text


def test_numbers_in_the_csv_stay_numbers(report: Report) -> None:
    board = board_of(report)
    tax = board.rows[0].cells["tax"]
    for value in (-0.142, -1e-07, 0.0):
        cells = {**board.rows[0].cells, "tax": replace(tax, value=value)}
        changed = replace(board, rows=(replace(board.rows[0], cells=cells),))
        read = next(csv.DictReader(io.StringIO(board_csv(changed))))
        assert float(read["tax_points"]) == value
