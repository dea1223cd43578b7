"""What of a report is drawn where nothing is chosen, and a figure's numbers as CSV."""

from __future__ import annotations

import csv
import io

from grading.figures import FIGURES
from grading.models import Report
from grading.services.figures import figure_csv, gallery_of
from tests.grading.figures.builders import report
from worlds.core.codec import canonical

FROZEN = Report(content=canonical(report()), sha256="5ea1" * 16)


def _csv(name: str, **chosen: object) -> list[dict[str, str]]:
    figure = gallery_of(FROZEN).figure(name, **chosen)  # type: ignore[arg-type]
    return list(csv.DictReader(io.StringIO(figure_csv(figure, FROZEN.sha256))))


def test_references_stand_beside_models_in_one_figure_only() -> None:
    gallery = gallery_of(FROZEN)
    shown = {name: {row[1] for row in gallery.figure(name).rows} for name in FIGURES}
    chance = "Chance: random values and action"
    assert [name for name in FIGURES if chance in shown[name]] == ["intuition"]
    assert len(gallery.models) == 4


def test_chosen_solvers_keep_the_numbers_that_they_have_in_the_report() -> None:
    found = _csv("tax", keys=["key-needs guidance"])
    gallery = gallery_of(FROZEN)
    (number,) = [one.number for one in gallery.solvers if one.label == "needs guidance"]
    assert [(row["number"], row["solver"]) for row in found] == [(str(number), "needs guidance")]


def test_csv_has_values_with_their_intervals_and_reasons_for_what_is_empty() -> None:
    rows = {row["solver"]: row for row in _csv("intuition")}
    whole = rows["solves all"]
    assert (whole["fact_f1"], whole["intuition"]) == ("1.0", "100.0")
    assert float(whole["intuition_low"]) < float(whole["intuition_high"]) == 100.0
    silent = rows["<b>says nothing</b>"]
    assert (silent["intuition"], silent["intuition_low"]) == ("", "")
    assert silent["notes"].startswith("fact_f1: no reply was scored")
    assert {row["report_sha256"] for row in rows.values()} == {FROZEN.sha256}


def test_csv_of_each_figure_has_a_head_and_a_line_for_each_row() -> None:
    gallery = gallery_of(FROZEN)
    for name in FIGURES:
        figure = gallery.figure(name)
        assert len(_csv(name)) == len(figure.rows) > 0
