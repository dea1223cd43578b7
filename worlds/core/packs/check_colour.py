"""The rules of colour: what stands around units names nothing and nobody, and is sound English."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from worlds.core.errors import Unrenderable
from worlds.core.packs.findings import Finding
from worlds.core.packs.lint import article_fits, lint
from worlds.core.packs.model import MONTHS, WEEKDAYS, Pack
from worlds.core.packs.template import Slot, compile_template
from worlds.core.packs.vocabulary import operative_words

__all__ = ["Articles", "Colour", "slot_findings", "slots_of"]

_ARTICLE = re.compile(r"\b([Aa]n?) \{(?:[a-z]+\.)?([a-z0-9]+)\}")
_SLOT = re.compile(r"\{[^{}]*\}")
_OPERATIVE = ("hold", "held", "release", "register", "charge")


class Articles:
    """Checks that an article before a slot goes with everything that can fill it."""

    def __init__(self, pack: Pack, more: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self._words: dict[str, tuple[str, ...]] = {
            **pack.lists,
            "weekday": WEEKDAYS,
            "month": MONTHS,
            "bystander": pack.bystanders,
            "bystander2": pack.bystanders,
            **(more or {}),
        }
        for facet in ("noun", "past", "done"):
            self._words[facet] = tuple(getattr(role, facet) for role in pack.lexicon.roles)
        self._words["thing"] = self._words.get("thing", ()) + self._words["noun"]
        for facet in ("step", "steps", "more", "less", "occasion", "occasions"):
            self._words[facet] = tuple(getattr(measure, facet) for measure in pack.lexicon.measures)

    def findings(self, where: str, text: str) -> Iterator[Finding]:
        """Every article of a text that does not go with something that can follow it."""
        for found in _ARTICLE.finditer(text):
            for value in self._words.get(found[2], ()):
                if value.strip() and not article_fits(found[1], value.split()[0]):
                    yield Finding("lint", where, f"{found[1]} {value}: {text!r}")


class Colour:
    """Checks texts that must say nothing; `taken` are words that these may not use either."""

    def __init__(
        self,
        pack: Pack,
        taken: Collection[str] = (),
        more: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        words = {*operative_words(pack), *_OPERATIVE, *taken}
        words |= {verb for pair in pack.lexicon.verbs for verb in pair}
        alternatives = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
        self._words = re.compile(rf"\b({alternatives})\b", re.IGNORECASE)
        self._names = re.compile(rf"\b({'|'.join((*pack.lexicon.names, *pack.bystanders))})\b")
        self._articles = Articles(pack, more)

    def findings(self, where: str, text: str) -> Iterator[Finding]:
        """What is wrong with one text."""
        fixed = _SLOT.sub("", text)
        if re.search(r"\d", fixed):
            yield Finding("colour", where, f"holds a digit: {text!r}")
        for found in self._words.finditer(fixed):
            yield Finding("colour", where, f"uses {found[1]!r}: {text!r}")
        for found in self._names.finditer(text):
            yield Finding("colour", where, f"names {found[1]}: {text!r}")
        yield from self._articles.findings(where, text)
        for what in lint(_plain(text)):
            yield Finding("lint", where, what)
        if len(text.upper()) != len(text):
            yield Finding("colour", where, f"changes its length in capitals: {text!r}")


def _plain(text: str) -> str:
    """The text with a different stand-in for every slot."""
    count = iter(range(1000))
    return _SLOT.sub(lambda _: f"X{chr(97 + next(count) % 26)}", text)


def slot_findings(
    text: str, where: str, known: Collection[str], *, once: tuple[str, ...]
) -> Iterator[Finding]:
    """Slots that nothing fills, and slots of `once` that do not stand exactly once."""
    try:
        slots = [str(slot)[1:-1] for slot in compile_template(text).slots]
    except Unrenderable as error:
        yield Finding("slots", where, str(error))
        return
    for slot in dict.fromkeys(slots):
        if slot not in known:
            yield Finding("slots", where, f"has an unknown slot {{{slot}}}")
    for slot in once:
        if slots.count(slot) != 1:
            yield Finding("slots", where, f"has {{{slot}}} {slots.count(slot)} times, not once")


def slots_of(text: str) -> tuple[Slot, ...]:
    """The slots of a text; none when its braces are broken, which is a finding of its own."""
    try:
        return compile_template(text).slots
    except Unrenderable:
        return ()
