"""From the bytes of an upload to its pieces, one row each, in bounded memory.

Chunks go through generators: gunzip, then to UTF-8, then into lines or into the items of a JSON
array. Each keeps at most one piece. Limits count the bytes that really come out of an archive,
never what its header declares.
"""

from __future__ import annotations

import codecs
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from grading.core.formats.rows import FileRejected

__all__ = [
    "LIMITS",
    "Chunk",
    "Cutter",
    "Damaged",
    "Limits",
    "Piece",
    "Strings",
    "chunks_of",
    "gunzip",
    "items",
    "lines",
    "utf8",
]

_CHUNK = 2**18
_BLANK = re.compile(rb"[ \t\r\n\v\f]*+")
_OUTSIDE = re.compile(rb'["\[\]{},]')
# How much of an item is looked over at once, where it nests too deep to end there.
_STRETCH = 2**12
_INSIDE = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a file is read: printed on the page, checked while reading."""

    line_bytes: int = 32 * 2**20
    inflated_bytes: int = 2 * 2**30
    inflation: int = 200
    gzip_members: int = 1000
    zip_members: int = 20_000
    zip_directory_bytes: int = 8 * 2**20
    depth: int = 200
    row_errors: int = 10_000


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Piece:
    """One row's bytes, at a line or item counted from 1; `problem` if it cannot be read."""

    line: int
    data: bytes
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Damaged:
    """Stands among the chunks where an archive breaks off; what came before it stands."""

    how: str

    def at(self, line: int) -> Piece:
        """The piece that tells of it."""
        return Piece(line, b"", f"{self.how}; expected the whole of it")


Chunk = bytes | Damaged


def chunks_of(file: BinaryIO) -> Iterator[bytes]:
    """The bytes of a file, a part at a time."""
    while chunk := file.read(_CHUNK):
        yield chunk


def gunzip(chunks: Iterable[bytes], limits: Limits = LIMITS) -> Iterator[Chunk]:
    """Inflate, members one after the other; raises FileRejected for a bomb."""
    inflater = zlib.decompressobj(wbits=31)
    taken = given = 0
    members = 1
    for chunk in chunks:
        taken += len(chunk)
        data, more = chunk, True
        while data or more:
            if inflater.eof:
                data = data.lstrip(b"\0")
                if not data:
                    break
                members += 1
                inflater = zlib.decompressobj(wbits=31)
            try:
                out = inflater.decompress(data, _CHUNK)
            except zlib.error:
                yield Damaged("a damaged archive")
                return
            given += len(out)
            _check_inflation(taken, given, members, limits)
            if out:
                yield out
            more = len(out) == _CHUNK
            data = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
    if not inflater.eof:
        yield Damaged("an archive that breaks off")


def _check_inflation(taken: int, given: int, members: int, limits: Limits) -> None:
    if given > limits.inflated_bytes:
        expected = f"at most {limits.inflated_bytes // 2**20} MB"
        raise FileRejected("archive", f"more than {expected[8:]} when unpacked", expected)
    if given > 64 * 2**20 and given > taken * limits.inflation:
        raise FileRejected(
            "archive",
            f"data that unpacks to more than {limits.inflation} times its size",
            "an archive of replies",
        )
    if members > limits.gzip_members:
        expected = f"at most {limits.gzip_members} members"
        raise FileRejected("archive", "more members than that", expected)


def utf8(chunks: Iterable[Chunk], encoding: str) -> Iterator[Chunk]:
    """Recode a UTF-16 file; what is no UTF-16 becomes U+FFFD."""
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    for chunk in chunks:
        if isinstance(chunk, Damaged):
            yield chunk
            return
        yield decoder.decode(chunk).encode("utf-8", "replace")
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")


def lines(chunks: Iterable[Chunk], limits: Limits = LIMITS) -> Iterator[Piece]:
    """Every line that is not blank, without its line end."""
    gathered = _Gathered(limits.line_bytes)
    number = 1
    for chunk in chunks:
        if isinstance(chunk, Damaged):
            yield chunk.at(number)
            return
        position = 0
        while position < len(chunk):
            if not gathered.size:
                # Blank lines by the million cost one step, not one each.
                start = _BLANK.match(chunk, position)
                assert start is not None
                number += chunk.count(b"\n", position, start.end())
                position = start.end()
            end = chunk.find(b"\n", position)
            gathered.add(chunk[position : len(chunk) if end < 0 else end])
            if end < 0:
                break
            if piece := gathered.piece(number):
                yield piece
            number += 1
            position = end + 1
    if piece := gathered.piece(number):
        yield piece


def items(chunks: Iterable[Chunk], limits: Limits = LIMITS) -> Iterator[Piece]:
    """Every item of the JSON array that the chunks hold.

    Only brackets, commas and quotes are looked at, so that an item that is no JSON costs that item
    alone. After the array's end nothing may follow.
    """
    cutter = Cutter(limits.line_bytes)
    for chunk in chunks:
        if isinstance(chunk, Damaged):
            yield chunk.at(cutter.number)
            return
        yield from cutter.feed(chunk)
    yield from cutter.finish()


class _Gathered:
    """The parts of one piece; past the limit they are counted and dropped."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.parts: list[bytes] = []
        self.size = 0

    def add(self, part: bytes) -> None:
        self.size += len(part)
        if self.size > self.limit:
            self.parts.clear()
        elif part:
            self.parts.append(part)

    def piece(self, number: int) -> Piece | None:
        """What was gathered, unless it is blank; starts anew."""
        data, size = b"".join(self.parts).strip(), self.size
        self.parts.clear()
        self.size = 0
        if size > self.limit:
            return Piece(number, b"", f"{size:,} bytes; expected at most {self.limit:,}")
        return Piece(number, data) if data else None


class Strings:
    """Whether the place reached is inside a JSON string, across chunks."""

    def __init__(self) -> None:
        self.inside = False
        self.escaped = False

    def skip(self, chunk: bytes, position: int) -> int:
        """Where the string that the position is inside of ends, or the chunk."""
        if self.escaped:
            self.escaped = False
            return position + 1
        stop = _INSIDE.match(chunk, position)
        assert stop is not None
        end = stop.end()
        if end < len(chunk):
            # A quote ends the string; a backslash stands last in the chunk.
            self.escaped = chunk[end] == ord("\\")
            self.inside = self.escaped
            return end + 1
        return end


class Cutter:
    """Cuts an array into items while its bytes come in.

    With `ends_at_its_bracket` it stops there, for an array inside something else.
    """

    def __init__(self, limit: int, *, ends_at_its_bracket: bool = False) -> None:
        self.gathered = _Gathered(limit)
        self.ends_at_its_bracket = ends_at_its_bracket
        self.depth = 0
        self.ended = False
        self.strings = Strings()
        self.number = 1

    def feed(self, chunk: bytes) -> Iterator[Piece]:
        """The items that end in this chunk."""
        position = begin = looked = 0
        while position < len(chunk):
            if self.strings.inside:
                position = self.strings.skip(chunk, position)
                continue
            if self.depth > 1 and position >= looked:
                looked = position + _STRETCH
                position = self._pass_over(chunk, position, looked)
                if position == looked:
                    continue
            found = _OUTSIDE.search(chunk, position)
            if found is None:
                break
            position = found.end()
            mark = found[0]
            if mark == b'"':
                self.strings.inside = True
            elif mark in b"[{":
                self.depth += 1
                if self.depth == 1:
                    begin = position
            elif mark in b"]}":
                self.depth -= 1
            if (mark == b"," and self.depth == 1) or (mark in b"]}" and self.depth == 0):
                self.gathered.add(chunk[begin : position - 1])
                begin = position
                yield from self._item(last=self.depth == 0)
                if self.ended and self.ends_at_its_bracket:
                    return
        self.gathered.add(chunk[begin:])

    def _pass_over(self, chunk: bytes, start: int, end: int) -> int:
        """Count the brackets of a stretch if no item can end in it, and say where to go on.

        That is the end of the stretch, or its first quote; `start` if the depth may fall to one.
        """
        quote = chunk.find(b'"', start, end)
        end = end if quote < 0 else quote
        closing = chunk.count(b"]", start, end) + chunk.count(b"}", start, end)
        if self.depth - closing <= 1:
            return start
        self.depth += chunk.count(b"[", start, end) + chunk.count(b"{", start, end) - closing
        return end

    def _item(self, last: bool) -> Iterator[Piece]:
        piece = self.gathered.piece(self.number)
        if piece:
            yield piece
        elif not last:
            yield Piece(self.number, b"", "nothing between two commas; expected an object")
        self.number += 1
        self.ended = self.ended or last

    def finish(self) -> Iterator[Piece]:
        """What is wrong at the end, if the array has none or something follows it."""
        if not self.ended:
            piece = self.gathered.piece(self.number)
            if piece:
                yield piece
            yield Piece(self.number, b"", "the end of the file; expected the end of the array")
        elif self.gathered.piece(self.number):
            yield Piece(self.number, b"", "text after the array; expected its end")
