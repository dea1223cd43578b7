"""Inspect logs as archives: one member per sample, and a header.

A log that broke off has no `header.json`, but a `_journal/start.json` and the samples that were
done; it is read the same way. Samples come in the order in which they were written, and a row's
line is the place of its sample among them. Members of other names are never opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from grading.core.formats.archive import Archive, BadMember
from grading.core.formats.base import Format
from grading.core.formats.inspect_json import InspectJson
from grading.core.formats.members import text_at
from grading.core.formats.source import Source
from grading.core.formats.stream import Piece

__all__ = ["InspectEval"]

_HEADERS = ("header.json", "_journal/start.json")
_SAMPLE = re.compile(r"samples/[^/\\]+\.json")


class InspectEval(InspectJson):
    """The format of Inspect's `.eval` files."""

    name = "inspect-eval"
    label = "Inspect log (.eval)"
    layouts = ("zip",)

    def matches(self, keys: frozenset[str]) -> bool:
        """Whether an archive with members of these names is such a log."""
        return any(header in keys for header in _HEADERS)

    def opened(self, source: Source) -> Format:
        """Take the model from the header."""
        assert source.archive is not None
        return InspectEval(_model(source.archive))

    def pieces(self, source: Source) -> Iterator[Piece]:
        """The samples, one member at a time."""
        archive = source.archive
        assert archive is not None
        samples = [name for name in archive.names if _SAMPLE.fullmatch(name)]
        for number, name in enumerate(samples, start=1):
            try:
                yield Piece(number, archive.read(name))
            except BadMember as problem:
                yield Piece(number, b"", str(problem))


def _model(archive: Archive) -> str | None:
    for header in _HEADERS:
        if header in archive.infos:
            try:
                return text_at(archive.read(header), ("eval", "model"))
            except BadMember:
                continue
    return None
