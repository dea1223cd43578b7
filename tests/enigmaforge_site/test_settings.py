"""The settings as a whole: what a start prints when one of them is wrong."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]


def _check(**variables: str) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(("PATH", "HOME", "LANG"))
    }
    return subprocess.run(
        [sys.executable, "manage.py", "check", *variables.pop("arguments", "").split()],
        cwd=_ROOT, env=environment | variables, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("ENIGMAFORGE_DEBUG", "maybe", "expected 1 or 0"),
        ("ENIGMAFORGE_DATABASE_URL", "mysql://h/n", "expected sqlite:////absolute/path or"),
        ("ENIGMAFORGE_BROKR_URL", "redis://h", "did you mean ENIGMAFORGE_BROKER_URL"),
        ("ENIGMAFORGE_LOG_LEVEL", "LOUD", "expected DEBUG, INFO, WARNING, ERROR"),
    ],
)
def test_a_wrong_setting_stops_the_start_with_one_line(
    tmp_path: Path, name: str, value: str, says: str
) -> None:
    done = _check(**{"ENIGMAFORGE_VAR": str(tmp_path), name: value})
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(name)
    assert says in done.stderr


def test_nothing_is_wrong_with_a_deployment_behind_tls(tmp_path: Path) -> None:
    done = _check(
        ENIGMAFORGE_VAR=str(tmp_path),
        ENIGMAFORGE_HTTPS="1",
        arguments="--deploy --fail-level WARNING",
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_every_setting_is_described() -> None:
    code = (_ROOT / "enigmaforge_site" / "settings.py").read_text()
    read = set(re.findall(r'_env\.\w+\(\s*"(\w+)"', code))
    described = re.findall(
        r"^\| `ENIGMAFORGE_(\w+)` \|", (_ROOT / "docs" / "running.md").read_text(), re.MULTILINE
    )
    assert sorted(described) == sorted(read)


def test_a_setting_is_known_whether_it_matters_or_not(tmp_path: Path) -> None:
    done = _check(ENIGMAFORGE_VAR=str(tmp_path), ENIGMAFORGE_HSTS_SECONDS="60")
    assert (done.returncode, done.stderr) == (0, "")
