"""Invented replies are of every kind that a file of a real model holds."""

from __future__ import annotations

import io
import json
from collections import Counter

from grading.bench.replies import SOLVERS, reply_row
from grading.core.answers import Answer
from grading.core.formats import Row, open_upload
from grading.core.records import assess
from grading.core.score import AnswerKey
from grading.core.statuses import Status
from tests.worlds.core.builders import observatory

WORLD = observatory()
IDS = [f"id-{number}" for number in range(40)]


def rows() -> list[Row]:
    found = [reply_row(solver, sample, WORLD) for solver in SOLVERS for sample in IDS]
    content = b"\n".join(
        json.dumps(row | {"sample_id": f"{row['model']}_{row['sample_id']}"}).encode()
        for row in found
    )
    read = list(open_upload(io.BytesIO(content), name="replies").rows)
    assert all(isinstance(row, Row) for row in read)
    return [row for row in read if isinstance(row, Row)]


def test_a_solver_replies_the_same_whenever_it_is_asked() -> None:
    assert reply_row(SOLVERS[3], "a", WORLD) == reply_row(SOLVERS[3], "a", WORLD)
    assert reply_row(SOLVERS[3], "a", WORLD) != reply_row(SOLVERS[3], "b", WORLD)


def test_replies_are_good_and_bad_torn_and_empty_handed() -> None:
    key = AnswerKey.of(WORLD)
    found = [assess(key, row.completion, row.status, row.stop_unknown) for row in rows()]
    statuses = Counter(each.status for each in found)
    assert statuses[Status.ANSWERED] > 0.9 * len(found)
    assert min(statuses[s] for s in (Status.TRUNCATED, Status.REFUSED, Status.FAILED)) > 5
    grades = [each.grade for each in found if each.grade is not None]
    successes = sum(grade.task_success for grade in grades)
    assert 0.3 * len(grades) < successes < 0.7 * len(grades)
    assert sum(not grade.readable for grade in grades) > 20
    readings = [each.reading for each in found if isinstance(each.reading, Answer)]
    assert any(reading.earlier for reading in readings)
    completions = [row.completion or "" for row in rows()]
    assert {"<think>" in text for text in completions} == {True, False}
    assert {"```json" in text for text in completions} == {True, False}


def test_the_last_solver_is_better_than_the_first() -> None:
    key = AnswerKey.of(WORLD)

    def right(solver_name: str) -> int:
        graded = [
            assess(key, row.completion, row.status).grade
            for row in rows()
            if row.model == solver_name
        ]
        return sum(grade.facts.tp for grade in graded if grade is not None)

    assert right(SOLVERS[-1].name) > 1.3 * right(SOLVERS[0].name)
