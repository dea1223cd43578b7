"""Draw wordings and colour so that nothing comes round again while something else is unused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeVar

from worlds.core.errors import Unrenderable
from worlds.core.seeds import Stream

__all__ = ["Deck", "Spread"]

T = TypeVar("T")


class Spread:
    """Chooses among options, the least used first; `key` says what counts as the same."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._used: Counter[str] = Counter()

    def choose(self, options: Sequence[T], keys: Sequence[str]) -> T:
        """One of the options whose key was used least, each equally likely; and count it."""
        least = min(self._used[key] for key in keys)
        fresh = [i for i, key in enumerate(keys) if self._used[key] == least]
        chosen = self._stream.choice(fresh)
        self._used[keys[chosen]] += 1
        return options[chosen]


class Deck:
    """Deals the items of named lists in random order; a list is shuffled anew when it is out."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._left: dict[str, list[Any]] = {}

    def deal(self, name: str, items: Sequence[T]) -> T:
        """The next item of the list called `name`; raises Unrenderable for an empty one."""
        if not items:
            raise Unrenderable(f"the pack has no {name}")
        left = self._left.get(name)
        if not left:
            left = self._left[name] = list(self._stream.shuffled(items))
        chosen: T = left.pop()
        return chosen
