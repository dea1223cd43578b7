"""An instance: one world in one surface, with its truth and its certificate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from worlds.core.errors import SpanLost
from worlds.core.ids import InstanceId
from worlds.core.model import World

__all__ = ["Document", "Instance", "Span"]


@dataclass(frozen=True, slots=True)
class Span:
    """Where a unit's clause stands in a text: `start` and `end` count code points."""

    unit: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Document:
    """One paper of a record; its text is NFC with LF line ends."""

    id: str
    number: int
    channel: str
    heading: str
    text: str
    spans: tuple[Span, ...]

    def clause(self, span: Span) -> str:
        """The text of a span of this document; raises SpanLost if it lies outside."""
        if not 0 <= span.start < span.end <= len(self.text):
            raise SpanLost(self.id, span.unit)
        return self.text[span.start : span.end]


@dataclass(frozen=True)
class Instance:
    """What a model receives (`prompt`), and all that is known about it.

    `source_sha256` is the digest of the generator's source and data; `contract` is `inline` or
    `deferred`; `narrator` is `none` for numbered documents and
    `seeded` for a story that the id reproduces; a story told by `chat` comes with its `narration`:
    the model, and the prompts, replies and refusals of every scene.
    """

    id: InstanceId
    world: World
    prompt: str
    documents: tuple[Document, ...]
    certificate: Mapping[str, Any]
    fingerprint: str
    source_sha256: str
    narrator: str = "none"
    narration: Mapping[str, Any] | None = None

    @property
    def contract(self) -> str:
        """Whether the answer contract stands in the prompt or follows in a second turn."""
        return "deferred" if self.id.deferred else "inline"
