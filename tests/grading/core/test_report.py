"""The frozen report: shape, order, bytes, and the void board."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

from grading.core.controls import EXPECTED, ControlResult
from grading.core.metrics import METRICS
from grading.core.records import GradedRow
from grading.core.report import LEAST_COVERAGE, Submission, build_report
from grading.core.statuses import Status
from grading.core.table import Item
from tests.grading.core.builders import corpus, items, row, wrong
from worlds.core.codec import canonical

ITEMS = tuple(
    replace(item, level=f"L{at % 3:02d}", genre=("manor", "maritime")[at // 2 % 2])
    for at, item in enumerate(items(30))
)
CORPUS = corpus(*ITEMS)
OK = [ControlResult(name, True, True, {}, {}) for name in EXPECTED]
VERSIONS = {"generator": "1"}


def solved(item: Item) -> GradedRow:
    return row(item, 4, acted=True)


def submission(name: str, share: int, *, missing: int = 0, kind: Any = "model") -> Submission:
    """A solver that solves the first `share` instances, and lacks the last `missing` ones."""
    rows = [solved(item) if at < share else wrong(item) for at, item in enumerate(ITEMS)]
    for at in range(missing):
        rows[-1 - at] = row(ITEMS[-1 - at], status=Status.FILTERED)
    return Submission(f"key-{name}", name, kind, tuple(rows), ("f" * 64,))


def report(*submissions: Submission, controls: list[ControlResult] = OK) -> dict[str, Any]:
    return build_report(CORPUS, submissions, controls, VERSIONS)


def models(found: dict[str, Any]) -> list[str]:
    return [one["model"] for one in found["rows"]]


def test_report_is_json_without_nan() -> None:
    found = report(submission("a", 20), submission("b", 0, missing=60))
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["format"] == "enigmaforge.report/1"
    assert found["corpus"] == {
        "name": "test",
        "sha256": CORPUS.sha256,
        "instances": 60,
        "families": 30,
        "levels": ["L00", "L01", "L02"],
        "conditions": ["explicit", "implicit"],
        "genres": ["manor", "maritime"],
        "realizations": ["explicit 1", "implicit 1"],
    }


def test_recomputed_report_has_the_same_bytes() -> None:
    several = [submission(name, at) for name, at in (("a", 60), ("b", 31), ("c", 31), ("d", 0))]
    turned = [replace(one, rows=tuple(reversed(one.rows))) for one in reversed(several)]
    first = canonical(report(*several))
    assert canonical(report(*turned)) == first
    shuffled = replace(CORPUS, items=tuple(reversed(ITEMS)))
    assert canonical(build_report(shuffled, several, reversed(OK), VERSIONS)) == first


def test_name_of_a_model_changes_no_number() -> None:
    (one,) = report(submission("a", 31))["rows"]
    (other,) = report(submission("zzz", 31))["rows"]
    assert one["scores"] == other["scores"]
    assert one["slices"] == other["slices"]


def test_scores_have_their_counts_bounds_and_intervals() -> None:
    (one,) = report(submission("a", 60, missing=6))["rows"]
    assert set(one["scores"]) == {metric.name for metric in METRICS}
    assert one["scores"]["task_success"] == {
        "value": 90.0,
        "low": one["scores"]["task_success"]["low"],
        "high": one["scores"]["task_success"]["high"],
        "note": "",
        "families": 30,
        "lower_bound": 90.0,
        "upper_bound": 100.0,
        "answered_only": 100.0,
        "counts": {},
    }
    assert one["statuses"]["filtered"] == 6
    assert (one["records"], one["expected"], one["coverage"]) == (60, 60, 90.0)
    assert one["is_lower_bound"]


def test_complete_solver_is_no_lower_bound() -> None:
    (one,) = report(submission("a", 60))["rows"]
    assert not one["is_lower_bound"]
    assert one["missing_mass"] == []
    assert one["scores"]["intuition"]["value"] == 100.0
    assert one["scores"]["intuition"]["note"] == "rule of three"
    assert one["scores"]["fact_f1"]["value"] == 1.0


def test_slices_cover_level_condition_genre_and_realization() -> None:
    (one,) = report(submission("a", 60, missing=2))["rows"]
    assert {name: sorted(values) for name, values in one["slices"].items()} == {
        "level": ["L00", "L01", "L02"],
        "condition": ["explicit", "implicit"],
        "genre": ["manor", "maritime"],
        "realization": ["explicit 1", "implicit 1"],
    }
    explicit = one["slices"]["condition"]["explicit"]["task_success"]
    assert explicit["value"] == round(100 * 29 / 30, 9)
    assert [
        (cell["condition"], cell["level"], cell["genre"], cell["statuses"]["filtered"])
        for cell in one["missing_mass"]
    ] == [("explicit", "L01", "maritime", 1), ("implicit", "L02", "maritime", 1)]


def test_cells_split_each_level_by_condition() -> None:
    (one,) = report(submission("a", 60, missing=2))["rows"]
    cells = {(cell["level"], cell["condition"]): cell["scores"] for cell in one["cells"]}
    assert sorted(cells) == [
        (level, condition)
        for level in ("L00", "L01", "L02")
        for condition in ("explicit", "implicit")
    ]
    assert cells["L00", "explicit"]["task_success"]["value"] == 100.0
    assert cells["L01", "explicit"]["task_success"]["value"] == 90.0
    assert sum(found["task_success"]["families"] for found in cells.values()) == 60


def test_status_groups_hold_every_expected_record_once() -> None:
    (one,) = report(submission("a", 60, missing=2))["rows"]
    groups = one["status_groups"]
    total = Counter[str]()
    for group in groups:
        assert 0 not in group["statuses"].values()
        total.update(group["statuses"])
    assert total == {status: count for status, count in one["statuses"].items() if count}
    lacking = [
        (group["condition"], group["level"], group["genre"])
        for group in groups
        if "filtered" in group["statuses"]
    ]
    assert lacking == [("explicit", "L01", "maritime"), ("implicit", "L02", "maritime")]


def test_refusals_are_counted_by_condition_and_tested() -> None:
    (one,) = report(submission("a", 60, missing=2))["rows"]
    assert one["refusal"] == {
        "conditions": {
            "explicit": {"refused": 1, "expected": 30},
            "implicit": {"refused": 1, "expected": 30},
        },
        "p": 1.0,
        "note": "",
    }
    (none,) = report(submission("a", 60))["rows"]
    assert (none["refusal"]["p"], none["refusal"]["note"]) == (
        None,
        "no reply was refused or filtered",
    )


def test_equal_solvers_share_ranks_and_stand_in_order_of_name() -> None:
    found = report(
        submission("c", 0), submission("b", 60), submission("a", 60), submission("d", 60)
    )
    assert [(one["model"], one["rank"]["text"]) for one in found["rows"]] == [
        ("a", "1–3"),
        ("b", "1–3"),
        ("d", "1–3"),
        ("c", "4"),
    ]


def test_little_coverage_is_shown_and_not_ranked() -> None:
    found = report(
        submission("full", 30),
        submission("nearly", 60, missing=1),
        submission("partial", 60, missing=36),
        submission("none", 0, missing=60),
    )
    assert models(found) == ["nearly", "full", "partial", "none"]
    ranks = {one["model"]: (one["rank"], one["unranked"]) for one in found["rows"]}
    assert ranks["nearly"] == ({"low": 1, "high": 1, "text": "1"}, None)
    assert ranks["partial"] == (
        None,
        f"fewer than {LEAST_COVERAGE} % of the expected replies were scored",
    )
    assert ranks["none"][0] is None
    assert "no reply was scored" in ranks["none"][1]


def test_references_are_shown_and_not_ranked() -> None:
    found = report(submission("chance", 60, kind="reference"), submission("a", 0))
    assert models(found) == ["a", "chance"]
    assert found["rows"][0]["rank"]["text"] == "1"
    assert found["rows"][1]["rank"] is None


def test_references_are_calibrated_at_each_level_under_each_condition() -> None:
    found = report(submission("direct", 60, kind="reference"), submission("a", 60))
    lines = found["calibrations"]
    assert [(line["level"], line["condition"]) for line in lines] == [
        (level, condition)
        for level in ("L00", "L01", "L02")
        for condition in ("explicit", "implicit")
    ]
    assert {line["control"] for line in lines} == {"direct"}
    assert {line["scores"]["fact_f1"]["value"] for line in lines} == {1.0}
    assert sum(line["scores"]["fact_f1"]["families"] for line in lines) == 60


def test_broken_control_makes_the_board_void() -> None:
    broken = [replace(one, ok=one.name != "copier") for one in OK]
    found = report(submission("chance", 60, kind="reference"), controls=broken)
    assert (found["void"], found["rows"], found["calibrations"]) == (True, [], [])
    assert (found["controls"]["state"], found["controls"]["broken"]) == ("broken", ["copier"])


def test_controls_that_have_not_run() -> None:
    found = report(submission("a", 60), controls=OK[:3])
    assert (found["void"], found["controls"]["state"]) == (False, "not run")
    assert report(controls=OK)["controls"]["state"] == "ok"


def test_empty_corpus_and_no_submission() -> None:
    found = build_report(corpus(), [], OK, VERSIONS)
    assert (found["rows"], found["corpus"]["instances"]) == ([], 0)
    (one,) = build_report(corpus(), [Submission("k", "m", "model", ())], OK, VERSIONS)["rows"]
    assert (one["rank"], one["coverage"]) == (None, 0.0)


def test_seeds_are_in_the_report() -> None:
    seeds = report()["statistics"]["seeds"]
    assert set(seeds) == {metric.name for metric in METRICS} | {"refusal"}
    assert len(set(seeds.values())) == len(seeds)
