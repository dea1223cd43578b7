"""What every format has in common, where it does not say otherwise."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar

from grading.core.formats.rows import Row
from grading.core.formats.source import Layout, Source
from grading.core.formats.stream import Piece

__all__ = ["Format"]


class Format(ABC):
    """A way in which files hold replies, one JSON object each.

    `name` is the word for it in data, `label` those on a page; `layouts` says what its files look
    like from outside, and `matches` what the keys of their first objects are. `id_field` is where
    an object holds the sample id: replies are joined by it, never by their place.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    id_field: ClassVar[str]
    layouts: ClassVar[tuple[Layout, ...]]

    @abstractmethod
    def matches(self, keys: frozenset[str]) -> bool:
        """Whether an object with these keys belongs to this format."""

    @abstractmethod
    def row(self, record: dict[str, Any], line: int) -> Row:
        """The row that an object holds; raises Malformed that names the field."""

    def pieces(self, source: Source) -> Iterator[Piece]:
        """The bytes of the objects that are rows."""
        return source.pieces()

    def opened(self, source: Source) -> Format:
        """The format as it reads this one file, where rows depend on what the file says first."""
        return self
