"""Ask one engine again whether a family has one world, in a process that can be killed.

z3 listens to no signal while it searches, and DPLL and the oracle are asked in the same way: in a
child process that a limit in seconds, a cancelled job or a dying worker ends. Whatever ends early
is `unknown`, never a pass.
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
from django.db.models import Max
from django.utils import timezone

from enigmaforge_site.jobs.models import Job
from enigmaforge_site.leash import die_with_parent
from worlds.core.engines import Answer, Verdict, problem_of
from worlds.core.engines.question import problem_json
from worlds.core.model import World
from worlds.models import Family, Recheck
from worlds.services.instances import world_of

__all__ = ["ENGINES", "Opinion", "ask_engine", "latest_rechecks", "open_recheck", "recheck_family"]

ENGINES: Mapping[str, str] = {"dpll": "DPLL", "oracle": "Oracle", "z3": "z3"}
"""The engines that can be asked, and what people call them."""

_TICK_SECONDS = 0.5
_WORK = {
    "dpll": ("decisions", "propagations"),
    "oracle": ("models",),
    "z3": ("decisions", "propagations"),
}
_BUDGET = {
    "dpll": "DPLL ran out of its step budget",
    "oracle": "the elimination is wider than its budget",
    "z3": "z3 ran out of its step budget",
}
_MEANING = {
    Answer.UNSAT: Verdict.PROVED,
    Answer.SAT: Verdict.REFUTED,
    Answer.UNKNOWN: Verdict.UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class Opinion:
    """What an engine said of a world's uniqueness, with its work, or why it said nothing."""

    verdict: Verdict
    version: str = ""
    reason: str = ""
    work: Mapping[str, int | float] = field(default_factory=dict)


def open_recheck(
    job: Job, family: Family, engine: str, *, created_by: User | None = None
) -> Recheck:
    """Return the recheck that a job is to do, making its row the first time."""
    recheck, _ = Recheck.objects.get_or_create(
        job=job, defaults={"family": family, "engine": engine, "created_by": created_by}
    )
    return recheck


def latest_rechecks(family: Family) -> Mapping[str, Recheck]:
    """The last recheck by each engine that was asked, with its job; runs one query."""
    newest = family.rechecks.order_by().values("engine").annotate(newest=Max("pk"))
    rows = Recheck.objects.filter(pk__in=newest.values("newest")).select_related("job")
    return {row.engine: row for row in rows}


def recheck_family(
    recheck: Recheck,
    *,
    tick: Callable[[], None] = lambda: None,
) -> Recheck:
    """Run the recheck's engine on its family and store what it says.

    `tick` is called twice a second while the engine works; what it raises kills the engine, leaves
    the verdict `unknown` and passes through.
    """
    opinion = Opinion(Verdict.UNKNOWN, reason="stopped before an answer")
    try:
        opinion = ask_engine(recheck.engine, world_of(recheck.family), tick=tick)
    finally:
        recheck.verdict = opinion.verdict.value
        recheck.version = opinion.version
        recheck.reason = opinion.reason[:200]
        recheck.work = dict(opinion.work)
        recheck.finished = timezone.now()
        recheck.save()
    return recheck


def ask_engine(
    engine: str,
    world: World,
    *,
    tick: Callable[[], None] = lambda: None,
) -> Opinion:
    """An engine's verdict on whether the evidence has the world's solution as its only model."""
    problem = problem_of(world)
    broken = [unit for unit, each in problem.constraints.items() if not each.holds(world.truth)]
    if broken:
        return Opinion(Verdict.REFUTED, reason=f"the solution breaks {', '.join(broken)}")
    question = problem_json(problem.domains, problem.constraints, banned=world.solution)
    started = time.monotonic()
    answer = _run(engine, question, tick)
    return answer if isinstance(answer, Opinion) else _read(engine, answer, _since(started))


def _read(engine: str, answer: str, seconds: float) -> Opinion:
    """The opinion in what the child wrote; anything that is no answer is unknown."""
    try:
        told = json.loads(answer)
        verdict = _MEANING[Answer(told["answer"])]
        counted = {name: int(told[name]) for name in _WORK[engine] if name in told}
        version = str(told.get("version", ""))[:32]
        if verdict is not Verdict.UNKNOWN and len(counted) < len(_WORK[engine]):
            raise KeyError("work")
    except (ValueError, KeyError, TypeError, AttributeError):
        return Opinion(
            Verdict.UNKNOWN, reason=f"{ENGINES[engine]} wrote something that is no answer"
        )
    reason = _BUDGET[engine] if verdict is Verdict.UNKNOWN else ""
    return Opinion(verdict, version, reason, counted | {"seconds": seconds})


def _run(engine: str, question: str, tick: Callable[[], None]) -> str | Opinion:
    """What the child wrote, or why it wrote nothing; the child is gone in either case."""
    seconds = settings.ENGINE_TIMEOUT_SECONDS[engine]
    deadline = time.monotonic() + seconds
    child = subprocess.Popen(
        settings.ENGINE_COMMANDS[engine],
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
    return Opinion(Verdict.UNKNOWN, reason=f"{ENGINES[engine]} failed: {told[0]}")


def _since(started: float) -> float:
    return round(time.monotonic() - started, 2)
