"""Finding the complete JSON objects that stand in a text, in linear time.

A reply is prose with JSON somewhere in it. `parse_object` reads one object from its opening brace
with an explicit stack (no recursion, so no depth crashes it) and says where it ends, or where it
broke and where the search goes on. The grammar is JSON with two tolerances, neither of which can
change a value: one trailing comma before a closing bracket, and a raw tab inside a string. Objects
keep repeated keys, numbers keep their digits, NaN and infinity become `NotAValue`.

The C decoder of the standard library is far faster; it accepts a subset of this grammar and builds
the same nodes, so that it changes the time and nothing else. Its failures cost time in proportion
to the text before them, so a caller allows it only a few.

Why it is linear: when an attempt breaks at a position, every object still open would break there
too, so the search resumes at the break. Only the last string is searched again, because a stray
quote may have swallowed an opening brace; and an object that starts inside a string has its first
quote at that string's end, so no character is read by more than a few attempts.

Strings may not hold raw line breaks, so a stray quote swallows one line at most.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import NamedTuple

from grading.core.normal import NotAValue, Number

__all__ = ["MAX_DEPTH", "Broken", "Island", "Json", "Members", "next_start", "parse_object"]

MAX_DEPTH = 1000
"""Objects and arrays nested deeper than this are not read."""

_MAX_DIGITS = 18
_SPACE = r"[ \t\r\n]*+"
_PLAIN = r'[^"\\\x00-\x08\x0a-\x1f]*+'
_STRING = rf'"{_PLAIN}(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{{4}}){_PLAIN})*+"'
_START = re.compile(rf"\{{{_SPACE}(?:\}}|{_STRING}{_SPACE}:)")
_NUMBER = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?"
_TOKEN = re.compile(
    rf"{_SPACE}(?:(?P<mark>[{{}}\[\],:])|(?P<string>{_STRING})|(?P<number>{_NUMBER})"
    r"|(?P<word>true|false|null|NaN|-?Infinity))"
)
# A list of scalars: what an answer's entries are. Its strings hold no tab, so that the C decoder
# reads it as it would be read token by token.
_CLEAN = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
_SCALAR = rf"{_SPACE}(?:{_CLEAN}|{_NUMBER}|true|false|null|NaN|-?Infinity){_SPACE}"
_ENTRY = re.compile(rf"{_SPACE}\[{_SCALAR}(?:,{_SCALAR})*+\]")
_TORN_STRING = re.compile(rf'{_SPACE}"(?P<rest>(?:{_PLAIN}\\.)*+{_PLAIN})')
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}


class Members(NamedTuple):
    """A JSON object with its members in order, repeated keys included."""

    pairs: list[tuple[str, Json]]

    def named(self, key: str) -> list[Json]:
        """The value of every member of that name."""
        return [value for name, value in self.pairs if name == key]


Json = None | bool | int | str | NotAValue | list["Json"] | Members


class Island(NamedTuple):
    """A complete object at `text[start:end]`."""

    start: int
    end: int
    members: Members


@dataclass(frozen=True, slots=True)
class Broken:
    """An object that is not complete JSON.

    It is read up to `reached`; the search goes on at `resume`. `inner` are the complete objects
    found inside, outermost ones only, in order.
    """

    reached: int
    resume: int
    too_deep: bool = False
    inner: tuple[Island, ...] = ()


def next_start(text: str, position: int) -> int:
    """Where the next object may start, from a position on; the text's length if nowhere.

    That is a brace that closes at once, or one with a key and a colon.
    """
    found = _START.search(text, position)
    return found.start() if found else len(text)


def parse_object(text: str, start: int, fast: bool = True) -> Island | Broken:
    """Read the object that opens at `start`; `fast` lets the C decoder try first."""
    if fast:
        try:
            node, end = _decode(text, start)
        except (ValueError, RecursionError):
            return _Attempt(text, start).run()
        # With more brackets it may be too deep, and the C decoder's own limit is no constant.
        if text.count("{", start, end) + text.count("[", start, end) <= MAX_DEPTH:
            assert isinstance(node, Members)
            return Island(start, end, node)
    return _Attempt(text, start).run()


def _integer(text: str) -> int | Number:
    return int(text) if len(text) <= _MAX_DIGITS else Number(text)


class _Integers(dict[str, int]):
    """The numbers that replies hold; any other is read when it comes."""

    def __missing__(self, text: str) -> int | Number:
        return _integer(text)


# object_pairs_hook must build Members from the list that it is given.
_decode = json.JSONDecoder(
    object_pairs_hook=Members,
    parse_float=Number,
    parse_int=_Integers({str(number): number for number in range(100)}).__getitem__,
    parse_constant=NotAValue,
).raw_decode

_unquote = json.JSONDecoder(strict=False).decode


@dataclass(slots=True)
class _Frame:
    """A container that is still open; `key` is the member whose value is awaited."""

    start: int
    items: list[Json] | None = None
    pairs: list[tuple[str, Json]] = field(default_factory=list)
    key: str = ""


class _Attempt:
    """One try to read an object: a stack of open containers and what is expected next.

    States: `key` a key or a closing brace, `colon`, `value`, `item` a value or a closing bracket,
    `next` a comma or a closing mark. A comma leads to `key` or `item`, which allow the closing
    mark: that is the tolerance for trailing commas.
    """

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start
        self.position = start
        self.last_string = -1
        self.stack: list[_Frame] = []
        self.inner: list[Island] = []
        self.state = "value"

    def run(self) -> Island | Broken:
        """Read to the end of the object or to the point where it breaks."""
        while True:
            if self.state == "item" and (entry := self._next_entry()):
                self._entry(entry)
                continue
            token = _TOKEN.match(self.text, self.position)
            if token is None:
                return self._broken()
            kind = token.lastgroup
            if kind == "mark":
                done = self._mark(token[kind], token.end() - 1)
                if isinstance(done, Broken):
                    return done
                self.position = token.end()
                if done:
                    return self.inner[-1]
                self.last_string = -1
            elif kind == "string":
                # The token's pattern checks every escape, so this cannot fail.
                value = _unquote(token["string"])
                if not self._scalar(value):
                    return self._broken(token.start("string"))
                self.position, self.last_string = token.end(), token.start("string")
            else:
                assert kind is not None
                if self.state == "key" or not self._scalar(_plain(kind, token[kind])):
                    return self._broken()
                self.position, self.last_string = token.end(), -1

    def _next_entry(self) -> re.Match[str] | None:
        """A list of scalars, if one comes next and may stand here."""
        if len(self.stack) == MAX_DEPTH:
            return None
        return _ENTRY.match(self.text, self.position)

    def _entry(self, entry: re.Match[str]) -> None:
        """Take a list of scalars inside a list at once."""
        opening = self.text.index("[", self.position)
        node, _ = _decode(self.text, opening)
        self._attach(node)
        self.position, self.last_string = entry.end(), -1

    def _mark(self, mark: str, at: int) -> bool | Broken:
        """Take a punctuation mark; true when the outermost object is complete."""
        if mark in "{[":
            if self.state not in ("value", "item"):
                return self._broken()
            if len(self.stack) == MAX_DEPTH:
                return Broken(at, at + 1, too_deep=True, inner=tuple(self.inner))
            self.stack.append(_Frame(at, [] if mark == "[" else None))
            self.state = "item" if mark == "[" else "key"
            return False
        if mark in "}]":
            return self._close(mark, at)
        if mark == ":" and self.state == "colon":
            self.state = "value"
            return False
        if mark == "," and self.state == "next":
            self.state = "key" if self.stack[-1].items is None else "item"
            return False
        return self._broken()

    def _close(self, mark: str, at: int) -> bool | Broken:
        expected = ("key", "next") if mark == "}" else ("item", "next")
        if self.state not in expected or (self.stack[-1].items is None) != (mark == "}"):
            return self._broken()
        frame = self.stack.pop()
        node: Json
        if frame.items is None:
            node = Members(frame.pairs)
            while self.inner and self.inner[-1].start > frame.start:
                self.inner.pop()
            self.inner.append(Island(frame.start, at + 1, node))
        else:
            node = frame.items
        if not self.stack:
            return True
        self._attach(node)
        return False

    def _scalar(self, value: Json) -> bool:
        """Take a string, number or word as a key or a value; false where none may stand."""
        if self.state == "key":
            self.stack[-1].key = str(value)
            self.state = "colon"
            return True
        if self.state not in ("value", "item"):
            return False
        self._attach(value)
        return True

    def _attach(self, node: Json) -> None:
        frame = self.stack[-1]
        if frame.items is None:
            frame.pairs.append((frame.key, node))
        else:
            frame.items.append(node)
        self.state = "next"

    def _broken(self, string: int | None = None) -> Broken:
        """Resume inside the string at the break if there is one, else at the break itself."""
        reached = self.position
        if string is None:
            string = self.last_string
            if torn := _TORN_STRING.match(self.text, reached):
                string, reached = torn.start("rest") - 1, torn.end()
        resume = self.position if string < 0 else string + 1
        return Broken(reached, max(resume, self.start + 1), inner=tuple(self.inner))


def _plain(kind: str, text: str) -> Json:
    if kind == "word":
        return _WORDS[text] if text in _WORDS else NotAValue(text)
    return _integer(text) if text.lstrip("-").isdigit() else Number(text)
