"""The sentences that a seeded story is made of: who tells it, where it stops, what happens.

Reading checks shapes only; what a story must hold is `worlds.core.packs.check_story`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from worlds.core.errors import BadFormat

__all__ = ["STORY", "StoryTexts", "story_of"]

STORY = "story.toml"
_GROUPS = (
    *("words", "season", "sky", "weather", "keeper", "entry", "settings", "reading"),
    "thread",
)
_SAME_KEYS = (
    ("season", "weather"),
    ("sky", "weather"),
    ("keeper", "settings"),
    ("entry", "settings"),
)


@dataclass(frozen=True, slots=True)
class StoryTexts:
    """Sentences by what they do; slots in braces are filled from the scene and from `words`.

    `opening` introduces the teller and the companion, `frame` the rules copied out first and
    `further` each that follows after some story, `asked` and `order` the dated orders, `note` a
    scribble found, `carrier` what is set down. `arrival` (in a new place) or `stay`, `entry` and
    `parting` frame a scene; a `beat` (one sentence) and an `anecdote` (a few) fit anywhere. A
    `thread` is a small story of its own, told in order from scene to scene. `season` (months),
    `sky` (a phrase for the arrival) and `weather` go by weather; `keeper` (how the host is called),
    `entry` and `settings` by setting; `reading`, what leads to a paper that somebody lets the
    teller see, by the channel whose colour is read.
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
    beat: tuple[str, ...]
    anecdote: tuple[str, ...]
    ending: tuple[str, ...]
    words: Mapping[str, tuple[str, ...]]
    season: Mapping[str, tuple[str, ...]]
    sky: Mapping[str, tuple[str, ...]]
    weather: Mapping[str, tuple[str, ...]]
    keeper: Mapping[str, tuple[str, ...]]
    entry: Mapping[str, tuple[str, ...]]
    settings: Mapping[str, tuple[str, ...]]
    reading: Mapping[str, tuple[str, ...]]
    thread: Mapping[str, tuple[str, ...]]

    def lists(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Every list with its key: `beat`, `sky.rain`."""
        for field in fields(self):
            held = getattr(self, field.name)
            if isinstance(held, tuple):
                yield field.name, held
            else:
                yield from ((f"{field.name}.{key}", texts) for key, texts in held.items())


def story_of(raw: Mapping[str, Any]) -> StoryTexts:
    """The texts in a parsed `story.toml`; raises BadFormat with the key of what is wrong."""
    known = [field.name for field in fields(StoryTexts)]
    missing = sorted(set(known) - set(raw))
    if missing:
        raise BadFormat(STORY, f"no {', '.join(missing)}", "the keys " + ", ".join(known))
    for key in raw:
        if key not in known:
            raise BadFormat(STORY, key, "one of the keys " + ", ".join(known))
    parts: dict[str, Any] = {
        key: _group(raw[key], key) if key in _GROUPS else _texts(raw[key], key) for key in known
    }
    for one, other in _SAME_KEYS:
        if set(parts[one]) != set(parts[other]):
            raise BadFormat(f"{STORY} {one}", sorted(parts[one]), f"the keys of {other}")
    return StoryTexts(**parts)


def _group(raw: Any, where: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(raw, dict) or not raw:
        raise BadFormat(f"{STORY} {where}", raw, "a table of lists")
    return {key: _texts(value, f"{where}.{key}") for key, value in raw.items()}


def _texts(raw: Any, where: str) -> tuple[str, ...]:
    if not isinstance(raw, list) or not raw or not all(isinstance(text, str) for text in raw):
        raise BadFormat(f"{STORY} {where}", raw, "a list of texts")
    return tuple(raw)
