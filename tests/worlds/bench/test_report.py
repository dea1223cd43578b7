"""Rows, goals and the two ways to tell them."""

from __future__ import annotations

import pytest

from worlds.bench.clock import Lap
from worlds.bench.report import Goal, Report, row_of


@pytest.mark.parametrize(
    ("goal", "ratio", "met"),
    [
        (Goal(least=5), 5.0, True),
        (Goal(least=5), 4.99, False),
        (Goal(most=40), 40.0, True),
        (Goal(most=40), 40.01, False),
    ],
)
def test_goal_is_met_within_its_bound(goal: Goal, ratio: float, met: bool) -> None:
    assert goal.is_met(ratio) is met


def test_row_takes_the_median_of_the_ratios_world_by_world() -> None:
    # The ratio of the medians would be 2.
    laps = [
        (Lap(0.0, 1.0), Lap(0.0, 1.0)),
        (Lap(0.0, 2.0), Lap(0.0, 0.5)),
        (Lap(1.0, 2.0), Lap(0.5, 0.5)),
    ]
    row = row_of("oracle", ("chain", "L00"), ("one", "other"), laps, Goal(least=3))
    assert (row.one_ms, row.other_ms) == (2000, 1000)
    assert (row.ratio, row.low, row.high) == (3.0, 1.0, 4.0)
    assert row.doing == 4.0
    assert row.met is True


def test_work_below_the_clock_is_no_division_by_zero() -> None:
    row = row_of("oracle", ("chain", "L00"), ("one", "other"), [(Lap(0.0, 0.0), Lap(0.0, 0.0))])
    assert row.ratio == 0.0
    assert row.met is None


def test_table_names_what_is_missed_and_what_is_left_out() -> None:
    report = Report(worlds=1, machine={"cores": 2})
    laps = [(Lap(0.0, 3.0), Lap(0.0, 1.0))]
    place = ("case", "L05")
    report.parts["certificates"] = [
        row_of("certificates", place, ("z3", "native"), laps, Goal(least=5)),
        row_of("certificates", place, ("native", "CaDiCaL"), laps, Goal(most=5)),
        row_of("certificates", place, ("native", "other"), laps),
    ]
    report.left_out.append("the rest is left out")
    lines = report.table().splitlines()
    assert lines[0] == "certificates"
    assert lines[2].split() == [
        *("case", "L05", "z3", "/", "native", "3000", "1000", "3.0", "3.0", "…", "3.0", "3.0"),
        *("≥", "5", "MISSED"),
    ]
    assert lines[3].endswith("≤ 5   met")
    assert lines[4].endswith("3.0")
    assert "the rest is left out" in lines
    assert lines[-1] == "goals: 1 met, 1 missed"


def test_payload_says_which_goal_is_met() -> None:
    report = Report(worlds=1, machine={"cores": 2})
    row = row_of("growth", ("case", "L09"), ("L09", "L05"), [(Lap(0.0, 3.0), Lap(0.0, 2.0))],
                 Goal(most=40))  # fmt: skip
    report.parts["growth"] = [row]
    assert report.payload() == {
        "format": "enigmaforge.bench/1",
        "worlds": 1,
        "machine": {"cores": 2},
        "parts": {
            "growth": [
                {
                    "profile": "case",
                    "level": "L09",
                    "one": "L09",
                    "other": "L05",
                    "worlds": 1,
                    "one_ms": 3000.0,
                    "other_ms": 2000.0,
                    "ratio": 1.5,
                    "low": 1.5,
                    "high": 1.5,
                    "ratio_doing": 1.5,
                    "goal": "≤ 40",
                    "met": True,
                }
            ]
        },
        "left_out": [],
    }
