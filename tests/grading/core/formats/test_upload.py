"""Containers, encodings, layouts and limits: what a file is, told from its bytes."""

from __future__ import annotations

import gzip
import io
import json
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.core.formats import FileRejected, Limits, Row, RowError, open_upload
from grading.core.formats.stream import items, lines

RECORDS = [{"sample_id": f"s{i}", "completion": f"réply {i} \n[{{"} for i in range(30)]
LINES = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in RECORDS).encode()
IDS = [record["sample_id"] for record in RECORDS]


def read(data: bytes, limits: Limits | None = None) -> list[Row | RowError]:
    file = io.BytesIO(data)
    found = open_upload(file, "f.jsonl", limits=limits) if limits else open_upload(file, "f.jsonl")
    return list(found.rows)


def ids(found: list[Row | RowError]) -> list[str]:
    return [row.sample_id for row in found if isinstance(row, Row)]


def errors(found: list[Row | RowError]) -> list[RowError]:
    return [error for error in found if isinstance(error, RowError)]


def refused(data: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(FileRejected) as caught:
        read(data, limits)
    return str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        LINES,
        LINES.rstrip(),
        LINES.replace(b"\n", b"\r\n"),
        LINES.replace(b"\n", b"\n\n \n"),
        b"\xef\xbb\xbf" + LINES,
        b"\xff\xfe" + LINES.decode().encode("utf-16-le"),
        b"\xfe\xff" + LINES.decode().encode("utf-16-be"),
        json.dumps(RECORDS).encode(),
        json.dumps(RECORDS, indent=2, ensure_ascii=False).encode(),
        b"\xef\xbb\xbf" + json.dumps(RECORDS).encode(),
        gzip.compress(LINES),
        gzip.compress(json.dumps(RECORDS).encode()),
        gzip.compress(LINES[:1000]) + gzip.compress(LINES[1000:]) + b"\0" * 512,
        gzip.compress(b"\xff\xfe" + LINES.decode().encode("utf-16-le")),
    ],
)
def test_containers_and_encodings_read_alike(data: bytes) -> None:
    found = read(data)
    assert errors(found) == []
    assert [(row.sample_id, row.completion) for row in found if isinstance(row, Row)] == [
        (record["sample_id"], record["completion"]) for record in RECORDS
    ]


def test_format_comes_from_the_content() -> None:
    found = open_upload(io.BytesIO(gzip.compress(LINES)), "holiday.png")
    assert (found.format, found.compressed, found.name) == ("plain", True, "holiday.png")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "an empty file"),
        (b" \n\n", "an empty file"),
        (gzip.compress(b"", mtime=0), "an empty file"),
        (b"<!DOCTYPE html><title>Sign in</title>", "an HTML page"),
        (b'<?xml version="1.0"?><a/>', "markup"),
        (b"%PDF-1.7 ...", "a PDF document"),
        (b"PK\x03\x04....", "a zip archive"),
        (b"sample_id,completion\ns1,x\n", "a table (CSV)"),
        (b"---\nsample_id: s1\n", "YAML"),
        (b"- sample_id: s1\n", "YAML"),
        (b"Dear reader,\nthis is prose.\n", "text that is no JSON"),
        (b'{"records": [{"sample_id": "s"}]}', "objects with the keys records"),
        (b'{"request": 1}\n{"request": 2}\n', "objects with the keys request"),
        (b"[1, 2, 3]", "objects with the keys none"),
        (json.dumps(RECORDS[0], indent=2).encode(), "one JSON object over many lines"),
        (
            json.dumps({"logs": {"a": RECORDS}}, indent=1).encode(),
            "one JSON object over many lines",
        ),
        (LINES.decode().encode("utf-16-le"), "UTF-16 (little-endian) without a byte order mark"),
        (LINES.decode().encode("utf-16-be"), "UTF-16 (big-endian) without a byte order mark"),
        (LINES.decode().encode("cp1252"), "probably Windows-1252"),
        (b"\0" * 5000, "bytes that are no text"),
        (gzip.compress(gzip.compress(LINES)), "a gzip archive inside a gzip archive"),
    ],
)
def test_other_files_are_one_clear_error(data: bytes, words: str) -> None:
    assert words in refused(data)


def test_names_are_data() -> None:
    name = "../../settings.py\0\u202e"
    found = open_upload(io.BytesIO(LINES + b"{"), name)
    assert found.name == "../../settings.py\ufffd\u202e"
    assert errors(list(found.rows))[0].file == found.name


# One bad row never loses the others


def damaged(at: int, line: bytes) -> bytes:
    rows = LINES.splitlines()
    rows[at - 1] = line
    return b"\n".join(rows) + b"\n"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"sample_id": "s11", "compl', "a row that breaks off"),
        (b'{"sample_id": "s11" "completion": "x"}', "no JSON"),
        (b'{"sample_id": "s11", "completion": "\xff"}', "byte 0xff at byte 37"),
        (b'{"sample_id": "s11", "completion": "it\x92s"}', "byte 0x92"),
        (b'{"sample_id": "s11", "completion": "\0"}', "a NUL byte at byte 37"),
        (b'{"a":' * 5000 + b"1" + b"}" * 5000, "JSON nested too deep"),
        (b"[" * 200_000, "JSON nested too deep"),
        (b"null", "null"),
    ],
)
def test_one_bad_line_is_one_named_error(line: bytes, words: str) -> None:
    found = read(damaged(12, line))
    assert ids(found) == [one for one in IDS if one != "s11"]
    (error,) = errors(found)
    assert error.line == 12
    assert words in error.found


def test_first_line_damaged() -> None:
    found = read(damaged(1, b'{"sample_id": "s0", "completion": "x'))
    assert (len(ids(found)), errors(found)[0].line) == (29, 1)


@pytest.mark.parametrize("end", [b"", b"\n", b"\n\n"])
def test_torn_last_line(end: bytes) -> None:
    found = read(LINES.rstrip()[:-10] + end)
    assert ids(found) == IDS[:-1]
    assert [(error.line, error.field) for error in errors(found)] == [(30, "row")]


def test_bad_items_of_an_array() -> None:
    data = b'[{"sample_id": "a", "completion": "]"}, {bad}, 5, , {"sample_id": "b", "answer": []}]'
    found = read(data)
    assert ids(found) == ["a", "b"]
    assert [error.line for error in errors(found)] == [2, 3, 4]


@pytest.mark.parametrize("tail", [b"", b',{"sample_id": "b", "compl'])
def test_array_that_breaks_off(tail: bytes) -> None:
    found = read(b'[{"sample_id": "a", "completion": "x"}' + tail)
    assert ids(found) == ["a"]
    assert errors(found)[-1].found == "the end of the file"


def test_text_after_an_array() -> None:
    found = read(b'[{"sample_id": "a", "completion": "x"}] trailing')
    assert ids(found) == ["a"]
    assert errors(found)[0].found == "text after the array"


def test_gzip_that_breaks_off_keeps_what_came_before() -> None:
    noise = "".join(f'{{"sample_id": "s{i}", "completion": "{i * i}"}}\n' for i in range(20_000))
    whole = gzip.compress(noise.encode())
    found = read(whole[: len(whole) // 2])
    assert 1000 < len(ids(found)) < 20_000
    assert [error.found for error in errors(found)] == ["an archive that breaks off"]


def test_gzip_damaged_in_its_first_part() -> None:
    whole = bytearray(gzip.compress(LINES))
    whole[-8] ^= 1
    assert "a damaged archive" in refused(bytes(whole))
    assert "an archive that breaks off" in refused(bytes(whole[:12]))


def test_gzip_damaged_later_keeps_what_came_before() -> None:
    records = (f'{{"sample_id": "s{i}", "completion": "{i**40}"}}\n' for i in range(20_000))
    whole = bytearray(gzip.compress("".join(records).encode(), mtime=0))
    whole[-8] ^= 1
    found = read(bytes(whole))
    assert 1000 < len(ids(found)) < 20_000
    assert [error.found for error in errors(found)] == ["a damaged archive"]


# Limits


SMALL = Limits(line_bytes=1000, inflated_bytes=2**20, inflation=200, gzip_members=10, depth=200)


def test_line_over_the_limit_is_a_row_error_and_not_kept() -> None:
    long = b'{"sample_id": "s11", "completion": "' + b"x" * 5000 + b'"}'
    found = read(damaged(12, long), SMALL)
    assert len(ids(found)) == 29
    (error,) = errors(found)
    assert (error.line, error.found, error.expected) == (
        12,
        f"{len(long):,} bytes",
        "at most 1,000",
    )


def test_item_over_the_limit() -> None:
    records = [*RECORDS[:3], {"sample_id": "long", "completion": "x" * 5000}, *RECORDS[3:]]
    found = read(json.dumps(records).encode(), SMALL)
    assert ids(found) == IDS
    assert [error.line for error in errors(found)] == [4]


class Repeated(io.RawIOBase):
    """A file that gives one line again and again, as long as it is read."""

    def __init__(self, line: bytes, times: int) -> None:
        self.line, self.left = line, times

    def read(self, size: int = -1) -> bytes:
        count = min(self.left, max(1, size // len(self.line)))
        self.left -= count
        return self.line * count


def test_forty_megabytes_in_one_line_take_no_more_than_the_limit() -> None:
    file: BinaryIO = Repeated(b"x" * 1024, 40 * 1024)  # type: ignore[assignment]
    first = b'{"sample_id": "a", "completion": "b"}\n{"sample_id": "c", "completion": "'

    def chunks() -> Iterator[bytes]:
        yield first
        while chunk := file.read(2**18):
            yield chunk
        yield b'"}\n{"sample_id": "d", "completion": "e"}'

    tracemalloc.start()
    found = [(piece.line, bool(piece.problem)) for piece in lines(chunks(), Limits())]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == [(1, False), (2, True), (3, False)]
    assert peak < 2 * Limits().line_bytes + 2**22


def test_bomb_is_refused_by_the_bytes_that_come_out() -> None:
    assert "unpacked" in refused(gzip.compress(LINES + b" " * 2**21), SMALL)


def test_bomb_is_refused_by_its_ratio() -> None:
    zeros = gzip.compress(LINES + b"\n" * (80 * 2**20))
    assert "more than 200 times its size" in refused(zeros)


def test_too_many_gzip_members() -> None:
    member = gzip.compress(b'{"sample_id": "s", "completion": "x"}\n')
    assert "more members" in refused(member * 11, SMALL)
    assert len(ids(read(member * 10, SMALL))) == 1


def test_reading_stops_after_too_many_row_errors() -> None:
    limits = Limits(row_errors=3)
    found = read(LINES + b"{}\n" * 5 + LINES, limits)
    assert ids(found) == IDS
    assert [error.line for error in errors(found)] == [31, 32, 33, 33]
    assert errors(found)[-1].field == "file"


def test_blank_lines_are_counted_and_cost_nothing() -> None:
    found = read(LINES + b"\n" * 3_000_000 + b'{"sample_id": "s", "completion": "x"}\n \n\n{')
    assert [row.line for row in found[30:]] == [3_000_031, 3_000_034]
    assert "a megabyte of white space" in refused(b"\n" * 3_000_000 + LINES)


# Pieces do not depend on how the bytes are cut into chunks


def in_parts(data: bytes, size: int) -> Iterator[bytes]:
    for at in range(0, len(data), size):
        yield data[at : at + size]


TEXTS = st.lists(st.text(alphabet='ab"\\[]{},\n é'), max_size=6)


@given(TEXTS, st.integers(1, 12))
def test_items_do_not_depend_on_chunks(texts: list[str], size: int) -> None:
    data = json.dumps([{"t": text} for text in texts], ensure_ascii=False).encode()
    found = [json.loads(piece.data) for piece in items(in_parts(data, size))]
    assert found == [{"t": text} for text in texts]


@given(st.lists(st.text(alphabet="ab é\r", max_size=5), max_size=6), st.integers(1, 12))
def test_lines_do_not_depend_on_chunks(texts: list[str], size: int) -> None:
    data = "\n".join(texts).encode()
    found = [(piece.line, piece.data) for piece in lines(in_parts(data, size))]
    assert found == [
        (at, text.encode().strip())
        for at, text in enumerate(texts, start=1)
        if text.encode().strip()
    ]


@given(st.binary(max_size=300))
def test_any_bytes_are_rows_errors_or_one_refusal(data: bytes) -> None:
    for prefix in (b"", b"{", b"[", LINES[:200]):
        with suppress(FileRejected):
            read(prefix + data)
