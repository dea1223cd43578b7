"""The parts of the suite on the smallest worlds: their rows, never how fast they are."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from worlds.bench import Missing, Plan, Report, cadical_side, certificates, forging, run
from worlds.core.ids import parse_family_id
from worlds.core.mint import forge_family

_SMALL = Plan(worlds=2, levels=("L00",), profiles=("chain",), rounds=1)


def _puzzle(side: int, seed: int) -> int:
    """Stand in for the package that is not installed here: a puzzle of the size asked for."""
    del seed
    return side * side


def test_certificates_are_compared_with_everyone() -> None:
    rows = list(certificates.measure(_SMALL, Report(2, {})))
    assert [(row.one, row.other, str(row.goal or "")) for row in rows] == [
        ("z3", "native", "≥ 5"),
        ("z3 on our clauses", "native", ""),
        ("native", "CaDiCaL", "≤ 5"),
    ]
    assert {(row.profile, row.level, row.worlds) for row in rows} == {("chain", "L00", 2)}
    assert all(row.low <= row.ratio <= row.high for row in rows)
    assert all(row.ratio > 0 and row.doing > 0 for row in rows)


def test_beyond_l05_the_native_engine_may_not_be_slower_than_z3() -> None:
    plan = Plan(worlds=1, levels=("L06",), profiles=("chain",), rounds=1)
    rows = list(certificates.measure(plan, Report(1, {})))
    assert [str(row.goal or "") for row in rows] == ["≥ 1", "", ""]


def test_without_python_sat_the_rest_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cadical_side, "Solver", None)
    report = Report(2, {})
    rows = list(certificates.measure(_SMALL, report))
    assert [row.one for row in rows] == ["z3", "z3 on our clauses"]
    assert report.left_out == [
        "CaDiCaL is left out: python-sat is missing; `make bench` installs it"
    ]


def test_without_reasoning_gym_nothing_is_forged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "reasoning_gym", None)
    report = Report(2, {})
    assert list(forging.measure(_SMALL, report)) == []
    assert report.left_out == [
        "the zebra puzzle is left out: reasoning-gym is missing; `make bench` installs it"
    ]


def test_worlds_are_forged_anew_beside_the_nearest_puzzle() -> None:
    asked: list[tuple[int, int]] = []

    def puzzle(side: int, seed: int) -> int:
        asked.append((side, seed))
        return _puzzle(side, seed)

    rows = list(forging.measure(_SMALL, Report(2, {}), puzzle))
    assert [(row.one, row.other) for row in rows] == [
        ("zebra 3 × 3", "certified world"),
        ("zebra 3 × 3", "instance"),
    ]
    assert asked == [(3, 0), (3, 1)]
    # What was timed last is still remembered: it was forged, not found.
    hits = forge_family.cache_info().hits
    forge_family(parse_family_id("ef1-chain-L00-maritime-s1"))
    assert forge_family.cache_info().hits == hits + 1


@pytest.mark.parametrize(
    ("profile", "goal"), [("chain", "≥ 5"), ("case", "≥ 1")], ids=["chain", "case"]
)
def test_the_goal_of_forging_is_set_at_l05(profile: str, goal: str) -> None:
    plan = Plan(worlds=1, levels=("L05", "L06"), profiles=(profile,), rounds=1)
    rows = list(forging.measure(plan, Report(1, {}), _puzzle))
    assert [(row.level, row.one, str(row.goal or "")) for row in rows] == [
        ("L05", "zebra 6 × 6", goal),
        ("L05", "zebra 6 × 6", ""),
    ]


def test_zebra_puzzles_are_asked_for_by_side_and_with_seeds_far_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[dict[str, Any]] = []

    def create_dataset(name: str, **config: Any) -> list[dict[str, Any]]:
        asked.append({"name": name, **config})
        size = {key: config[key] for key in ("num_people", "num_characteristics")}
        return [{"metadata": {"difficulty": size}}]

    gym = SimpleNamespace(create_dataset=create_dataset)
    monkeypatch.setitem(sys.modules, "reasoning_gym", gym)
    assert forging.zebra_puzzles()(6, 3) == 36
    assert asked == [
        {
            "name": "zebra_puzzles",
            "seed": 3000,
            "size": 1,
            "num_people": 6,
            "num_characteristics": 6,
        }
    ]


@pytest.mark.parametrize(
    ("variables", "side"), [(8, 3), (14, 4), (20, 4), (27, 5), (34, 6), (42, 6), (120, 7)]
)
def test_nearest_puzzle(variables: int, side: int) -> None:
    assert forging.nearest(variables) == side


def test_growth_is_told_against_l05() -> None:
    plan = Plan(worlds=1, levels=("L00", "L05", "L09"), profiles=("chain",), rounds=1)
    report = run(plan, ["growth"])
    assert list(report.parts) == ["growth"]
    rows = report.parts["growth"]
    assert [(row.one, row.other, str(row.goal or "")) for row in rows] == [
        ("L00", "L05", ""),
        ("L09", "L05", "≤ 40"),
    ]


def test_a_package_that_is_missing_is_an_error_of_ours() -> None:
    assert str(Missing("abc", "the alphabet")) == (
        "the alphabet is left out: abc is missing; `make bench` installs it"
    )
