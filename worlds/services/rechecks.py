"""Ask z3 again whether a family has one world, in a process that can be killed.

z3 listens to no signal while it searches, so it runs in a child process: a limit in seconds, a
cancelled job or a dying worker ends it. Whatever ends early is `unknown`, never a pass.
"""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from enigmaforge_site.jobs.models import Job
from enigmaforge_site.leash import die_with_parent
from worlds.core.engines import Answer, Verdict, problem_of
from worlds.core.engines.z3_check import problem_json
from worlds.core.model import World
from worlds.models import Family, Recheck
from worlds.services.instances import world_of

__all__ = ["Opinion", "ask_z3", "open_recheck", "recheck_by_z3"]

_TICK_SECONDS = 0.5
_MEANING = {
    Answer.UNSAT: Verdict.PROVED,
    Answer.SAT: Verdict.REFUTED,
    Answer.UNKNOWN: Verdict.UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class Opinion:
    """What z3 said of a world's uniqueness, with its work, or why it said nothing."""

    verdict: Verdict
    version: str = ""
    reason: str = ""
    work: Mapping[str, int | float] = field(default_factory=dict)


def open_recheck(job: Job, family: Family, *, created_by: User | None = None) -> Recheck:
    """Return the recheck that a job is to do, making its row the first time."""
    recheck, _ = Recheck.objects.get_or_create(
        job=job, defaults={"family": family, "created_by": created_by}
    )
    return recheck


def recheck_by_z3(
    recheck: Recheck,
    *,
    tick: Callable[[], None] = lambda: None,
) -> Recheck:
    """Run z3 on the recheck's family and store what it says.

    `tick` is called twice a second while z3 works; what it raises kills z3, leaves the verdict
    `unknown` and passes through.
    """
    opinion = Opinion(Verdict.UNKNOWN, reason="stopped before an answer")
    try:
        opinion = ask_z3(
            world_of(recheck.family),
            seconds=settings.Z3_TIMEOUT_SECONDS,
            tick=tick,
        )
    finally:
        recheck.verdict = opinion.verdict.value
        recheck.version = opinion.version
        recheck.reason = opinion.reason[:200]
        recheck.work = dict(opinion.work)
        recheck.finished = timezone.now()
        recheck.save()
    return recheck


def ask_z3(
    world: World,
    *,
    seconds: float,
    tick: Callable[[], None] = lambda: None,
) -> Opinion:
    """z3's verdict on whether the evidence has the world's solution as its only model."""
    problem = problem_of(world)
    broken = [unit for unit, each in problem.constraints.items() if not each.holds(world.truth)]
    if broken:
        return Opinion(Verdict.REFUTED, reason=f"the solution breaks {', '.join(broken)}")
    question = problem_json(problem.domains, problem.constraints, banned=world.solution)
    started = time.monotonic()
    answer = _run(question, seconds, tick)
    if isinstance(answer, Opinion):
        return answer
    try:
        told = json.loads(answer)
        work = {name: int(told[name]) for name in ("decisions", "propagations")}
        verdict = _MEANING[Answer(told["answer"])]
        version = str(told["version"])[:32]
    except (ValueError, KeyError, TypeError):
        return Opinion(Verdict.UNKNOWN, reason="z3 wrote something that is no answer")
    reason = "z3 ran out of its step budget" if verdict is Verdict.UNKNOWN else ""
    return Opinion(verdict, version, reason, work | {"seconds": _since(started)})


def _run(question: str, seconds: float, tick: Callable[[], None]) -> str | Opinion:
    """What the child wrote, or why it wrote nothing; the child is gone in either case."""
    deadline = time.monotonic() + seconds
    child = subprocess.Popen(
        settings.Z3_COMMAND,
        cwd=settings.BASE_DIR,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        preexec_fn=partial(die_with_parent, signal.SIGKILL),  # noqa: PLW1509 - one prctl call
    )
    unsent: str | None = question
    try:
        while True:
            try:
                answer, complaint = child.communicate(unsent, timeout=_TICK_SECONDS)
                break
            except subprocess.TimeoutExpired:
                unsent = None  # It is on its way; a second call only waits.
                tick()
                if time.monotonic() > deadline:
                    return Opinion(
                        Verdict.UNKNOWN, reason=f"no answer within {seconds:g} seconds; killed"
                    )
    finally:
        child.kill()
        child.wait()
    if child.returncode == 0:
        return answer
    told = complaint.strip().splitlines()[-1:] or [f"exit code {child.returncode}"]
    return Opinion(Verdict.UNKNOWN, reason=f"z3 failed: {told[0]}")


def _since(started: float) -> float:
    return round(time.monotonic() - started, 2)
