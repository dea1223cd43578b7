"""Run a few programs as one: started together, restarted when one dies, stopped together.

Each program leads a session of its own, so Ctrl-C in the terminal reaches this process alone, and
it decides the order: ask everyone to finish, wait, insist, kill. When this process is itself
killed, the kernel passes the news on (see `leash`).
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from enigmaforge_site.leash import die_with_parent

__all__ = ["Program", "StartFailed", "Supervisor"]

_TICK_SECONDS = 0.1
# A program that lives shorter than this would only die again.
_LEAST_LIFE_SECONDS = 5.0
# Ask for a warm stop, then a cold one (Celery hands its message back), then kill.
_STOP_PLAN = ((signal.SIGTERM, 12.0), (signal.SIGQUIT, 4.0), (signal.SIGKILL, 4.0))


class StartFailed(Exception):
    """A program died too soon to be started again."""


@dataclass
class Program:
    """A program to keep running, and the open files it is handed."""

    name: str
    command: Sequence[str]
    inherits: tuple[int, ...] = ()
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    started: float = field(default=0.0, init=False)

    def start(self) -> None:
        """Start it in a session of its own."""
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.DEVNULL,
            pass_fds=self.inherits,
            start_new_session=True,
            preexec_fn=partial(die_with_parent, signal.SIGTERM),  # noqa: PLW1509 - no threads yet
        )

    @property
    def is_running(self) -> bool:
        """Say whether its first process lives."""
        return self.process is not None and self.process.poll() is None

    def send(self, number: signal.Signals) -> None:
        """Send a signal to its first process, or, to kill, to its whole group."""
        if self.process is None:
            return
        with suppress(ProcessLookupError):
            if number == signal.SIGKILL:
                os.killpg(self.process.pid, number)
            elif self.is_running:
                self.process.send_signal(number)


class Supervisor:
    """Keeps programs running until a signal asks it to stop."""

    def __init__(self, programs: Sequence[Program], say: Callable[[str], None]) -> None:
        self._programs = programs
        self._say = say
        self._stop_signals = 0

    def listen(self) -> None:
        """Take over the signals that end a program. The second one kills at once."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._note_signal)

    def start(self) -> None:
        """Start every program."""
        for program in self._programs:
            program.start()

    @property
    def is_stopping(self) -> bool:
        """Say whether a signal asked for the end."""
        return self._stop_signals > 0

    def watch(self, seconds: float) -> None:
        """Look after the programs for a while; come back early when asked to stop."""
        end = time.monotonic() + seconds
        while not self.is_stopping and time.monotonic() < end:
            for program in self._programs:
                if not program.is_running:
                    self._revive(program)
            time.sleep(_TICK_SECONDS)

    def stop(self) -> None:
        """Stop every program and all it started."""
        for number, patience in _STOP_PLAN:
            for program in self._programs:
                program.send(number)
            if self._are_gone_within(patience):
                break
        for program in self._programs:
            # What a program left behind in its group, such as the pool of a killed worker.
            program.send(signal.SIGKILL)

    def _note_signal(self, *_: object) -> None:
        self._stop_signals += 1

    def _revive(self, program: Program) -> None:
        code = program.process.returncode if program.process else None
        program.send(signal.SIGKILL)
        if time.monotonic() - program.started < _LEAST_LIFE_SECONDS:
            raise StartFailed(f"{program.name} does not start (exit code {code}); see above")
        self._say(f"{program.name} ended unexpectedly (exit code {code}) and is started again")
        program.start()

    def _are_gone_within(self, seconds: float) -> bool:
        end = time.monotonic() + seconds
        insisted = self._stop_signals > 1
        while any(program.is_running for program in self._programs):
            if time.monotonic() >= end or (self._stop_signals > 1 and not insisted):
                return False
            time.sleep(_TICK_SECONDS)
        return True
