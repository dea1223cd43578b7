"""The sentences that a seeded story is made of: a genre's own, or the engine's for any genre.

A pack may hold `story.toml`; a genre without one is told in the words of `plain.toml` here. Either
borrows the letters and daybooks of the pack, so every story sounds of its trade.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from worlds.core.errors import BadFormat

__all__ = ["FILE", "StoryTexts", "read_story_texts", "story_texts"]

FILE = "story.toml"
_GROUPS = ("words", "sky", "weather", "keeper", "entry", "settings")


@dataclass(frozen=True)
class StoryTexts:
    """Sentences by what they do; slots in braces are filled from the scene and from `words`.

    `opening` introduces the teller and the companion, `frame` the rules copied out first and
    `further` each that follows after some story, `asked` and `order` the dated orders, `note` a
    scribble found, `carrier` what is set down. `arrival` (in a new place) or `stay`, `entry` and
    `parting` frame a scene; a `beat` (one sentence) and an `anecdote` (a few) fit anywhere. `sky`
    (a phrase for the arrival) and `weather` go by weather; `keeper` (how the host is called),
    `entry` and `settings` by setting.
    """

    title: tuple[str, ...]
    opening: tuple[str, ...]
    frame: tuple[str, ...]
    further: tuple[str, ...]
    asked: tuple[str, ...]
    order: tuple[str, ...]
    note: tuple[str, ...]
    carrier: tuple[str, ...]
    arrival: tuple[str, ...]
    stay: tuple[str, ...]
    parting: tuple[str, ...]
    letter: tuple[str, ...]
    daybook: tuple[str, ...]
    beat: tuple[str, ...]
    anecdote: tuple[str, ...]
    ending: tuple[str, ...]
    words: Mapping[str, tuple[str, ...]]
    sky: Mapping[str, tuple[str, ...]]
    weather: Mapping[str, tuple[str, ...]]
    keeper: Mapping[str, tuple[str, ...]]
    entry: Mapping[str, tuple[str, ...]]
    settings: Mapping[str, tuple[str, ...]]


@cache
def story_texts(genre: str) -> StoryTexts:
    """The story sentences of a genre."""
    own = files("worlds.core.packs") / genre / FILE
    return read_story_texts(own if own.is_file() else files(__package__) / "plain.toml")


def read_story_texts(file: Traversable) -> StoryTexts:
    """Read one file; raises BadFormat with the key of what is wrong."""
    text = unicodedata.normalize("NFC", file.read_text(encoding="utf-8")).replace("\r\n", "\n")
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadFormat(file.name, str(error), "valid TOML") from error
    known = [field.name for field in fields(StoryTexts)]
    if set(raw) != set(known):
        odd = sorted(set(raw) ^ set(known))
        raise BadFormat(file.name, odd, "exactly the keys " + ", ".join(known))
    for one, other in (("sky", "weather"), ("keeper", "settings"), ("entry", "settings")):
        if set(raw[one]) != set(raw[other]):
            raise BadFormat(f"{file.name} {one}", sorted(raw[one]), f"the keys of {other}")
    parts: dict[str, Any] = {
        key: _group(raw[key], key) if key in _GROUPS else _texts(raw[key], key) for key in known
    }
    return StoryTexts(**parts)


def _group(raw: Any, where: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(raw, dict) or not raw:
        raise BadFormat(where, raw, "a table of lists")
    return {key: _texts(value, f"{where}.{key}") for key, value in raw.items()}


def _texts(raw: Any, where: str) -> tuple[str, ...]:
    if not isinstance(raw, list) or not raw or not all(isinstance(text, str) for text in raw):
        raise BadFormat(where, raw, "a list of texts")
    return tuple(raw)
