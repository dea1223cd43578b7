"""Inspect logs as archives, with the members packed in each of the three ways."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.core.formats import FileRejected, Limits, Row, RowError, open_upload
from grading.core.statuses import Status
from tests.grading.core.formats.builders import DATA, HEADER, dumped, sample, zipped

METHODS = (0, 8, 93)


def members(*names: str, header: str = "header.json") -> dict[str, bytes]:
    rows = {f"samples/{name}_epoch_1.json": dumped(sample(id=name)) for name in names}
    return {"_journal/start.json": dumped(HEADER), **rows, header: dumped(HEADER)}


def read(data: bytes, limits: Limits | None = None) -> list[Row | RowError]:
    file = io.BytesIO(data)
    upload = open_upload(file, "l.eval", limits=limits) if limits else open_upload(file, "l.eval")
    assert upload.format == "inspect-eval"
    return list(upload.rows)


def ids(rows: list[Row | RowError]) -> list[str]:
    return [row.sample_id for row in rows if isinstance(row, Row)]


def refused(data: bytes, limits: Limits) -> str:
    with pytest.raises(FileRejected) as caught:
        read(data, limits)
    return str(caught.value)


def test_the_log_that_inspect_wrote() -> None:
    rows = read((DATA / "sample_inspect_zstd.eval").read_bytes())
    assert [row.status for row in rows if isinstance(row, Row)] == [
        Status.ANSWERED,
        Status.FILTERED,
        Status.TRUNCATED,
        Status.ANSWERED,
    ]


@pytest.mark.parametrize("method", METHODS)
def test_every_sample_is_a_row_in_the_order_written(method: int) -> None:
    rows = read(zipped(members("s2", "s1", "s3"), method))
    assert ids(rows) == ["s2", "s1", "s3"]
    assert [row.line for row in rows] == [1, 2, 3]
    assert {row.model for row in rows if isinstance(row, Row)} == {"openai/gpt-x"}


def test_a_log_that_broke_off_has_no_header() -> None:
    kept = members("s1")
    del kept["header.json"]
    (row,) = read(zipped(kept, 93))
    assert isinstance(row, Row)
    assert row.model == "openai/gpt-x"


@pytest.mark.parametrize("method", METHODS)
def test_a_damaged_member_costs_itself_alone(method: int) -> None:
    data = bytearray(zipped(members("s1", "s2", "s3"), method))
    name = data.index(b"samples/s2")
    data[name + 60] ^= 0xFF
    rows = read(bytes(data))
    assert ids(rows) == ["s1", "s3"]
    assert any(isinstance(row, RowError) and row.line == 2 for row in rows)


def test_names_are_never_paths() -> None:
    tricks = {
        "samples/../../s9.json": dumped(sample(id="s9")),
        "/etc/s8.json": dumped(sample(id="s8")),
        "samples\\..\\s7.json": dumped(sample(id="s7")),
    }
    assert ids(read(zipped(members("s1") | tricks, 8))) == ["s1"]


def test_two_members_of_one_name_are_refused() -> None:
    kept = members("s1")
    again = {name.upper(): data for name, data in kept.items() if name.startswith("samples")}
    with pytest.raises(FileRejected, match="two members of one name"):
        read(zipped({**kept, **again}, 8))


def test_a_zip_of_something_else() -> None:
    with pytest.raises(FileRejected, match="an Inspect log, if it is an archive"):
        open_upload(io.BytesIO(zipped({"a.txt": b"x"}, 8)), "a.zip")


@pytest.mark.parametrize("method", [8, 93])
def test_what_comes_out_is_counted_not_what_is_declared(method: int) -> None:
    bomb: Mapping[str, bytes] = members() | {"samples/b.json": b" " * (3 * 2**20)}
    small = Limits(line_bytes=2**20)
    (error,) = read(zipped(bomb, method), small)
    assert "more than 1,048,576 bytes" in str(error)
    many = members() | {f"samples/{n}.json": b" " * 2**19 for n in range(5)}
    assert "when unpacked" in refused(zipped(many, method), Limits(inflated_bytes=2**20))


def test_too_many_members() -> None:
    crowd = members() | {f"x{n}": b"" for n in range(50)}
    assert "52 members" in refused(zipped(crowd, 0), Limits(zip_members=20))
    assert "members" in refused(zipped(crowd, 0), Limits(zip_directory_bytes=1000))


def test_an_archive_cut_off() -> None:
    data = zipped(members("s1"), 8)
    for end in (len(data) - 10, len(data) // 2, 40):
        with pytest.raises(FileRejected, match="zip archive"):
            open_upload(io.BytesIO(data[:end]), "l.eval")


@given(
    method=st.sampled_from(METHODS),
    at=st.floats(0, 1, exclude_max=True),
    removed=st.integers(0, 30),
    put=st.sampled_from([b"", b"\xff" * 4, b"\0" * 4]) | st.binary(max_size=3),
)
@settings(max_examples=300)
def test_a_damaged_archive_is_rows_and_errors_or_refused(
    method: int, at: float, removed: int, put: bytes
) -> None:
    data = zipped(members("s1", "s2"), method)
    start = int(at * len(data))
    with suppress(FileRejected):
        upload = open_upload(io.BytesIO(data[:start] + put + data[start + removed :]), "l.eval")
        assert all(isinstance(row, Row | RowError) for row in upload.rows)


def test_an_archive_that_lost_bytes_at_its_start() -> None:
    data = zipped(members("s1"), 8)
    with pytest.raises(FileRejected, match="a zip archive with bytes missing"):
        open_upload(io.BytesIO(data[:30] + data[40:]), "l.eval")


def test_encrypted_and_unknown_members_are_told() -> None:
    data = bytearray(zipped(members("s1"), 0))
    entry = data.rindex(b"samples/s1") - 46
    data[entry + 8] |= 1
    (error,) = read(bytes(data))
    assert "encrypted" in str(error)
    data[entry + 8] &= ~1
    data[entry + 10] = 12
    (error,) = read(bytes(data))
    assert f"compression method {zipfile.ZIP_BZIP2}" in str(error)
