"""Plain JSON lines: the whole instance as `verify` reads it, or only what a solver may see."""

from __future__ import annotations

from typing import ClassVar

from worlds.core.codec import canonical
from worlds.core.export.base import Export, Options, Sample

__all__ = ["PROMPT_FORMAT", "JsonlExport"]

PROMPT_FORMAT = "enigmaforge.prompt/1"
"""An instance without spans, truth, certificate and fingerprint."""


class JsonlExport(Export):
    """One instance a line, in canonical JSON."""

    name = "jsonl"
    label = "JSON lines"
    stem = "instances"
    turns: ClassVar[int] = 2
    has_whole = True

    def line(self, sample: Sample, options: Options) -> str:
        """The canonical instance; without target its prompt and papers."""
        if sample.whole is not None:
            return sample.whole
        return canonical(
            {
                "format": PROMPT_FORMAT,
                "id": str(sample.id),
                **sample.about,
                "prompt": sample.prompt,
                "documents": list(sample.documents),
            }
        )
