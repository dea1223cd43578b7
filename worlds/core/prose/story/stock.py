"""Fill the sentences of one story, and keep account of which have been told.

A text comes once; when every text of a list has come, it may come again in other words; the same
sentence comes again only when the whole stock of a story is told.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from worlds.core.packs.model import Pack
from worlds.core.packs.template import Slot, capitalised, compile_template
from worlds.core.prose.variety import Deck
from worlds.core.seeds import Stream

__all__ = ["Stock", "sentences_of"]

_BORDER = re.compile(r"(?<=[.?!]) (?=[A-Z])")


def sentences_of(text: str) -> list[str]:
    """A text as its sentences; each begins with a capital after a full stop."""
    return _BORDER.split(text)


class Stock:
    """Deals the texts of a pack's story; `strangers` are the people met only in passing."""

    def __init__(self, pack: Pack, stream: Stream, strangers: Sequence[str]) -> None:
        self._pack = pack
        self._stream = stream
        self._strangers = tuple(strangers)
        self._deck = Deck(stream)
        self._used: set[str] = set()
        self._said: set[str] = set()

    def fill(self, text: str, words: Mapping[str, str]) -> str:
        """A text with its slots filled; what the scene does not settle is dealt anew."""
        parts = []
        for element in compile_template(text).elements:
            if isinstance(element, Slot):
                parts.append(words.get(element.name) or self._dealt(element.name))
            else:
                parts.append(element)
        return capitalised("".join(parts))

    def stranger(self) -> str:
        """Somebody met in passing; everybody else comes first before he comes again."""
        return self._deck.deal("stranger", self._strangers)

    def left(self, texts: Sequence[str]) -> int:
        """How many of the texts have not come yet."""
        return sum(text not in self._used for text in texts)

    def deal(
        self,
        texts: Sequence[str],
        words: Mapping[str, str],
        *,
        most: int | None = None,
        again: bool = False,
    ) -> list[str] | None:
        """The sentences of a text that brings nothing told before, or None.

        At most so many sentences; with `again`, a text that has come may come in other words.
        """
        for text in self._stream.shuffled(texts):
            if not again and text in self._used:
                continue
            sentences = sentences_of(self.fill(text, words))
            if len(sentences) <= (most or len(sentences)) and self._said.isdisjoint(sentences):
                self._used.add(text)
                self._said.update(sentences)
                return sentences
        return None

    def one(self, texts: Sequence[str], words: Mapping[str, str]) -> str:
        """One of the texts in any case: a new one, else one in other words, else any."""
        dealt = self.deal(texts, words) or self.deal(texts, words, again=True)
        return " ".join(dealt) if dealt else self.fill(self._stream.choice(texts), words)

    def some(self, texts: Collection[str], words: Mapping[str, str], count: int) -> list[str]:
        """Up to so many of the texts, each once and none told before."""
        found: list[str] = []
        while len(found) < count and (dealt := self.deal(tuple(texts), words, most=1)):
            found += dealt
        return found

    def begin_again(self) -> None:
        """Forget what has been told: the story is longer than the stock."""
        self._used.clear()
        self._said.clear()

    def _dealt(self, name: str) -> str:
        if name == "local":
            return self.stranger()
        items = self._pack.story.words.get(name) or self._pack.lists.get(name, ())
        return self._deck.deal(f"word {name}", items)
