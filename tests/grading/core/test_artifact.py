"""The artifact: what it holds, that it is the same twice, and how differences are named."""

from __future__ import annotations

from typing import Any

import pytest

from grading.core.artifact import DEPENDENCIES, StoredFile, build_artifact, differences
from worlds.core.codec import canonical
from worlds.core.source import source_files

A, B = "a" * 64, "b" * 64
REPORT = {"rows": [{"key": "model:k:1", "scores": {"intuition": {"value": 50.0}}}], "void": False}


def artifact(files: list[StoredFile], instances: dict[str, str]) -> dict[str, Any]:
    return build_artifact(REPORT, instances, "c" * 64, {"model:k:1": files})


def told(expected: Any, found: Any) -> list[str]:
    return [str(each) for each in differences(expected, found)]


def test_it_names_all_that_the_numbers_rest_on() -> None:
    found = artifact([StoredFile(A, 10)], {"s1": B})
    assert found["sources"]["grading.core"] == source_files("grading.core")
    assert "bridges/anatomy.toml" in found["sources"]["worlds.core"]
    assert set(found["dependencies"]) == set(DEPENDENCIES)
    assert found["corpus"] == {"sha256": "c" * 64, "instances": {"s1": B}}
    assert found["submissions"] == {"model:k:1": [{"sha256": A, "size": 10}]}
    assert found["report"] == REPORT


def test_the_order_of_what_is_given_changes_no_byte() -> None:
    one, two = StoredFile(A, 1), StoredFile(B, 2)
    first = artifact([one, two], {"s1": A, "s2": B})
    second = artifact([two, one], {"s2": B, "s1": A})
    assert canonical(first) == canonical(second)


def test_nothing_differs_from_itself() -> None:
    found = artifact([StoredFile(A, 1)], {"s1": A})
    assert told(found, found) == []


@pytest.mark.parametrize(
    ("expected", "found", "sentences"),
    [
        ({"a": {"b": 1}}, {"a": {"b": 2}}, ["a.b: expected 1, found 2"]),
        ({"a": 1}, {}, ["a: expected 1, found nothing"]),
        ({}, {"a": [1, 2]}, ["a: expected nothing, found 2 items"]),
        ({"a": [1, 2]}, {"a": [1, 3]}, ["a[1]: expected 2, found 3"]),
        ({"a": 1}, {"a": 1.0}, ["a: expected 1, found 1.0"]),
        ({"a": True}, {"a": 1}, ["a: expected True, found 1"]),
        ({"a": None}, {"a": {}}, ["a: expected None, found 0 members"]),
        ([1], {"a": 1}, ["the whole: expected 1 items, found 1 members"]),
    ],
)
def test_each_place_is_named(expected: Any, found: Any, sentences: list[str]) -> None:
    assert told(expected, found) == sentences


def test_rows_are_compared_by_their_keys_not_by_their_place() -> None:
    rows = [{"key": "a", "value": 1}, {"key": "b", "value": 2}]
    changed = [{"key": "b", "value": 3}, {"key": "a", "value": 1}]
    assert told({"rows": rows}, {"rows": changed}) == ["rows[b].value: expected 2, found 3"]
    assert told({"rows": rows}, {"rows": rows[1:]}) == [
        "rows[a]: expected 2 members, found nothing"
    ]
