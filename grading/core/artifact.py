"""The results artifact: every number of a corpus with the digest of all that it comes from.

The same inputs give the same bytes (through `worlds.core.codec.canonical`) on every machine and
Python: there is no time in it, no path and no row number. Two artifacts are compared place by
place, so a difference is named and not merely found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from worlds.core.source import source_files

__all__ = [
    "DEPENDENCIES",
    "FORMAT",
    "PACKAGES",
    "Difference",
    "StoredFile",
    "build_artifact",
    "differences",
]

FORMAT = "enigmaforge.artifact/1"
PACKAGES = ("worlds.core", "grading.core")
DEPENDENCIES = ("numpy", "z3-solver", "zstandard")
"""The distributions that the two packages import; Python itself must make no difference."""

_ABSENT = "nothing"
_MAX_SHOWN = 80


@dataclass(frozen=True, slots=True)
class StoredFile:
    """An uploaded file as its bytes are now."""

    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where two artifacts differ, with what stands there in each."""

    path: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.path}: expected {self.expected}, found {self.found}"


def build_artifact(
    report: Mapping[str, Any],
    instances: Mapping[str, str],
    corpus_sha256: str,
    files: Mapping[str, Sequence[StoredFile]],
) -> dict[str, Any]:
    """Put a report together with what it rests on.

    `instances` are the SHA-256 by sample id and `corpus_sha256` the digest over them; `files` are
    those of each submission by its key in the report.
    """
    return {
        "format": FORMAT,
        "sources": {package: source_files(package) for package in PACKAGES},
        "dependencies": {name: version(name) for name in DEPENDENCIES},
        "corpus": {"sha256": corpus_sha256, "instances": dict(sorted(instances.items()))},
        "submissions": {
            key: [
                {"sha256": file.sha256, "size": file.size}
                for file in sorted(several, key=lambda file: file.sha256)
            ]
            for key, several in sorted(files.items())
        },
        "report": dict(report),
    }


def differences(expected: Any, found: Any, path: str = "") -> Iterator[Difference]:
    """Every place where two JSON values differ, in the order of their keys.

    Items of a list that have a key or a name are compared by it, others by their place.
    """
    if isinstance(expected, dict) and isinstance(found, dict):
        yield from _of_members(expected, found, path, "." if path else "")
    elif isinstance(expected, list) and isinstance(found, list):
        yield from _of_members(_named(expected), _named(found), path, "[")
    elif type(expected) is not type(found) or expected != found:
        yield Difference(path or "the whole", _shown(expected), _shown(found))


def _of_members(
    expected: Mapping[str, Any], found: Mapping[str, Any], path: str, mark: str
) -> Iterator[Difference]:
    for name in sorted({*expected, *found}):
        place = f"{path}[{name}]" if mark == "[" else f"{path}{mark}{name}"
        if name not in found:
            yield Difference(place, _shown(expected[name]), _ABSENT)
        elif name not in expected:
            yield Difference(place, _ABSENT, _shown(found[name]))
        else:
            yield from differences(expected[name], found[name], place)


def _named(items: Sequence[Any]) -> dict[str, Any]:
    """The items of a list by key or name where all have one of their own, else by place."""
    names = [
        str(item.get("key", item.get("name", ""))) if isinstance(item, dict) else ""
        for item in items
    ]
    if not all(names) or len(set(names)) < len(names):
        names = [str(place) for place in range(len(items))]
    return dict(zip(names, items, strict=True))


def _shown(value: Any) -> str:
    match value:
        case dict() | list():
            kind = "members" if isinstance(value, dict) else "items"
            return f"{len(value)} {kind}"
        case _:
            text = repr(value)
            return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"
