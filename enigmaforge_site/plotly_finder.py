"""Serve the one script that draws figures, out of the wheel that brings it.

The package holds much else that no page asks for, so this finder knows a single file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

__all__ = ["PlotlyFinder"]

_PREFIX, _NAME = "plotly", "plotly.min.js"


class PlotlyFinder(BaseFinder):
    """Finds `plotly/plotly.min.js` and nothing else."""

    def __init__(self) -> None:
        # Looked up without an import: the package itself is of no use to a web process.
        spec = find_spec("plotly")
        assert spec is not None
        assert spec.origin is not None
        self.storage = FileSystemStorage(Path(spec.origin).parent / "package_data")
        # Where collectstatic puts what this storage lists.
        self.storage.prefix = _PREFIX  # type: ignore[attr-defined]

    def find(  # type: ignore[override]
        self, path: str, find_all: bool = False, **_: Any
    ) -> str | list[str]:
        """Return where the file lies; nothing for any other path."""
        found = [self.storage.path(_NAME)] if path == f"{_PREFIX}/{_NAME}" else []
        return found if find_all or not found else found[0]

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Any]]:
        """List the file, as collectstatic asks for it."""
        yield _NAME, self.storage
