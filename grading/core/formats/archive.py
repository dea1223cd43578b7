"""Zip archives, read in place: nothing is written to disk, no name in them is used as a path.

Inspect's archives hold Zstandard members (method 93), which `zipfile` lists and cannot inflate; so
it reads the directory, and the members are inflated here. Limits count the bytes that really come
out; what the directory declares is not trusted.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, cast

import zstandard

from grading.core.formats.rows import FileRejected
from grading.core.formats.stream import Limits

__all__ = ["Archive", "BadMember", "open_archive"]

_CHUNK = 2**18
_MAX_WINDOW = 128 * 2**20
_STORED, _DEFLATED, _ZSTANDARD = 0, 8, 93
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_END = struct.Struct("<4s4xHHII2x")
_END_MARK, _ZIP64_MARK = b"PK\x05\x06", b"PK\x06\x07"
_ENCRYPTED = 1


class BadMember(Exception):
    """A member that cannot be read, in words: found; expected."""


@dataclass
class Archive:
    """An open archive; `inflated` counts what has come out of it so far."""

    file: BinaryIO
    name: str
    limits: Limits
    infos: dict[str, zipfile.ZipInfo]
    inflated: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The members' names, in the order in which they were written."""
        return tuple(sorted(self.infos, key=lambda name: self.infos[name].header_offset))

    def read(self, name: str) -> bytes:
        """The bytes of a member, at most as many as a row may have.

        Raises BadMember for this one, and FileRejected when the whole archive is too much.
        """
        info = self.infos[name]
        if info.flag_bits & _ENCRYPTED:
            raise BadMember("an encrypted member; expected one without a password")
        parts, size, crc = [], 0, 0
        try:
            for part in self._parts(info):
                size += len(part)
                self.inflated += len(part)
                self._check(size)
                crc = zlib.crc32(part, crc)
                parts.append(part)
        except (zlib.error, zstandard.ZstdError, EOFError) as error:
            raise BadMember("a damaged member; expected the whole of it") from error
        if crc != info.CRC:
            raise BadMember("a member whose checksum is wrong; expected the whole of it")
        return b"".join(parts)

    def _check(self, size: int) -> None:
        if size > self.limits.line_bytes:
            most = f"{self.limits.line_bytes:,}"
            raise BadMember(f"more than {most} bytes; expected at most {most}")
        if self.inflated > self.limits.inflated_bytes:
            expected = f"at most {self.limits.inflated_bytes // 2**20} MB"
            raise FileRejected(self.name, f"more than {expected[8:]} when unpacked", expected)

    def _parts(self, info: zipfile.ZipInfo) -> Iterator[bytes]:
        packed = _Window(self.file, *self._place(info))
        if info.compress_type == _STORED:
            yield from iter(lambda: packed.read(_CHUNK), b"")
        elif info.compress_type == _DEFLATED:
            yield from _inflated(packed)
        elif info.compress_type == _ZSTANDARD:
            reader = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW).stream_reader(
                cast("BinaryIO", packed), read_size=_CHUNK, read_across_frames=True
            )
            yield from iter(lambda: reader.read(_CHUNK), b"")
        else:
            found = f"compression method {info.compress_type}"
            raise BadMember(f"{found}; expected stored, deflated or Zstandard")

    def _place(self, info: zipfile.ZipInfo) -> tuple[int, int]:
        """Where the packed bytes of a member begin, and how many there are."""
        self.file.seek(info.header_offset)
        header = self.file.read(_LOCAL_HEADER.size)
        if len(header) < _LOCAL_HEADER.size or not header.startswith(b"PK\x03\x04"):
            raise BadMember("a damaged member; expected the whole of it")
        _, name, extra = _LOCAL_HEADER.unpack(header)
        return info.header_offset + _LOCAL_HEADER.size + name + extra, info.compress_size


class _Window:
    """A part of a file, read as a file of its own."""

    def __init__(self, file: BinaryIO, start: int, size: int) -> None:
        file.seek(start)
        self._file = file
        self._left = size

    def read(self, size: int = -1) -> bytes:
        """The next bytes; fewer at the end."""
        wanted = self._left if size < 0 else min(size, self._left)
        data = self._file.read(wanted)
        self._left -= len(data)
        return data


def _inflated(packed: _Window) -> Iterator[bytes]:
    inflater = zlib.decompressobj(wbits=-15)
    data = packed.read(_CHUNK)
    while not inflater.eof:
        if not data:
            raise EOFError
        yield inflater.decompress(data, _CHUNK)
        data = inflater.unconsumed_tail or packed.read(_CHUNK)


def open_archive(file: BinaryIO, name: str, limits: Limits) -> Archive:
    """Read an archive's directory; raises FileRejected for one that is damaged or too large."""
    expected = f"a whole zip archive of at most {limits.zip_members:,} members"
    if not file.seekable():
        raise FileRejected(name, "a zip archive in a stream", "a file")
    _check_directory(file, name, limits, expected)
    try:
        with zipfile.ZipFile(file) as opened:
            infos = opened.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise FileRejected(name, "a damaged zip archive", expected) from error
    if any(info.header_offset < 0 for info in infos):
        raise FileRejected(name, "a zip archive with bytes missing", expected)
    if len(infos) > limits.zip_members:
        raise FileRejected(name, f"{len(infos):,} members in a zip archive", expected)
    by_name = {info.filename: info for info in infos}
    if len({one.casefold() for one in by_name}) != len(infos):
        raise FileRejected(name, "a zip archive with two members of one name", "each name once")
    return Archive(file, name, limits, by_name)


def _check_directory(file: BinaryIO, name: str, limits: Limits, expected: str) -> None:
    """Look at the size of the directory before anything reads it into memory."""
    length = file.seek(0, 2)
    file.seek(max(0, length - 2**16 - _END.size))
    tail = file.read()
    at = tail.rfind(_END_MARK)
    if at < 0 or len(tail) - at < _END.size:
        raise FileRejected(name, "a zip archive that breaks off", expected)
    if _ZIP64_MARK in tail[max(0, at - 20) : at]:
        raise FileRejected(name, "a zip archive in the format for over 4 GB", expected)
    _, _, members, size, _ = _END.unpack(tail[at : at + _END.size])
    if members > limits.zip_members or size > limits.zip_directory_bytes:
        raise FileRejected(name, f"a zip archive with {members:,} members", expected)
