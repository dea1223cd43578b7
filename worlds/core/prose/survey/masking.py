"""Skeletons: what is left of a text when everything that changes from record to record is masked.

There are two. The `plain` one masks marks, names and numbers, and is what the goals on repetition
are about. The `bare` one masks the words of the lexicon too (what the things are called, what was
done, what a scale is of), so that hardly more than the wording of the pack is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from worlds.core.bridges import BridgeFact
from worlds.core.lexicon import Kind, PersonRole
from worlds.core.model import World
from worlds.core.packs.model import Pack
from worlds.core.prose.grammar import kinds_of
from worlds.core.prose.lexis import NUMBER_WORDS, step_value
from worlds.core.prose.meaning import fact_of
from worlds.core.prose.scan import MARK

__all__ = ["Mask"]

_DIGITS = re.compile(r"[0-9]+(?:st|nd|rd|th)?")


class Mask:
    """Masks the texts of one record; masked texts are in small letters."""

    def __init__(self, world: World, pack: Pack, facts: Sequence[BridgeFact]) -> None:
        options = [option for bridge in world.bridges for option in bridge.options]
        forenames = pack.lists.get("forename", ())
        self._names = _any_of([*pack.lexicon.names, *pack.bystanders, *forenames, *options])
        self._numbers = _any_of(NUMBER_WORDS[1:])
        self._words = {fact_of(b, facts).subject.casefold(): "(whom)" for b in world.bridges}
        for kind in kinds_of(world, pack):
            self._words.update({said.casefold(): masked for said, masked in _words_of(kind)})
        self._lexicon = _any_of(self._words)

    def plain(self, text: str) -> str:
        """The text without marks, names and numbers, in figures or in words."""
        text = MARK.sub("#", text)
        text = self._names.sub("@", text)
        text = self._numbers.sub("0", text)
        return _DIGITS.sub("0", text).casefold()

    def bare(self, plain: str) -> str:
        """A plain skeleton without the words of the lexicon either."""
        return self._lexicon.sub(lambda found: self._words[found[0]], plain)


def _words_of(kind: Kind) -> Iterable[tuple[str, str]]:
    """What a kind is called in each of its forms, once numbers are masked, and what masks it."""
    if isinstance(kind, PersonRole):
        things = ((word, "(thing)") for word in (kind.noun, kind.plural))
        return [*things, *((word, "(did)") for word in (kind.past, kind.done))]
    values = {kind.value.format(n=0, s=s) for s in ("", "s")}
    steps = {step_value(kind).format(n=0, s=s) for s in ("", "s")}
    return [
        *((value, "(at)") for value in sorted(values)),
        *((value, "(step 0)") for value in sorted(steps)),
        (f"{kind.preposition} {kind.occasion}", "(when)"),
        (kind.occasion, "(occasion)"),
        (kind.occasions, "(occasions)"),
        (kind.whole, "(whole)"),
        (kind.subject, "(scale)"),
        (kind.verb, "(stood)"),
        (kind.more, "(more)"),
        (kind.less, "(less)"),
        (kind.step, "(step)"),
        (kind.steps, "(steps)"),
    ]


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    """Any of the words, whole and in any letters; of two that begin alike the longer."""
    longest_first = sorted(set(words), key=lambda word: (-len(word), word))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)
