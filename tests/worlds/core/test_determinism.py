"""The same id gives the same bytes: today, in any process, under any hash seed, on any Python."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import z3

from tests.worlds.core.goldens import digests_of, families, golden
from worlds.core.ids import FamilyId
from worlds.core.packs import genres

_ROOT = Path(__file__).parents[3]
_VERSIONS = ("3.11", "3.12", "3.13")
_IN_CI = os.environ.get("CI") == "true"


def _few(genre: str) -> list[FamilyId]:
    """The smallest families, one for each profile and level."""
    return [f for f in families(genre) if f.level in ("L00", "L02") and f.seed == 0]


def _assert_as_kept(found: dict[str, Any], wanted: Sequence[FamilyId]) -> None:
    kept = {str(family): golden(family.genre).get(str(family)) for family in wanted}
    changed = sorted(name for name in kept if found[name] != kept[name])
    assert not changed, (
        f"{len(changed)} of {len(kept)} families are not what they were, {changed[0]} first; if "
        "this change is wanted, write it down with `make goldens` and commit tests/**/golden"
    )


@pytest.mark.parametrize("genre", genres())
def test_every_family_that_should_have_golden_digests_has_them(genre: str) -> None:
    assert list(golden(genre)) == [str(family) for family in families(genre)], (
        f"golden/{genre}.json does not hold the families of tests/worlds/core/goldens.py: "
        "write it with `make goldens` and commit tests/**/golden"
    )


@pytest.mark.parametrize("genre", genres())
def test_small_families_are_what_they_were(genre: str) -> None:
    wanted = _few(genre)
    _assert_as_kept({str(family): digests_of(family) for family in wanted}, wanted)


def _is_version(program: str, version: str) -> bool:
    """Whether a program is that Python; a version manager's shim may be none."""
    try:
        done = subprocess.run(
            [program, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
    except OSError:
        return False
    return done.stdout.strip() == version


@cache
def _python(version: str) -> str | None:
    """A Python of that version: this one, one on the path, or one of pyenv's."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    offered = [
        sys.executable,
        shutil.which(f"python{version}"),
        *(str(path) for path in sorted(pyenv.glob(f"{version}.*/bin/python"))),
    ]
    return next((each for each in offered if each and _is_version(each, version)), None)


def _pythons() -> Iterator[Any]:
    """Each version with a hash seed of its own; one that is not here is skipped, but not in CI.

    CI fails when anything is skipped: there, whatever Pythons the machine has must agree.
    """
    for hash_seed, version in enumerate(_VERSIONS):
        missing = _python(version) is None
        if missing and _IN_CI:
            continue
        skip = pytest.mark.skip(reason=f"no Python {version} on this machine")
        yield pytest.param(version, hash_seed, marks=[skip] if missing else [], id=version)


@pytest.fixture
def lent_z3(tmp_path: Path) -> Path:
    """Return a folder with this environment's z3 and no other package.

    Its wheel is for any Python 3, so that other versions need no environment of their own.
    """
    (tmp_path / "z3").symlink_to(Path(z3.__file__).parent)
    return tmp_path


def _elsewhere(
    python: str, hash_seed: int, lent: Path, wanted: Sequence[FamilyId]
) -> dict[str, Any]:
    """What another process says of these families."""
    done = subprocess.run(
        [python, "-m", "tests.worlds.core.goldens", *map(str, wanted)],
        cwd=_ROOT,
        env={"PATH": os.defpath, "PYTHONPATH": str(lent), "PYTHONHASHSEED": str(hash_seed)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("hash_seed", [0, 1, 4_242_424_242])
def test_small_families_are_the_same_under_any_hash_seed(hash_seed: int, lent_z3: Path) -> None:
    wanted = [family for genre in genres() for family in _few(genre) if family.level == "L00"]
    _assert_as_kept(_elsewhere(sys.executable, hash_seed, lent_z3, wanted), wanted)


@pytest.mark.parametrize(("version", "hash_seed"), list(_pythons()))
def test_small_families_are_the_same_on_every_python(
    version: str, hash_seed: int, lent_z3: Path
) -> None:
    wanted = [family for genre in genres() for family in _few(genre) if family.level == "L00"]
    _assert_as_kept(_elsewhere(_python(version) or "", hash_seed, lent_z3, wanted), wanted)


@pytest.mark.slow
@pytest.mark.parametrize("genre", genres())
@pytest.mark.parametrize(("version", "hash_seed"), list(_pythons()))
def test_all_families_are_the_same_on_every_python(
    version: str, hash_seed: int, genre: str, lent_z3: Path
) -> None:
    wanted = families(genre)
    _assert_as_kept(_elsewhere(_python(version) or "", hash_seed, lent_z3, wanted), wanted)
