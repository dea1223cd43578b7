"""Grading and diagnosing against `json.loads` of the same rows.

A lap is every reply of all solvers to one world in its five surfaces. It begins with a new answer
key, so that what a key works out once per world counts, as it does when a leaderboard is filled.
What is compared with: `json.loads` of each row of the upload, the reply in it being one string.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
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


def measure(plan: Plan, _: Report) -> Iterator[Row]:
    """A row per profile and level, and one over all levels, which has the goal."""
    for profile in plan.profiles:
        laps: list[tuple[Lap, Lap]] = []
        for level in (level for level in LEVELS if level in plan.levels):
            plan.tell(f"{PART}: {profile} {level}")
            found = [_raced(plan, *each) for each in subjects(profile, level, plan.worlds)]
            yield row_of(PART, (profile, level), _NAMES, found)
            laps += found
        if laps:
            together = (_sum([one for one, _ in laps]), _sum([other for _, other in laps]))
            yield row_of(PART, (profile, "all"), _NAMES, [together], _GOAL)


def _raced(plan: Plan, family: FamilyId, world: World) -> tuple[Lap, Lap]:
    lines = [
        json.dumps(reply_row(solver, str(family.instance(*surface)), world), ensure_ascii=False)
        for solver in SOLVERS
        for surface in SURFACES
    ]
    content = "\n".join(lines).encode()
    runs: dict[str, Contender[int]] = {
        "grading": partial(_grading, world, _replies(content, solvers=len(SOLVERS))),
        "json.loads": partial(_loading, content.split(b"\n")),
    }
    laps, _ = race(runs, plan.rounds)
    return laps["grading"], laps["json.loads"]


def _replies(content: bytes, solvers: int) -> list[Reply]:
    """The rows as the path of an upload reads them, one file for each solver."""
    rows = content.split(b"\n")
    size = len(rows) // solvers
    found: list[Reply] = []
    for start in range(0, len(rows), size):
        file = io.BytesIO(b"\n".join(rows[start : start + size]))
        found += [row for row in open_upload(file, "replies").rows if isinstance(row, Reply)]
    assert len(found) == len(rows)
    return found


def _grading(world: World, replies: Sequence[Reply]) -> Callable[[], int]:
    key = AnswerKey.of(world)

    def grade_all() -> int:
        for reply in replies:
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


def _sum(laps: Sequence[Lap]) -> Lap:
    return Lap(sum(lap.preparing for lap in laps), sum(lap.doing for lap in laps))
