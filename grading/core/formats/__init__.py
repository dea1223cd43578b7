"""Files of replies as people have them, read row by row.

A format is one file here and one line in `FORMATS`: a name, a label, the layouts it comes in, the
keys that tell it, and a function from one JSON object to one row (`base`). Which format a file has
is told from its content, never from its name. One bad row never loses the others; a file that is no
file of replies is one error, not thousands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from grading.core.formats.anthropic_batch import AnthropicBatch
from grading.core.formats.base import Format
from grading.core.formats.decode import decode_object
from grading.core.formats.helm import Helm
from grading.core.formats.inspect_eval import InspectEval
from grading.core.formats.inspect_json import InspectJson
from grading.core.formats.lm_eval import LmEval
from grading.core.formats.openai_batch import OpenAIBatch
from grading.core.formats.plain import Plain
from grading.core.formats.rejected import Rejected
from grading.core.formats.rows import FileRejected, Malformed, Row, RowError, Seen, Usage
from grading.core.formats.source import Source, open_source
from grading.core.formats.stream import LIMITS, Limits, Piece
from grading.core.normal import storable

__all__ = [
    "FORMATS",
    "LIMITS",
    "FileRejected",
    "Format",
    "Limits",
    "Row",
    "RowError",
    "Seen",
    "Upload",
    "Usage",
    "open_upload",
]

_MAX_RAW = 64 * 2**10


_OF_TOOLS: tuple[Format, ...] = (
    Plain(),
    OpenAIBatch(),
    AnthropicBatch(),
    InspectJson(),
    InspectEval(),
    LmEval(),
    Helm(),
)
FORMATS: tuple[Format, ...] = (*_OF_TOOLS, Rejected(_OF_TOOLS))


@dataclass
class Upload:
    """A file whose format is known; `rows` is read once, from first to last.

    `repeated` counts the rows left out because the same reply stands earlier in the submission.
    """

    name: str
    format: str
    compressed: bool
    rows: Iterator[Row | RowError]
    repeated: int = 0


def open_upload(
    file: BinaryIO, name: str, seen: Seen | None = None, limits: Limits = LIMITS
) -> Upload:
    """Tell the format of a binary file and start reading it.

    Share one `seen` between the files of one submission. Raises FileRejected for a file that is no
    file of replies; reading its rows raises FileRejected when an archive turns out to be a bomb.
    """
    source = open_source(file, name, limits)
    found = _detect(source).opened(source)
    upload = Upload(source.name, found.name, source.compressed, iter(()))
    upload.rows = _rows(upload, source, found, seen or Seen())
    return upload


def _detect(source: Source) -> Format:
    for one in FORMATS:
        if source.layout in one.layouts and any(one.matches(keys) for keys in source.keys):
            return one
    keys = sorted(frozenset().union(*source.keys))
    if source.layout == "zip":
        raise FileRejected(source.name, "a zip archive", "an Inspect log, if it is an archive")
    shown = ", ".join(storable(key[:30]) for key in keys[:8]) or "none"
    labels = "; ".join(one.label for one in FORMATS)
    if source.layout == "object":
        found = f"one JSON object over many lines, with the keys {shown}"
        raise FileRejected(source.name, found, f"one object per line, or an array ({labels})")
    found = f"JSON objects with the keys {shown}"
    expected = f"sample_id, and completion or answer; or another of: {labels}"
    raise FileRejected(source.name, found, expected)


def _rows(upload: Upload, source: Source, found: Format, seen: Seen) -> Iterator[Row | RowError]:
    errors = 0
    for piece in found.pieces(source):
        try:
            row = _row(piece, source, found)
            if seen.repeats(row, source.name):
                upload.repeated += 1
                continue
        except Malformed as error:
            errors += 1
            yield _error(source.name, piece, error)
            if errors == source.limits.row_errors:
                yield _error(source.name, piece, _too_many(errors))
                return
        else:
            yield row


def _row(piece: Piece, source: Source, found: Format) -> Row:
    if piece.problem:
        problem, _, expected = piece.problem.partition("; expected ")
        raise Malformed("row", problem, expected)
    return found.row(decode_object(piece.data, source.limits), piece.line)


def _too_many(errors: int) -> Malformed:
    return Malformed(
        "file", f"{errors:,} rows that cannot be read", "replies; the rest is not read"
    )


def _error(name: str, piece: Piece, error: Malformed) -> RowError:
    raw = piece.data.decode("utf-8", "replace") if len(piece.data) <= _MAX_RAW else ""
    return RowError(
        file=name,
        line=piece.line,
        field=storable(error.field),
        found=storable(error.found),
        expected=error.expected,
        raw=storable(raw),
    )
