"""Files made to be slow: what they cost is counted in steps, never by a clock."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.core.formats import (
    LIMITS,
    FileRejected,
    Row,
    RowError,
    decode,
    members,
    open_upload,
    source,
    stream,
)
from grading.core.formats.decode import decode_object
from grading.core.formats.rows import Malformed
from grading.core.formats.stream import items, lines

GOOD = b'{"sample_id": "a", "completion": "b"}'
MANY = 200_000


class Counted:
    """A pattern that counts how often it is asked, and how many characters it is given."""

    def __init__(self, pattern: Any) -> None:
        self.pattern = pattern
        self.steps = 0

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self.pattern, name)

        def counted(*arguments: Any) -> Any:
            self.steps += 1
            return method(*arguments)

        return counted

    def finditer(self, data: bytes) -> Iterator[Any]:
        for found in self.pattern.finditer(data):
            self.steps += 1
            yield found


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, str], Counted]:
    """Return a function that puts a counted pattern in the place of one of a module."""

    def put(module: Any, name: str) -> Counted:
        counted = Counted(getattr(module, name))
        monkeypatch.setattr(module, name, counted)
        return counted

    return put


def read(data: bytes) -> list[Row | RowError]:
    return list(open_upload(io.BytesIO(data), name="hostile").rows)


@pytest.mark.parametrize("blank", [b"\n", b" \r\n", b"\t\n", b"\f\n", b"\v \n"])
def test_blank_lines_cost_a_step_for_a_chunk_of_them(
    count: Callable[[Any, str], Counted], blank: bytes
) -> None:
    asked = count(stream, "_BLANK")
    found = list(lines([GOOD + b"\n", *[blank * 1000] * (MANY // 1000), GOOD]))
    assert [piece.line for piece in found] == [1, 2 + MANY]
    assert asked.steps < 2 * (2 + MANY // 1000)


def test_million_empty_rows_stop_at_the_limit_of_row_errors() -> None:
    found = read(GOOD + b"\n" + b"{}\n" * 1_000_000)
    assert len(found) == 1 + LIMITS.row_errors + 1
    assert isinstance(found[-1], RowError)
    assert found[-1].found == "10,000 rows that cannot be read"


def test_million_commas_stop_at_the_limit_of_row_errors() -> None:
    assert len(read(b"[" + GOOD + b"," * 1_000_000 + b"]")) == 1 + LIMITS.row_errors + 1


def test_row_that_nests_deep_is_looked_at_down_to_the_limit(
    count: Callable[[Any, str], Counted],
) -> None:
    asked = count(decode, "_STRUCTURE")
    with pytest.raises(Malformed, match="row"):
        decode_object(b'{"a": ' + b"[" * MANY)
    assert asked.steps < 2 * LIMITS.depth


def test_item_that_nests_deep_is_passed_over_in_stretches(
    count: Callable[[Any, str], Counted],
) -> None:
    asked = count(stream, "_OUTSIDE")
    deep = b"[" * MANY + b"]" * MANY
    found = list(items([b"[" + GOOD + b"," + deep + b"," + GOOD + b"]"]))
    assert [len(piece.data) for piece in found] == [len(GOOD), 2 * MANY, len(GOOD)]
    # All but the last stretch, in which the item ends.
    assert asked.steps < 2 * stream._STRETCH


@pytest.mark.parametrize("data", [b'[{"sample_id": "', b'{"samples": [{"a": "', b'{"a": "'])
def test_string_that_the_head_breaks_off_is_looked_through_once(
    count: Callable[[Any, str], Counted], data: bytes
) -> None:
    # Each quote inside it would else begin a string of its own, as long as the rest.
    patterns = [count(source, "_STRUCTURE"), count(members, "_TOKENS")]
    with suppress(FileRejected):
        assert all(isinstance(row, RowError) for row in read(data + b'\\"' * MANY))
    assert members.text_at(data + b'\\"' * MANY, ("model",)) is None
    assert 0 < sum(pattern.steps for pattern in patterns) < 20


def test_line_without_end_is_dropped_past_the_limit() -> None:
    chunk = b"x" * 2**20
    gathered = stream._Gathered(LIMITS.line_bytes)
    most = 0
    for _ in range(100):
        gathered.add(chunk)
        most = max(most, sum(map(len, gathered.parts)))
    assert most == LIMITS.line_bytes
    piece = gathered.piece(1)
    assert piece is not None
    assert piece.problem == "104,857,600 bytes; expected at most 33,554,432"


JSON = st.recursive(
    st.none() | st.integers() | st.text('a"\\[]{},:é', max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text('b"]', max_size=2), inner, max_size=3)
    ),
    max_leaves=20,
)


@given(
    st.lists(st.dictionaries(st.text(max_size=2), JSON, max_size=3), min_size=1, max_size=5),
    st.integers(1, 9),
    st.integers(1, 40),
)
def test_items_are_those_of_the_array_whatever_the_stretch_and_the_chunks(
    rows: list[Any], stretch: int, size: int
) -> None:
    data = json.dumps(rows, ensure_ascii=False).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "_STRETCH", stretch)
        found = list(items(data[at : at + size] for at in range(0, len(data), size)))
    assert [json.loads(piece.data) for piece in found] == rows
