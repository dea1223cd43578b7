"""What kind of file this is: its container, its encoding, its layout and the keys of its rows.

All of it is told from the first bytes. A name is data: it is shown, and never opened or trusted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO, Literal

from grading.core.formats.archive import Archive, open_archive
from grading.core.formats.members import members
from grading.core.formats.rows import FileRejected
from grading.core.formats.stream import (
    Chunk,
    Damaged,
    Limits,
    Piece,
    chunks_of,
    gunzip,
    items,
    lines,
    utf8,
)
from grading.core.normal import storable

__all__ = ["Layout", "Source", "open_source"]

_HEAD = 2**20
_LINES_LOOKED_AT = 20
_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"
_UTF8_BOM = b"\xef\xbb\xbf"
_MAX_NAME = 200
_EXPECTED = "a file of replies: JSON Lines or one JSON array"
_BOMS = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_CONTAINERS = (
    (b"PK\x03\x04", "a zip archive inside a gzip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"%PDF", "a PDF document"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"BZh", "a bzip2 archive"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
)
_ASCII = bytes(range(128))
# A character of two or three bytes; it starts with one set of bytes, which is searched for fast.
_PROPER = re.compile(rb"[\xc2-\xef](?:(?<=[\xc2-\xdf])[\x80-\xbf]|(?<=[\xe0-\xef])[\x80-\xbf]{2})")
# A string that the head breaks off is one token too: else it would be looked through again from
# each quote inside it.
_STRUCTURE = re.compile(
    rb'"(?P<text>[^"\\]*+(?:\\.[^"\\]*+)*+)(?:"\s*+(?P<colon>:)?+)?+|[\[\]{}]', re.DOTALL
)

Layout = Literal["lines", "array", "object", "zip"]


@dataclass(frozen=True)
class Source:
    """An open upload: `keys` are those of its first rows, `chunks` its bytes as UTF-8.

    `head` is the first megabyte of them. Of a zip archive the keys are the names of its members,
    and there are no chunks.
    """

    name: str
    compressed: bool
    layout: Layout
    keys: tuple[frozenset[str], ...]
    chunks: Iterator[Chunk]
    limits: Limits
    head: bytes = b""
    archive: Archive | None = None

    def pieces(self) -> Iterator[Piece]:
        """The rows' bytes."""
        cut = items if self.layout == "array" else lines
        return cut(self.chunks, self.limits)

    def members(self, key: str) -> Iterator[Piece]:
        """The bytes of the items of a list in the one object that the file is."""
        return members(self.chunks, key, self.limits)


def open_source(file: BinaryIO, name: str, limits: Limits) -> Source:
    """Look at the first bytes; raises FileRejected for what is no text of JSON rows."""
    shown = storable(name)[:_MAX_NAME]
    raw = chunks_of(file)
    first = next(raw, b"")
    if first.startswith(_ZIP):
        archive = open_archive(file, shown, limits)
        names = (frozenset(archive.names),)
        return Source(shown, False, "zip", names, iter(()), limits, archive=archive)
    whole = chain([first], raw)
    compressed = first.startswith(_GZIP)
    head, chunks = _peek(gunzip(whole, limits) if compressed else whole)
    if compressed and head.startswith(_GZIP):
        raise FileRejected(shown, "a gzip archive inside a gzip archive", _EXPECTED)
    damage = next(chunks, None) if compressed and not head else None
    if isinstance(damage, Damaged):
        raise FileRejected(shown, damage.how, _EXPECTED)
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            head, chunks = _peek(utf8(chunks, encoding))
            break
    head = head.removeprefix(_UTF8_BOM)
    _check_text(head, shown)
    layout = _layout(head, shown)
    keys = tuple(_keys(head, layout))
    return Source(shown, compressed, layout, keys, _bare(chunks), limits, head)


def _peek(chunks: Iterator[Chunk]) -> tuple[bytes, Iterator[Chunk]]:
    """The first bytes, and all the chunks as if nothing had been taken."""
    taken: list[Chunk] = []
    head = b""
    for chunk in chunks:
        taken.append(chunk)
        if isinstance(chunk, Damaged):
            break
        head += chunk
        if len(head) >= _HEAD:
            break
    return head, chain(taken, chunks)


def _bare(chunks: Iterator[Chunk]) -> Iterator[Chunk]:
    """The chunks without a byte order mark at the start."""
    for chunk in chunks:
        yield chunk if isinstance(chunk, Damaged) else chunk.removeprefix(_UTF8_BOM)
        break
    yield from chunks


def _check_text(head: bytes, name: str) -> None:
    if not head.strip():
        found = "an empty file" if len(head) < _HEAD else "a megabyte of white space"
        raise FileRejected(name, found, _EXPECTED)
    for mark, what in _CONTAINERS:
        if head.startswith(mark):
            raise FileRejected(name, what, _EXPECTED)
    sample = head[:4096]
    nul = [sample[offset::2].count(0) > len(sample) // 5 for offset in (0, 1)]
    if all(nul):
        raise FileRejected(name, "bytes that are no text", _EXPECTED)
    for likely, encoding in zip(nul, ("big", "little"), strict=True):
        if likely and len(sample) >= 8:
            found = f"UTF-16 ({encoding}-endian) without a byte order mark"
            raise FileRejected(name, found, "UTF-8, or UTF-16 with a byte order mark")
    if _is_windows_1252(head):
        raise FileRejected(name, "text in another encoding, probably Windows-1252", "UTF-8")


def _is_windows_1252(head: bytes) -> bool:
    """Whether there are several bytes beyond ASCII and no two of them make a UTF-8 character."""
    # Most files are ASCII from end to end, and a pattern would take long to say so.
    beyond = 0 if head.isascii() else len(head.translate(None, delete=_ASCII))
    return beyond > 1 and _PROPER.search(head) is None


def _layout(head: bytes, name: str) -> Layout:
    text = head.lstrip()
    if text.startswith(b"["):
        return "array"
    if text.startswith(b"{"):
        first, _, rest = text.partition(b"\n")
        following = rest.lstrip()[:1]
        closed = first.rstrip().endswith(b"}")
        return "object" if not closed and following in (b'"', b"}") else "lines"
    found = _other_kind(text)
    if found is None:
        # The first row may be damaged; some row near it is an object.
        if any(line.lstrip().startswith(b"{") for line in _first_lines(text)):
            return "lines"
        found = "text that is no JSON"
    raise FileRejected(name, found, _EXPECTED)


def _first_lines(data: bytes) -> list[bytes]:
    return data.split(b"\n", _LINES_LOOKED_AT)[:_LINES_LOOKED_AT]


def _other_kind(text: bytes) -> str | None:
    first, second = (*text.split(b"\n", 2), b"")[:2]
    first = first.rstrip()
    if first.lower().startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return "an HTML page"
    if first.startswith(b"<"):
        return "markup"
    if first == b"---" or re.match(rb"(?:- )?[A-Za-z_][\w-]*:(?: |$)", first):
        return "YAML"
    for comma in (b",", b";", b"\t"):
        if all(first.split(comma)[1:] or [b""]) and first.count(comma) <= second.count(comma):
            return "a table (CSV)"
    return None


def _keys(head: bytes, layout: Layout) -> Iterator[frozenset[str]]:
    """The keys of the first objects, as far as the head shows them."""
    if layout == "lines":
        for line in _first_lines(head):
            if line.lstrip().startswith(b"{"):
                yield _keys_at(line, 1)
    else:
        yield _keys_at(head, 2 if layout == "array" else 1)


def _keys_at(data: bytes, level: int) -> frozenset[str]:
    """The keys of objects at that depth."""
    depth = 0
    keys = set()
    for found in _STRUCTURE.finditer(data):
        mark = found[0]
        if mark in (b"{", b"["):
            depth += 1
        elif mark in (b"}", b"]"):
            depth -= 1
        elif depth == level and found["colon"]:
            keys.add(found["text"].decode("utf-8", "replace"))
    return frozenset(keys)
