"""Grading and diagnosing against `json.loads` of the same rows.

A lap is every reply of all solvers to one world in its five surfaces; the row over all levels is
one lap over all worlds, file by file, as uploads come. Each begins with new answer keys, so that
what a key works out once per world counts, as it does when a leaderboard is filled. What is
compared with: `json.loads` of each row of the upload, the reply in it being one string.
"""

from __future__ import annotations

import gc
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from grading.bench.replies import SOLVERS, reply_row
from grading.core.diagnose import diagnose
from grading.core.formats import Row as Reply
from grading.core.formats import open_upload
from grading.core.records import assess
from grading.core.score import AnswerKey
from worlds.bench.clock import Contender, Lap, race
from worlds.bench.plan import Plan, subjects
from worlds.bench.report import Goal, Report, Row, row_of
from worlds.core.ids import FamilyId
from worlds.core.mint import SURFACES
from worlds.core.model import World

__all__ = ["LEVELS", "PART", "measure"]

PART = "grading"
LEVELS = ("L00", "L01", "L02", "L03", "L04", "L05")
"""Those of a standard corpus."""

_NAMES = ("grading", "json.loads")
_GOAL = Goal(most=10)


@dataclass(frozen=True)
class _Task:
    """A world with all replies to it: as rows of a file, and as they are read, by solver."""

    world: World
    lines: list[list[bytes]]
    replies: list[list[Reply]]


def measure(plan: Plan, _: Report) -> Iterator[Row]:
    """A row per profile and level, and one over all levels, which has the goal."""
    for profile in plan.profiles:
        tasks: list[_Task] = []
        for level in (level for level in LEVELS if level in plan.levels):
            plan.tell(f"{PART}: {profile} {level}")
            found = [_task(*each) for each in subjects(profile, level, plan.worlds)]
            yield row_of(PART, (profile, level), _NAMES, [_raced(plan, [task]) for task in found])
            tasks += found
        if tasks:
            plan.tell(f"{PART}: {profile}, file by file")
            yield row_of(PART, (profile, "all"), _NAMES, [_raced(plan, tasks)], _GOAL)


def _task(family: FamilyId, world: World) -> _Task:
    ids = [str(family.instance(*surface)) for surface in SURFACES]
    lines = [
        [
            json.dumps(reply_row(solver, sample_id, world), ensure_ascii=False).encode()
            for sample_id in ids
        ]
        for solver in SOLVERS
    ]
    return _Task(world, lines, [_replies(rows) for rows in lines])


def _raced(plan: Plan, tasks: Sequence[_Task]) -> tuple[Lap, Lap]:
    files = range(len(SOLVERS))
    lines = [line for n in files for task in tasks for line in task.lines[n]]
    replies = [
        (place, reply)
        for n in files
        for place, task in enumerate(tasks)
        for reply in task.replies[n]
    ]
    # An import holds a few replies at a time; garbage is not to be looked for among all of them.
    gc.freeze()
    runs: dict[str, Contender[int]] = {
        "grading": partial(_grading, [task.world for task in tasks], replies),
        "json.loads": partial(_loading, lines),
    }
    laps, _ = race(runs, plan.rounds)
    return laps["grading"], laps["json.loads"]


def _replies(lines: Sequence[bytes]) -> list[Reply]:
    """The rows as the path of an upload reads them."""
    upload = open_upload(io.BytesIO(b"\n".join(lines)), "replies")
    found = [row for row in upload.rows if isinstance(row, Reply)]
    assert len(found) == len(lines)
    return found


def _grading(worlds: Sequence[World], replies: Sequence[tuple[int, Reply]]) -> Callable[[], int]:
    keys = [AnswerKey.of(world) for world in worlds]

    def grade_all() -> int:
        for place, reply in replies:
            key = keys[place]
            graded = assess(key, reply.completion, reply.status, reply.stop_unknown).grade
            if graded is not None:
                diagnose(key, graded)
        return len(replies)

    return grade_all


def _loading(lines: Sequence[bytes]) -> Callable[[], int]:
    def load_all() -> int:
        for line in lines:
            json.loads(line)
        return len(lines)

    return load_all
