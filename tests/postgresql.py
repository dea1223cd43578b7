"""Run a file of tests once more on PostgreSQL, in a process whose settings say so."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

__all__ = ["assert_passes_on_postgresql"]

_SERVER = "postgres://root@127.0.0.1:5432"
_ROOT = Path(__file__).parents[1]


def assert_passes_on_postgresql(tests: Path) -> None:
    """Every test of the file passes there; skipped where no server listens, except in CI."""
    with socket.socket() as probe:
        if os.environ.get("CI") != "true" and probe.connect_ex(("127.0.0.1", 5432)):
            pytest.skip("no PostgreSQL on port 5432 of this machine")
    # The database of the run is called test_forge_…; two runs at once do not share it.
    url = f"{_SERVER}/forge_{uuid.uuid4().hex}"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"),
            str(tests),
        ],
        cwd=_ROOT, env=os.environ | {"ENIGMAFORGE_DATABASE_URL": url},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
