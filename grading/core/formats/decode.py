"""One row's bytes to one JSON object, or what is wrong with it."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from grading.core.formats.rows import Malformed, told
from grading.core.formats.stream import LIMITS, Limits

__all__ = ["decode_object"]

_STRUCTURE = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
_MAX_DIGITS = 40


def decode_object(data: bytes, limits: Limits = LIMITS) -> dict[str, Any]:
    """The object of a row; raises Malformed.

    A key given twice is refused: nobody can say which one counts. NaN, infinity and overlong
    integers become floats that are not finite; no field that is read accepts one.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    text = _text(data)
    if _depth(data, limits.depth) > limits.depth:
        raise Malformed("row", "JSON nested too deep", f"at most {limits.depth} levels")
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise Malformed("row", _syntax(text, error), "one complete JSON object") from error
    if not isinstance(value, dict):
        raise Malformed("row", told(value), "a JSON object")
    return value


def _text(data: bytes) -> str:
    if b"\0" in data:
        raise Malformed("row", f"a NUL byte at byte {data.index(0) + 1}", "text")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"byte 0x{data[error.start]:02x} at byte {error.start + 1}"
        raise Malformed("row", found, "UTF-8 text; perhaps this is Windows-1252") from error


def _depth(data: bytes, enough: int) -> int:
    """How deep the brackets nest; a bound where it is at most `enough`, and where it is more."""
    count = data.count(b"[") + data.count(b"{")
    if count <= enough:
        return count
    depth = deepest = 0
    for found in _STRUCTURE.finditer(data):
        mark = found[0]
        if mark in (b"[", b"{"):
            depth += 1
            if depth > enough:
                return depth
            deepest = max(deepest, depth)
        elif mark in (b"]", b"}"):
            depth -= 1
    return deepest


def _syntax(text: str, error: json.JSONDecodeError) -> str:
    # A string without an end is reported where it begins.
    torn = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
    what = error.msg.removesuffix(" at")
    where = f"{what[:1].lower()}{what[1:]} at character {error.pos + 1}"
    return f"a row that breaks off ({where})" if torn else f"no JSON ({where})"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Malformed(twice[:40], "this key more than once in one object", "each key once")
    return members


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MAX_DIGITS else math.inf


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_int=_integer)
