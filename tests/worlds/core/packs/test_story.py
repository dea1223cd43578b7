from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.worlds.core.prose.mill import MILL, mill_pack
from worlds.core.errors import BadFormat
from worlds.core.packs import Pack, genres, pack, read_pack
from worlds.core.packs.check_story import story_findings


def with_story(**changes: Any) -> Pack:
    """The mill with some lists of its story changed; a dictionary adds to a group."""
    mill, texts = mill_pack(), {}
    for key, value in changes.items():
        grouped = isinstance(value, dict)
        texts[key] = {**getattr(mill.story, key), **value} if grouped else value
    return replace(mill, story=replace(mill.story, **texts))


def findings(changed: Pack) -> list[str]:
    """What is wrong with a story beyond its being small."""
    return [str(f) for f in story_findings(changed) if f.rule != "count"]


def test_the_mill_lacks_nothing_but_numbers() -> None:
    assert findings(mill_pack()) == []
    told = [str(finding) for finding in story_findings(mill_pack())]
    assert "story.toml anecdote: 10 where at least 30 are needed [count]" in told
    assert "story.toml thread lists: 2 where at least 6 are needed [count]" in told


@pytest.mark.parametrize("genre", genres())
def test_every_genre_has_a_story_of_its_own(genre: str) -> None:
    own = {text for key, texts in pack(genre).story.lists() for text in texts if "." not in key}
    for other in genres():
        if other != genre:
            theirs = {text for _, texts in pack(other).story.lists() for text in texts}
            assert not own & theirs


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"beat": ("{stranger} came by.",)}, "unknown slot {stranger}"),
        ({"beat": ("It was {date}.",)}, "unknown slot {date}"),
        ({"beat": ("A {open brace.",)}, "opens no slot"),
        ({"asked": ("On {date} a note came.",)}, "has {writer} 0 times"),
        ({"carrier": ("I wrote it down.",)}, "holds not exactly one {clause}"),
        ({"carrier": ("I wrote: {Clause}.",)}, "begins with {Clause}, and only there"),
        ({"carrier": ("{clause}.",)}, "begins with {Clause}, and only there"),
        ({"carrier": ("They say that {clause}.",)}, "sounds like hearsay"),
        ({"carrier": ("I doubt whether {clause}.",)}, "turns its clause"),
        ({"beat": ("A lantern hung there.",)}, "uses 'lantern'"),
        ({"beat": ("Somebody counted us.",)}, "uses 'counted'"),
        ({"beat": ("It was a quiet night.",)}, "uses 'night'"),
        ({"beat": ("They mean to auction the cow.",)}, "uses 'auction'"),
        ({"beat": ("Ashdown was well.",)}, "names Ashdown"),
        ({"beat": ("Wickens was well.",)}, "names Wickens"),
        ({"beat": ("There were 3 geese.",)}, "holds a digit"),
        ({"beat": ("The line above is a joke.",)}, "could take a clause back: 'above'"),
        ({"beat": ("We saw a otter.",)}, "a or an"),
        ({"beat": ("We ate a {dish}.",), "words": {"dish": ("egg",)}}, "a egg"),
        ({"beat": ("We saw an {thing}.",), "words": {"thing": ("duck",)}}, "an duck"),
        ({"beat": ("We went on",)}, "does not end a sentence"),
        ({"beat": ("we went on.",)}, "does not begin with a capital"),
        ({"beat": ("He cried “Stop.”",)}, "quotation marks"),
        ({"beat": ("We ate.", "We ate.")}, "stands 2 times"),
        ({"season": {"rain": ("Brumaire",)}}, "'Brumaire' is no month"),
        ({"season": {"rain": ("May",), "clear": ("May",)}}, "June has fewer than 2 weathers"),
        ({"reading": {"telegram": ("A wire had come.",)}}, "no channel of prose"),
        ({"reading": {"receipt": ("A bill lay there.",)}, "beat": ("We ate.",)}, ""),
        ({"reading": {"diary": ("A diary lay there.",)}}, "no channel of prose"),
    ],
)
def test_what_a_story_may_not_hold_is_found(changes: dict[str, Any], told: str) -> None:
    found = findings(with_story(**changes))
    assert any(told in finding for finding in found) if told else found == []


def changed_file(tmp_path: Path, old: str, new: str) -> Path:
    folder = Path(shutil.copytree(MILL, tmp_path / "mill"))
    file = folder / "story.toml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("title = [", "title = ", r"story\.toml"),
        ("title = [", "heading = [", "no title"),
        ("title = [", "coda = []\ntitle = [", "coda"),
        ("parting = [", "parting = 3\nold = [", "old"),
        ('kitchen = ["Mrs {host} let', 'attic = ["Mrs {host} let', "keys of settings"),
        ("[season]\nrain", "[season]\nsleet", "keys of weather"),
    ],
)
def test_a_broken_story_is_told_where(old: str, new: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(BadFormat, match=told):
        read_pack(changed_file(tmp_path, old, new))
