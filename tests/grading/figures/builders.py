"""Solvers of a small report, for the tests of figures."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from grading.core.records import GradedRow
from grading.core.report import Submission, build_report
from grading.core.statuses import Status
from grading.core.table import Item
from grading.figures import Solver
from tests.grading.core.builders import corpus, row, wrong

__all__ = ["ITEMS", "report", "solvers"]

ITEMS = tuple(
    Item(f"f{f}-{condition[:3]}", f"f{f}", f"L0{f % 2}", "manor", condition, 1)
    for f in range(8)
    for condition in ("explicit", "formal", "implicit")
)


def _solved(item: Item) -> GradedRow:
    return row(item, 4, acted=True)


def _silent(item: Item) -> GradedRow:
    return row(item, status=Status.REFUSED)


def _guided(item: Item) -> GradedRow:
    return wrong(item) if item.condition == "implicit" else _solved(item)


def _patchy(item: Item) -> GradedRow:
    return _silent(item) if item.family == "f0" else _solved(item)


_REPLIES: dict[str, Callable[[Item], GradedRow]] = {
    "solves all": _solved,
    "needs guidance": _guided,
    "lacks a family": _patchy,
    "<b>says nothing</b>": _silent,
}


@cache
def report() -> dict[str, Any]:
    """The report over four models and one reference."""
    submissions = [
        Submission(f"key-{name}", name, "model", tuple(map(reply, ITEMS)))
        for name, reply in _REPLIES.items()
    ]
    reference = Submission("key-chance", "chance", "reference", tuple(map(wrong, ITEMS)))
    return build_report(corpus(*ITEMS), [*submissions, reference], [], {})


def solvers() -> tuple[Solver, ...]:
    """All solvers of the report, numbered in its order."""
    return tuple(
        Solver(number, row["model"], row) for number, row in enumerate(report()["rows"], start=1)
    )
