from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from worlds.core.errors import BadFormat
from worlds.core.packs import genres, pack
from worlds.core.packs.check_voice import sounds_like_hearsay
from worlds.core.packs.lint import lint
from worlds.core.packs.template import Slot, compile_template
from worlds.core.prose.story.texts import StoryTexts, read_story_texts, story_texts

SCENE = {"companion", "host", "keeper", "place", "weekday", "month", "sky", "local"}
ORDER = {*SCENE, "date", "writer"}
LISTS = ("words", "sky", "keeper")


def sentences(texts: StoryTexts) -> Iterator[tuple[str, str]]:
    """Every sentence with the name of its list."""
    for field in fields(StoryTexts):
        held = getattr(texts, field.name)
        for text in held if isinstance(held, tuple) else (t for v in held.values() for t in v):
            yield field.name, text


@pytest.mark.parametrize("genre", genres())
def test_every_slot_of_a_story_can_be_filled(genre: str) -> None:
    texts = story_texts(genre)
    free = {*texts.words, *pack(genre).lists}
    for name, text in sentences(texts):
        known = ORDER if name in ("asked", "order") else {*SCENE, "clause", "Clause"}
        slots = {e.name for e in compile_template(text).elements if isinstance(e, Slot)}
        assert slots <= known | free, text
        assert ("clause" in slots or "Clause" in slots) == (name == "carrier"), text
        assert ({"date", "writer"} <= slots) == (name in ("asked", "order")), text


@pytest.mark.parametrize("genre", genres())
def test_a_story_uses_no_word_that_a_clause_or_an_order_may_use(genre: str) -> None:
    lexicon = pack(genre).lexicon
    taken = {verb for pair in lexicon.verbs for verb in pair}
    taken |= {measure.occasion for measure in lexicon.measures} - {"round"}
    taken |= {noun for role in lexicon.roles for noun in (role.noun, role.plural)} - {"round"}
    names = {*lexicon.names, *pack(genre).bystanders}
    for _, text in sentences(story_texts(genre)):
        words = set(re.findall(r"[A-Za-z]+(?:-[a-z]+)?", re.sub(r"\{[^}]*\}", "", text)))
        assert not {word.lower() for word in words} & taken, text
        assert not words & names, text


@pytest.mark.parametrize("genre", genres())
def test_every_sentence_is_sound(genre: str) -> None:
    filling = {"dish": "pie", "thing": "a duck", "clause": "it is so", "writer": "the clerk"}
    for name, text in sentences(story_texts(genre)):
        filled = re.sub(r"\{(\w+)\}", lambda slot: filling.get(slot[1], "Xyz"), text)
        assert lint(filled) == (), text
        assert not re.search(r"[0-9]", filled), text
        assert name in (*LISTS, "title", "carrier") or filled.endswith((".", "!", "?")), text


@pytest.mark.parametrize("genre", genres())
def test_nothing_that_carries_a_clause_doubts_or_hands_on(genre: str) -> None:
    for carrier in story_texts(genre).carrier:
        assert not sounds_like_hearsay(carrier), carrier


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("title = [", "valid TOML"),
        ('title = ["x"]', "exactly the keys"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "story.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadFormat, match=told):
        read_story_texts(file)


def test_settings_need_their_entries(tmp_path: Path) -> None:
    plain = Path(__file__).parents[5] / "worlds/core/prose/story/plain.toml"
    file = tmp_path / "story.toml"
    file.write_text(
        plain.read_text("utf-8").replace('kitchen = ["Mrs {host} let', 'attic = ["Mrs {host} let'),
        encoding="utf-8",
    )
    with pytest.raises(BadFormat, match="keys of settings"):
        read_story_texts(file)
