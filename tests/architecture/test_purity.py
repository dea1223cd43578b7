"""The cores stand alone: the standard library, and one package each in one place."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_PURE = [
    path for path in ("worlds/core", "grading/core", "grading/figures") if (_ROOT / path).exists()
]
# What may be imported beyond the standard library and the package's own kind, and where.
_ALLOWED = {
    "worlds/core/engines/z3_check.py": {"z3"},
    "grading/core/formats/archive": {"zstandard"},
    "grading/core/statistics": {"numpy"},
    "grading/core": {"worlds.core"},
    "grading/figures": {"grading.core", "plotly"},
}
# Clocks, chance and the machine: an instance depends on its id and nothing else.
_OUTSIDE = {"datetime", "locale", "os", "platform", "random", "secrets", "socket", "time", "uuid"}
# The one generator of chance, from a seed; the process that asks z3; the command line.
_EXCEPT = {
    ("worlds/core/seeds.py", "random"),
    ("worlds/core/engines/z3_check.py", "time"),
    ("worlds/core/__main__.py", "os"),
}


def _sources(package: str) -> list[Path]:
    return sorted((_ROOT / package).rglob("*.py"))


def _imports(source: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def _may_import(source: str, name: str) -> bool:
    if name.partition(".")[0] in sys.stdlib_module_names:
        return True
    own = ".".join(Path(source).parts[:2])
    allowed = {own}.union(*(names for place, names in _ALLOWED.items() if source.startswith(place)))
    return any(name == package or name.startswith(package + ".") for package in allowed)


@pytest.mark.parametrize("package", _PURE)
def test_a_core_imports_the_standard_library_and_what_is_allowed(package: str) -> None:
    strange = [
        f"{source.relative_to(_ROOT)} imports {name}"
        for source in _sources(package)
        for name in _imports(source)
        if not _may_import(str(source.relative_to(_ROOT)), name)
    ]
    assert strange == []


@pytest.mark.parametrize("package", _PURE)
def test_a_core_looks_at_no_clock_chance_or_machine(package: str) -> None:
    outside = [
        f"{source.relative_to(_ROOT)} imports {name}"
        for source in _sources(package)
        for name in _imports(source)
        if name.partition(".")[0] in _OUTSIDE
        and (str(source.relative_to(_ROOT)), name) not in _EXCEPT
    ]
    assert outside == []


_IMPORT_ALL = """
import importlib, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"django", "celery", "kombu"}:
            raise ImportError(name + " is blocked")

sys.meta_path.insert(0, Blocked())
for name in sys.argv[1:]:
    importlib.import_module(name)
"""


@pytest.mark.parametrize("package", _PURE)
def test_a_core_can_be_imported_where_there_is_no_django(package: str) -> None:
    names = [
        ".".join(source.relative_to(_ROOT).with_suffix("").parts).removesuffix(".__init__")
        for source in _sources(package)
        if source.name != "__main__.py"
    ]
    done = subprocess.run(
        [sys.executable, "-c", _IMPORT_ALL, *names],
        cwd=_ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""


def test_the_top_level_is_what_it_is_said_to_be() -> None:
    made = {"var", "test-results"}
    packages = {
        path.name
        for path in _ROOT.iterdir()
        if path.is_dir() and not path.name.startswith((".", "__")) and path.name not in made
    }
    assert packages <= {
        *("docs", "enigmaforge_site", "grading", "static", "templates", "tests", "worlds")
    }


def test_no_module_is_called_what_says_nothing() -> None:
    nothing = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "data"}
    found = [
        str(source.relative_to(_ROOT))
        for package in ("enigmaforge_site", "worlds", "grading")
        for source in _sources(package)
        if nothing & {*source.relative_to(_ROOT).parts, source.stem}
    ]
    assert found == []


def test_no_page_is_kept_for_the_next_visitor() -> None:
    """A page cached for one visitor is shown to another; nothing here is slow enough for it."""
    uses = [
        f"{source.relative_to(_ROOT)}: {word}"
        for folder in ("enigmaforge_site", "worlds", "grading", "templates")
        for source in sorted((_ROOT / folder).rglob("*"))
        if source.suffix in {".py", ".html"}
        for word in ("cache_page", "{% cache", "django.core.cache")
        if word in source.read_text(encoding="utf-8")
    ]
    assert uses == []
