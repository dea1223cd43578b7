"""`make` says in one line what keeps it from installing, and installs only what has changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[1]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a folder with what installing needs and nothing else."""
    for name in ("Makefile", "requirements.lock", "requirements-dev.lock"):
        shutil.copy(_ROOT / name, tmp_path / name)
    return tmp_path


def _make(clone: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    return subprocess.run(
        ["make", *arguments],
        cwd=clone, env=environment | variables, capture_output=True, text=True, check=False,
    )  # fmt: skip


def _own_lines(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Return what was printed to stderr, without the line that make itself adds."""
    return [line for line in done.stderr.splitlines() if not line.startswith("make:")]


def test_a_python_out_of_range_is_one_line(clone: Path) -> None:
    old = clone / "python2.7"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 2.7.18\nexit 1\n')
    old.chmod(0o755)
    done = _make(clone, "install", f"PYTHON={old}")
    assert done.returncode != 0
    assert _own_lines(done) == [
        (
            "EnigmaForge needs Python 3.11, 3.12 or 3.13; found Python 2.7.18."
            " Name another: make run PYTHON=/path/to/python3.11"
        )
    ]
    assert not (clone / ".venv").exists()


def test_no_network_is_one_line(clone: Path) -> None:
    done = _make(
        clone, "install", f"PYTHON={sys.executable}",
        PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_CONFIG_FILE=os.devnull,
        PIP_FIND_LINKS="", PIP_EXTRA_INDEX_URL="", PIP_NO_CACHE_DIR="1",
    )  # fmt: skip
    assert done.returncode != 0
    assert _own_lines(done) == [
        (
            "The dependencies cannot be installed: the package index cannot be reached;"
            " is there a network? (all of it in .venv/install.log)"
        )
    ]


def test_an_environment_that_satisfies_the_lock_is_left_alone(clone: Path) -> None:
    (clone / ".venv" / "bin").mkdir(parents=True)
    (clone / ".venv" / "bin" / "python").symlink_to(sys.executable)
    for name in ("requirements.lock", "requirements-dev.lock"):
        shutil.copy(clone / name, clone / ".venv" / name)
    for target in ("install", "install-dev"):
        done = _make(clone, target)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_make_alone_lists_the_commands(clone: Path) -> None:
    listed = {line.split()[1] for line in _make(clone).stdout.splitlines()}
    assert {"run", "test", "test-all", "check", "sign-in"} <= listed
