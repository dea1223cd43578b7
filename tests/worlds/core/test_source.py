"""The digest of the source depends on what the files say, and on nothing about the checkout."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from worlds.core.source import source_files, source_sha256

FILES = {
    "__init__.py": b"",
    "b.py": b"x = 1\ny = 2\n",
    "data/words.toml": b'names = ["Varley"]\n',
    "data/__init__.py": b"",
}

# A package is imported once in a process, so every one needs a name of its own.
_numbers = count()

Write = Callable[[dict[str, bytes]], str]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write files as a package that can be imported; return its name."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(files: dict[str, bytes]) -> str:
        name = f"sourced{next(_numbers)}"
        for path, content in files.items():
            target = tmp_path / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        return name

    return write


def test_line_ends_do_not_count(package: Write) -> None:
    windows = {path: content.replace(b"\n", b"\r\n") for path, content in FILES.items()}
    assert source_sha256(package(FILES)) == source_sha256(package(windows))


def test_what_a_checkout_leaves_behind_does_not_count(package: Write) -> None:
    litter = {
        "__pycache__/b.cpython-311.pyc": b"\0",
        "b.py~": b"old",
        "notes.txt": b"later",
        ".b.py.swp": b"x",
    }
    assert source_sha256(package(FILES)) == source_sha256(package({**FILES, **litter}))


def test_the_order_of_the_folder_does_not_count(package: Write) -> None:
    backwards = dict(reversed(FILES.items()))
    assert source_files(package(FILES)) == source_files(package(backwards))


@pytest.mark.parametrize("path", ["b.py", "data/words.toml"])
def test_code_and_data_count(package: Write, path: str) -> None:
    changed = {**FILES, path: FILES[path] + b"\n"}
    assert source_sha256(package(FILES)) != source_sha256(package(changed))


def test_a_moved_file_counts(package: Write) -> None:
    moved = {("c.py" if path == "b.py" else path): content for path, content in FILES.items()}
    assert source_sha256(package(FILES)) != source_sha256(package(moved))


def test_the_generator_covers_its_packs_and_its_knowledge() -> None:
    listed = source_files()
    assert "mint.py" in listed
    assert "packs/maritime/clauses.toml" in listed
    assert "bridges/astronomy.toml" in listed
    assert list(listed) == sorted(listed)
    assert "worlds.core" in sys.modules
