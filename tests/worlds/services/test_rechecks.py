"""Engines in processes of their own: what they say; whatever ends one early is no pass."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from enigmaforge_site.jobs import services as jobs
from worlds import services
from worlds.core.engines import Verdict
from worlds.models import Instance, Recheck
from worlds.services.instances import world_of
from worlds.services.rechecks import ask_engine

WORK = {
    "dpll": {"decisions", "propagations", "seconds"},
    "oracle": {"models", "seconds"},
    "z3": {"decisions", "propagations", "seconds"},
}


@pytest.fixture(params=sorted(WORK))
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def recheck(implicit: Instance, engine: str) -> Recheck:
    return _open(implicit, engine)


def _open(row: Instance, engine: str) -> Recheck:
    job = jobs.create("recheck", {"family_id": row.family_id, "engine": engine}, title="Ask")
    return services.open_recheck(job, row.family, engine)


@pytest.fixture
def endless(tmp_path: Path, settings: Settings) -> Path:
    """Put a program in the engines' place that never answers; return the file of its process id."""
    told = tmp_path / "pid"
    code = f"import os, time; open({str(told)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    _say(settings, code)
    settings.ENGINE_TIMEOUT_SECONDS = dict.fromkeys(WORK, 1)
    return told


def _is_gone(told: Path) -> bool:
    try:
        os.kill(int(told.read_text()), 0)
    except ProcessLookupError:
        return True
    return False


def _say(settings: Settings, code: str) -> None:
    settings.ENGINE_COMMANDS = dict.fromkeys(WORK, (sys.executable, "-c", code))


def test_engine_proves_a_proved_family(recheck: Recheck, engine: str) -> None:
    services.recheck_family(recheck)
    recheck.refresh_from_db()
    assert (recheck.verdict, recheck.reason) == ("proved", "")
    assert (recheck.engine, bool(recheck.version)) == (engine, engine == "z3")
    assert set(recheck.work) == WORK[engine]
    assert recheck.work.get("models", 1) == 1
    assert recheck.finished is not None


def test_engine_refutes_a_family_that_has_lost_a_clue(recheck: Recheck) -> None:
    units = recheck.family.truth["units"]
    clue = next(unit for unit in units if unit["role"] == "clue")
    units.remove(clue)
    services.recheck_family(recheck)
    assert recheck.verdict == "refuted"


def test_solution_that_breaks_a_clue_is_refuted_by_name(implicit: Instance) -> None:
    truth = implicit.family.truth
    pin = next(unit for unit in truth["units"] if "value" in unit.get("constraint", {}))
    term = pin["constraint"]["left"]
    domain = next(v["domain"] for v in truth["variables"] if v["id"] == term)
    pin["constraint"]["value"] = next(
        value for value in truth["domains"][domain] if value != truth["solution"][term]
    )
    opinion = ask_engine("oracle", world_of(implicit.family))
    assert opinion.verdict is Verdict.REFUTED
    assert pin["id"] in opinion.reason


def test_engine_that_takes_too_long_is_killed_and_unknown(recheck: Recheck, endless: Path) -> None:
    services.recheck_family(recheck)
    assert recheck.verdict == "unknown"
    assert recheck.reason == "no answer within 1 seconds; killed"
    assert _is_gone(endless)


def test_cancelled_recheck_kills_the_engine_and_stays_unknown(
    recheck: Recheck, endless: Path
) -> None:
    def tick() -> None:
        if endless.exists():
            raise jobs.JobCancelled("somebody pressed Cancel")

    with pytest.raises(jobs.JobCancelled):
        services.recheck_family(recheck, tick=tick)
    recheck.refresh_from_db()
    assert (recheck.verdict, recheck.reason) == ("unknown", "stopped before an answer")
    assert _is_gone(endless)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("print('proved')", "z3 wrote something that is no answer"),
        ('print(\'{"answer": "unsat"}\')', "z3 wrote something that is no answer"),
        ('print(\'{"answer": "unsat", "models": 1}\')', "z3 wrote something that is no answer"),
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
    opinion = ask_engine("z3", world_of(implicit.family))
    assert (opinion.verdict, opinion.reason) == (Verdict.UNKNOWN, reason)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("dpll", "DPLL ran out of its step budget"),
        ("oracle", "the elimination is wider than its budget"),
        ("z3", "z3 ran out of its step budget"),
    ],
)
def test_engine_that_runs_out_of_its_budget_is_unknown(
    implicit: Instance, settings: Settings, name: str, reason: str
) -> None:
    _say(settings, """print('{"answer": "unknown"}')""")
    opinion = ask_engine(name, world_of(implicit.family))
    assert (opinion.verdict, opinion.reason) == (Verdict.UNKNOWN, reason)


def test_recheck_of_a_job_is_one_row(implicit: Instance) -> None:
    recheck = _open(implicit, "z3")
    assert recheck.job is not None
    assert services.open_recheck(recheck.job, recheck.family, "z3") == recheck


def test_latest_recheck_is_told_for_each_engine_in_one_query(
    implicit: Instance, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    last = {name: _open(implicit, name) for name in ("z3", "dpll", "z3")}
    with django_assert_num_queries(1):
        latest = services.latest_rechecks(implicit.family)
        assert all(each.job is not None for each in latest.values())
    assert latest == last
