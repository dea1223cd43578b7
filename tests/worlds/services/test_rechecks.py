"""z3 in a process of its own: what it says, and that whatever ends it early is no pass."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from pytest_django import Settings

from enigmaforge_site.jobs import services as jobs
from worlds import services
from worlds.core.engines import Verdict
from worlds.models import Instance, Recheck
from worlds.services.instances import world_of
from worlds.services.rechecks import ask_z3


@pytest.fixture
def recheck(implicit: Instance) -> Recheck:
    job = jobs.create("recheck_z3", {"family_id": implicit.family_id}, title="Ask z3")
    return services.open_recheck(job, implicit.family)


@pytest.fixture
def endless(tmp_path: Path, settings: Settings) -> Path:
    """Put a program in z3's place that never answers; return the file that holds its process id."""
    told = tmp_path / "pid"
    code = f"import os, time; open({str(told)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    settings.Z3_COMMAND = (sys.executable, "-c", code)
    settings.Z3_TIMEOUT_SECONDS = 1
    return told


def _is_gone(told: Path) -> bool:
    try:
        os.kill(int(told.read_text()), 0)
    except ProcessLookupError:
        return True
    return False


def _say(settings: Settings, code: str) -> None:
    settings.Z3_COMMAND = (sys.executable, "-c", code)


def test_z3_proves_a_proved_family(recheck: Recheck) -> None:
    services.recheck_by_z3(recheck)
    recheck.refresh_from_db()
    assert (recheck.verdict, recheck.reason) == ("proved", "")
    assert recheck.version
    assert set(recheck.work) == {"decisions", "propagations", "seconds"}
    assert recheck.finished is not None


def test_z3_refutes_a_family_that_has_lost_a_clue(recheck: Recheck) -> None:
    units = recheck.family.truth["units"]
    clue = next(unit for unit in units if unit["role"] == "clue")
    units.remove(clue)
    services.recheck_by_z3(recheck)
    assert recheck.verdict == "refuted"


def test_solution_that_breaks_a_clue_is_refuted_by_name(implicit: Instance) -> None:
    truth = implicit.family.truth
    pin = next(unit for unit in truth["units"] if "value" in unit.get("constraint", {}))
    term = pin["constraint"]["left"]
    domain = next(v["domain"] for v in truth["variables"] if v["id"] == term)
    pin["constraint"]["value"] = next(
        value for value in truth["domains"][domain] if value != truth["solution"][term]
    )
    opinion = ask_z3(world_of(implicit.family), seconds=10)
    assert opinion.verdict is Verdict.REFUTED
    assert pin["id"] in opinion.reason


def test_z3_that_takes_too_long_is_killed_and_unknown(recheck: Recheck, endless: Path) -> None:
    services.recheck_by_z3(recheck)
    assert recheck.verdict == "unknown"
    assert recheck.reason == "no answer within 1 seconds; killed"
    assert _is_gone(endless)


def test_cancelled_recheck_kills_z3_and_stays_unknown(recheck: Recheck, endless: Path) -> None:
    def tick() -> None:
        if endless.exists():
            raise jobs.JobCancelled("somebody pressed Cancel")

    with pytest.raises(jobs.JobCancelled):
        services.recheck_by_z3(recheck, tick=tick)
    recheck.refresh_from_db()
    assert (recheck.verdict, recheck.reason) == ("unknown", "stopped before an answer")
    assert _is_gone(endless)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("print('proved')", "z3 wrote something that is no answer"),
        ('print(\'{"answer": "unsat"}\')', "z3 wrote something that is no answer"),
        ("print('[1]')", "z3 wrote something that is no answer"),
        ("import sys; sys.exit('segmentation fault')", "z3 failed: segmentation fault"),
        ("import os; os._exit(3)", "z3 failed: exit code 3"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "z3 failed: exit code -9"),
    ],
)
def test_z3_that_breaks_is_unknown(
    implicit: Instance, settings: Settings, code: str, reason: str
) -> None:
    _say(settings, code)
    opinion = ask_z3(world_of(implicit.family), seconds=10)
    assert (opinion.verdict, opinion.reason) == (Verdict.UNKNOWN, reason)


def test_z3_that_runs_out_of_steps_is_unknown(implicit: Instance, settings: Settings) -> None:
    answer = '{"answer": "unknown", "decisions": 1, "propagations": 2, "version": "5"}'
    _say(settings, f"print({answer!r})")
    opinion = ask_z3(world_of(implicit.family), seconds=10)
    assert (opinion.verdict, opinion.reason) == (Verdict.UNKNOWN, "z3 ran out of its step budget")


def test_recheck_of_a_job_is_one_row(recheck: Recheck) -> None:
    assert recheck.job is not None
    assert services.open_recheck(recheck.job, recheck.family) == recheck
