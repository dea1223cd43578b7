"""The parts that measure grading and importing: their rows, never how fast they are."""

from __future__ import annotations

from typing import Any

import pytest

from grading.bench import grading, importing
from grading.bench.replies import SOLVERS
from grading.models import Submission, UploadedFile
from tests.grading.builders import corpus_of
from worlds.bench import Plan, Report

_SMALL = Plan(worlds=1, levels=("L00", "L09"), profiles=("chain",), rounds=1)


def test_grading_has_a_row_for_each_level_and_one_with_the_goal() -> None:
    rows = list(grading.measure(_SMALL, Report(1, {})))
    assert [(row.level, row.one, row.other, str(row.goal or "")) for row in rows] == [
        ("L00", "grading", "json.loads", ""),
        ("all", "grading", "json.loads", "≤ 10"),
    ]
    assert all(min(row.ratio, row.doing) > 0 for row in rows)


def test_levels_of_no_standard_corpus_have_no_rows() -> None:
    plan = Plan(worlds=1, levels=("L09",), profiles=("chain",), rounds=1)
    assert list(grading.measure(plan, Report(1, {}))) == []
    assert list(importing.measure(plan, Report(1, {}))) == []


@pytest.mark.django_db
def test_importing_leaves_each_solver_once_and_reports_on_them(
    monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    monkeypatch.setattr(importing, "SOLVERS", SOLVERS[::14])
    plan = Plan(worlds=2, levels=("L00",), profiles=("chain",), rounds=2)
    rows = list(importing.measure_in(corpus_of(), plan))
    assert [(row.one, row.other, str(row.goal)) for row in rows] == [
        ("import", "bare insert", "≤ 3"),
        ("report on 3", "3 imports", "≤ 1"),
    ]
    assert [row.worlds for row in rows] == [3, 1]
    names = Submission.objects.graded().order_by("pk").values_list("model", flat=True)
    assert list(names) == [solver.name for solver in SOLVERS[::14]]
    assert Submission.objects.count() == UploadedFile.objects.count() == 3
