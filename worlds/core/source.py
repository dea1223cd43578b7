"""The digest of the generator's own source and data: what, besides the id, made an instance."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

__all__ = ["source_files", "source_sha256"]

_SUFFIXES = (".py", ".toml")


def source_files(package: str = "worlds.core") -> dict[str, str]:
    """The SHA-256 of each source and data file of a package, by path, in sorted order.

    Line ends are made LF first, so that the digest does not depend on the checkout.
    """
    found = dict(_walk(files(package), ""))
    return {path: _digest(found[path]) for path in sorted(found)}


@cache
def source_sha256(package: str = "worlds.core") -> str:
    """One digest over all source and data files of a package."""
    listed = "".join(f"{path}\0{digest}\n" for path, digest in source_files(package).items())
    return hashlib.sha256(listed.encode("utf-8")).hexdigest()


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        path = f"{prefix}{entry.name}"
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _walk(entry, f"{path}/")
        elif entry.name.endswith(_SUFFIXES):
            yield path, entry


def _digest(entry: Traversable) -> str:
    return hashlib.sha256(entry.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
