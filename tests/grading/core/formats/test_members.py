"""One list out of a large object, wherever the chunks are cut."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from grading.core.formats.members import members, text_at

TEXTS = st.text(alphabet='aé"\\[]{},: \n', max_size=8)
JSON = st.recursive(
    TEXTS | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def cut(data: bytes, size: int) -> Iterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


@given(
    before=st.dictionaries(TEXTS, JSON, max_size=3),
    items=st.lists(JSON, max_size=4),
    after=st.dictionaries(TEXTS, JSON, max_size=2),
    size=st.integers(1, 40),
    indent=st.sampled_from([None, 1]),
)
def test_the_items_are_those_of_the_list(
    before: dict[str, Any], items: list[Any], after: dict[str, Any], size: int, indent: int | None
) -> None:
    text = json.dumps(before | {"samples": items} | after, indent=indent)
    found = list(members(cut(text.encode(), size), "samples"))
    assert [json.loads(piece.data) for piece in found] == items
    assert [piece.line for piece in found] == list(range(1, len(items) + 1))


@given(before=st.dictionaries(TEXTS, JSON, max_size=3), model=TEXTS)
def test_a_text_is_found_at_its_path_alone(before: dict[str, Any], model: str) -> None:
    inner = {"args": [before, {"model": "no"}], "model": model, "model_args": {"model": "no"}}
    outer = {**before, "results": {"model": "no"}, "eval": inner, "model": "no"}
    head = json.dumps(outer).encode()
    assert text_at(head, ("eval", "model")) == model
    assert text_at(head, ("eval", "absent")) is None


def test_a_list_deeper_down_is_another_one() -> None:
    text = b'{"x": {"samples": [1]}, "y": ["samples", [2]], "samples": 3}'
    (piece,) = members([text], "samples")
    assert piece.problem.startswith("no list under samples")


def test_memory_stays_flat_over_a_long_list() -> None:
    item = json.dumps({"id": "s", "events": ["x" * 1000] * 100}).encode()

    def chunks(count: int) -> Iterator[bytes]:
        yield b'{"eval": {}, "samples": ['
        for number in range(count):
            yield (b"," if number else b"") + item
        yield b"]}"

    peaks = []
    for count in (20, 400):
        tracemalloc.start()
        assert sum(1 for _ in members(chunks(count), "samples")) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 2 * len(item)
