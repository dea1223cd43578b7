"""Programs are started, started again when they die, and stopped with all they left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from enigmaforge_site import supervisor
from enigmaforge_site.supervisor import Program, StartFailed, Supervisor

_SLEEPS = "import time; time.sleep(600)"
_DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + _SLEEPS
_DEAFER = "import signal; signal.signal(signal.SIGQUIT, signal.SIG_IGN); " + _DEAF
# Starts a child in its own group and says which.
_PARENT = (
    "import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', sys.argv[2]]);"
    "open(sys.argv[1], 'w').write(f'{child.pid}\\n'); " + _SLEEPS
)


def _program(code: str, *arguments: str) -> Program:
    return Program("program", [sys.executable, "-c", code, *arguments])


def _is_alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


def _read_number(path: Path) -> int:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if path.exists() and path.read_text().endswith("\n"):
            return int(path.read_text())
        time.sleep(0.02)
    pytest.fail(f"{path} was not written")


def test_stop_ends_every_program() -> None:
    programs = [_program(_SLEEPS), _program(_SLEEPS)]
    site = Supervisor(programs, print)
    site.start()
    site.stop()
    assert not any(program.is_running for program in programs)


@pytest.mark.parametrize("code", [_DEAF, _DEAFER])
def test_stop_insists(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str) -> None:
    plan = tuple((number, 0.3) for number, _ in supervisor._STOP_PLAN)
    monkeypatch.setattr(supervisor, "_STOP_PLAN", plan)
    program = _program(code)
    site = Supervisor([program], print)
    site.start()
    site.stop()
    assert not program.is_running


def test_stop_ends_what_a_dead_program_left_behind(tmp_path: Path) -> None:
    program = _program(_PARENT, str(tmp_path / "child"), _SLEEPS)
    site = Supervisor([program], print)
    site.start()
    child = _read_number(tmp_path / "child")
    assert _is_alive(child)
    assert program.process is not None
    program.process.kill()
    program.process.wait()
    site.stop()
    end = time.monotonic() + 10
    while _is_alive(child) and time.monotonic() < end:
        time.sleep(0.02)
    assert not _is_alive(child)


def test_a_program_that_cannot_start_is_an_error_that_names_it() -> None:
    site = Supervisor([Program("web", [sys.executable, "-c", "raise SystemExit(3)"])], print)
    site.start()
    with pytest.raises(StartFailed, match=r"web does not start \(exit code 3\)"):
        site.watch(seconds=30)
    site.stop()


def test_a_program_that_dies_later_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "_LEAST_LIFE_SECONDS", 0.0)
    said: list[str] = []
    program = Program("worker", [sys.executable, "-c", _SLEEPS])
    site = Supervisor([program], said.append)
    site.start()
    first = program.process
    assert first is not None
    first.kill()
    first.wait()
    site.watch(seconds=0.3)
    site.stop()
    assert said == ["worker ended unexpectedly (exit code -9) and is started again"]
    assert program.process is not first


_SUPERVISE = (
    "import sys; from enigmaforge_site.supervisor import *;"
    "p = Program('x', [sys.executable, '-c', sys.argv[2]]); s = Supervisor([p], print);"
    "s.listen(); s.start(); open(sys.argv[1], 'w').write(f'{p.process.pid}\\n');"
    "s.watch(60); s.stop()"
)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_however_it_ends_its_programs_end_too(tmp_path: Path, number: signal.Signals) -> None:
    parent = subprocess.Popen([sys.executable, "-c", _SUPERVISE, str(tmp_path / "pid"), _SLEEPS])
    child = _read_number(tmp_path / "pid")
    os.kill(parent.pid, number)
    assert parent.wait(30) == (-number if number == signal.SIGKILL else 0)
    end = time.monotonic() + 10
    while _is_alive(child) and time.monotonic() < end:
        time.sleep(0.02)
    assert not _is_alive(child)
