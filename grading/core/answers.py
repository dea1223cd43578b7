"""Reading the final answer out of a reply: text in, the graded answer or a reason out.

The contract asks for one JSON object `{"answer": [["<mark>", "<word>", <value>], …]}`. These rules
say what is graded; each has a test, and none invents, merges or cuts a value.

Which object
    The last complete answer object outside reasoning. Earlier ones are drafts: counted, never
    graded, never merged. An object cut off in the middle is not complete. Code fences, prose,
    brackets and tags around it do not matter. Of Python literals and of JSON with typographic
    quotes nothing is read.

Reasoning
    `<think>…</think>` (also `thinking`, `reasoning`; any case) is left out. A closing tag without
    an opening one ends reasoning that began before the text; an opening tag without a closing one
    makes the rest reasoning. A tag inside a string of a complete object is part of the string.

Answer object
    An object with one member `answer` that is a list; other members are ignored. A wrapper counts
    when exactly one answer object is inside it, also as JSON in a string, at most six levels down;
    with two inside, or `answer` twice, the reply is ambiguous and nothing is read. A list of
    entries that only repeats the contract's placeholders (`<reference mark>`) is an echo, and is
    no answer object.

Entries
    `[mark, word, value]`. The word `is` makes it a fact, any other word an action. An entry that
    is too short or too long for that still states what it can: its mark is stated with no value.
    Entries without a mark count as malformed and state nothing.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from grading.core.islands import Broken, Island, Json, Members, next_start, parse_object
from grading.core.normal import NotAValue, normalise, storable

__all__ = [
    "MAX_REPLY",
    "Answer",
    "Claim",
    "Reading",
    "Reason",
    "Unreadable",
    "claim_of",
    "read_answer",
]

MAX_REPLY = 4 * 2**20
"""The longest reply that is read, in code points: about a million tokens."""

_MAX_WRAPPERS = 6
_FAST_FAILURES = 8
_MAX_SHOWN = 80
_TAG = re.compile(r"<(?P<slash>/?)(?:think|thinking|reasoning)\s*+>", re.IGNORECASE)
_UNFINISHED = re.compile(r'\{\s*+"answer"', re.IGNORECASE)
_PYTHON = re.compile(r"\{\s*+'answer'", re.IGNORECASE)
_CURLY = re.compile(r"\{\s*+[“”„‟]answer", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"<[^<>]*+>")


class Reason(StrEnum):
    """Why nothing in a reply could be graded."""

    EMPTY = "empty"
    TOO_LONG = "too-long"
    UNCLOSED_REASONING = "unclosed-reasoning"
    AMBIGUOUS = "ambiguous"
    WRONG_SHAPE = "wrong-shape"
    TOO_DEEP = "too-deep"
    INCOMPLETE = "incomplete"
    PYTHON_LITERAL = "python-literal"
    CURLY_QUOTES = "curly-quotes"
    ECHO = "echo"
    NO_ANSWER = "no-answer"


_DETAILS = {
    Reason.EMPTY: "The reply is empty.",
    Reason.TOO_LONG: f"The reply is longer than {MAX_REPLY:,} characters.",
    Reason.UNCLOSED_REASONING: "The reply ends inside its reasoning.",
    Reason.AMBIGUOUS: "The last answer object holds two answers.",
    Reason.WRONG_SHAPE: 'The last "answer" is not a list of [mark, word, value] entries.',
    Reason.TOO_DEEP: "The reply nests too deep to be read.",
    Reason.INCOMPLETE: "The reply begins an answer that is no complete JSON, or wrapped too deep.",
    Reason.PYTHON_LITERAL: "The answer is written as a Python literal, not as JSON.",
    Reason.CURLY_QUOTES: "The answer is written with typographic quotes, not as JSON.",
    Reason.ECHO: "The reply only repeats the format example of the prompt.",
    Reason.NO_ANSWER: 'The reply holds no JSON object with an "answer".',
}


class Claim(NamedTuple):
    """One entry as it was written: `word` is `is` for a fact, `value` any JSON value."""

    mark: str
    word: str
    value: Json

    @property
    def is_fact(self) -> bool:
        """Whether it says what is so; otherwise it is an action."""
        return self.word == "is" or normalise(self.word) == "is"

    @property
    def shown(self) -> str:
        """The value as a person reads it, cut to one line; storable."""
        return shown(self.value)


class Answer(NamedTuple):
    """The graded answer, at code points `start:end` of the reply: its entries as they were written.

    `earlier` counts the answer objects before it.
    """

    entries: list[Json]
    start: int
    end: int
    earlier: int = 0
    unclosed_reasoning: bool = False

    @property
    def claims(self) -> list[Claim]:
        """What the entries state, in their order."""
        return [claim for entry in self.entries if (claim := claim_of(entry)) is not None]

    @property
    def facts(self) -> tuple[Claim, ...]:
        """The claims that say what is so."""
        return tuple([claim for claim in self.claims if claim.is_fact])

    @property
    def actions(self) -> tuple[Claim, ...]:
        """The other claims."""
        return tuple([claim for claim in self.claims if not claim.is_fact])

    @property
    def malformed(self) -> int:
        """How many entries state nothing."""
        return len(self.entries) - len(self.claims)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Nothing to grade, and why."""

    reason: Reason
    unclosed_reasoning: bool = False

    @property
    def detail(self) -> str:
        """The reason as a sentence."""
        return _DETAILS[self.reason]


Reading = Answer | Unreadable


def read_answer(text: str) -> Reading:
    """The answer that a reply gives in the end, by the rules above; never raises.

    >>> read_answer('I think {"answer": [["P-33", "is", "Pryce"]]}').facts[0].value
    'Pryce'
    """
    if len(text) > MAX_REPLY:
        return Unreadable(Reason.TOO_LONG)
    search = _Search(text)
    search.run()
    found = search.last
    if found is None:
        return Unreadable(_why_nothing(search), search.unclosed)
    if isinstance(found.content, Reason):
        return Unreadable(found.content, search.unclosed)
    return _answer(found, found.content, search)


def claim_of(entry: Json) -> Claim | None:
    """What an entry states; a wrong length leaves its mark with a value that is none."""
    if not isinstance(entry, list) or len(entry) < 2 or not isinstance(entry[0], str):
        return None
    if len(entry) == 2 or not isinstance(entry[1], str):
        return Claim(entry[0], "is", entry[1:])
    return Claim(entry[0], entry[1], entry[2] if len(entry) == 3 else entry[2:])


def shown(value: Json) -> str:
    """Any JSON value as short plain text without NUL or lone surrogates."""
    match value:
        case str():
            text = value
        case bool() | None:
            text = json.dumps(value)
        case int():
            text = str(value)
        case NotAValue():
            text = value.text
        case list():
            text = "[" + ", ".join(_inside(item) for item in value[:8]) + "]"
        case Members():
            text = "{…}"
    text = storable(text)
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"


def _inside(item: Json) -> str:
    # One level only: a list in a list is never a value, and may be a thousand levels deep.
    return "[…]" if isinstance(item, list) else shown(item)


class _Found(NamedTuple):
    """An answer object, and either its list of entries or why it cannot be read."""

    island: Island
    content: list[Json] | Reason


class _Search:
    """One pass over a reply from left to right: tags, objects, and the last answer among them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.last: _Found | None = None
        self.count = 0
        self.unclosed = False
        self.too_deep = False
        self.echo = False
        self.failures = 0

    def run(self) -> None:
        """Leave the last answer object in `last`, how many there were in `count`."""
        text, position = self.text, 0
        start = tag = -1
        found: re.Match[str] | None = None
        while True:
            if start < position:
                start = next_start(text, position)
            if tag < position:
                found = _TAG.search(text, position)
                tag = found.start() if found else len(text)
            if start < tag:
                position = self._object(start)
            elif found is None or tag == len(text):
                return
            else:
                position = self._tag(found)

    def _object(self, start: int) -> int:
        island = parse_object(self.text, start, fast=self.failures < _FAST_FAILURES)
        if isinstance(island, Broken):
            self.failures += 1
            self.too_deep = self.too_deep or island.too_deep
            for inner in island.inner:
                self._consider(inner)
            return island.resume
        self._consider(island)
        return island.end

    def _tag(self, found: re.Match[str]) -> int:
        if found["slash"]:
            # Nothing was open: what came before was reasoning that the template had opened.
            self.last, self.count = None, 0
            return found.end()
        position = found.end()
        while closing := _TAG.search(self.text, position):
            position = closing.end()
            if closing["slash"]:
                return position
        self.unclosed = True
        return len(self.text)

    def _consider(self, island: Island) -> None:
        contents = _contents(island.members, _MAX_WRAPPERS)
        if not contents:
            return
        content = contents[0] if len(contents) == 1 else Reason.AMBIGUOUS
        if isinstance(content, list) and _is_echo(content):
            self.echo = True
            return
        self.last = _Found(island, content)
        self.count += 1


def _contents(members: Members, levels: int) -> list[list[Json] | Reason]:
    """What an object offers as `answer`: its own, or those of the objects that it wraps."""
    own = [
        value for name, value in members.pairs if name == "answer" or normalise(name) == "answer"
    ]
    if len(own) > 1:
        return [Reason.AMBIGUOUS]
    if not own:
        return [found for _, value in members.pairs for found in _wrapped(value, levels)]
    if isinstance(own[0], list):
        return [own[0]]
    return list(_wrapped(own[0], levels)) or [Reason.WRONG_SHAPE]


def _wrapped(value: Json, levels: int) -> list[list[Json] | Reason]:
    """The answers inside a member of a wrapper; a list of two or more makes it ambiguous."""
    if levels == 0:
        return []
    match value:
        case Members():
            return _contents(value, levels - 1)
        case list():
            return [found for item in value for found in _wrapped(item, levels - 1)]
        case str() if "answer" in value and value.lstrip()[:1] == "{":
            inner = parse_object(value, value.index("{"))
            if isinstance(inner, Island) and not value[inner.end :].strip():
                return _contents(inner.members, levels - 1)
    return []


def _is_echo(entries: list[Json]) -> bool:
    """Whether every entry only repeats a placeholder of the contract."""
    marks = 0
    for entry in entries:
        if isinstance(entry, list) and entry:
            mark = entry[0]
            if not isinstance(mark, str) or not _PLACEHOLDER.fullmatch(mark.strip()):
                return False
            marks += 1
    return marks > 0


def _answer(found: _Found, entries: list[Json], search: _Search) -> Reading:
    if entries and all(claim_of(entry) is None for entry in entries):
        return Unreadable(Reason.WRONG_SHAPE, search.unclosed)
    island = found.island
    return Answer(entries, island.start, island.end, search.count - 1, search.unclosed)


def _why_nothing(search: _Search) -> Reason:
    text = search.text
    if not text.strip():
        return Reason.EMPTY
    if search.unclosed:
        return Reason.UNCLOSED_REASONING
    if search.too_deep:
        return Reason.TOO_DEEP
    if search.echo:
        return Reason.ECHO
    for pattern, reason in (
        (_UNFINISHED, Reason.INCOMPLETE),
        (_PYTHON, Reason.PYTHON_LITERAL),
        (_CURLY, Reason.CURLY_QUOTES),
    ):
        if pattern.search(text):
            return reason
    return Reason.NO_ANSWER
