"""A site in a folder of its own, used from outside through its commands and programs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

__all__ = ["environment", "manage", "python", "start"]

ROOT = Path(__file__).parents[1]


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """This process's environment, with no setting of EnigmaForge but those given."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("ENIGMAFORGE_")}
    own = {"ENIGMAFORGE_VAR": str(folder), "DJANGO_SETTINGS_MODULE": "enigmaforge_site.settings"}
    return inherited | settings | own | {"PYTHONUNBUFFERED": "1"}


def manage(folder: Path, *arguments: str) -> None:
    """Run a management command to its end; it must succeed."""
    python(folder, "manage.py", *arguments)


def python(folder: Path, *arguments: str) -> None:
    """Run Python to its end; it must succeed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT, env=environment(folder), capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def start(folder: Path, *arguments: str, **options: Any) -> subprocess.Popen[str]:
    """Start Python in a process group of its own."""
    settings = options.pop("settings", {})
    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT, env=environment(folder, **settings), text=True, start_new_session=True, **options,
    )  # fmt: skip
