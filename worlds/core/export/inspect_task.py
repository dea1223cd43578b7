"""A data set of Inspect, and a task that grades it as EnigmaForge does.

`id` is the sample id, which Inspect's logs give back. The task is kept as text and copied: it
imports Inspect, which is not installed here, and the grading, which nothing in worlds may import.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import ClassVar

from worlds.core.codec import canonical
from worlds.core.export.base import Export, Options, Sample
from worlds.core.prose.conditions import CONTRACT

__all__ = ["TASK_FILE", "InspectExport"]

TASK_FILE = "enigmaforge_task.py"


class InspectExport(Export):
    """Samples with `id`, `input`, `target` and `metadata`; the truth stands in the metadata."""

    name = "inspect"
    label = "Inspect task"
    stem = "dataset"
    turns: ClassVar[int] = 2

    def line(self, sample: Sample, options: Options) -> str:
        """One sample of the data set."""
        metadata = dict(sample.about)
        if sample.contract == "deferred":
            metadata["second_turn"] = CONTRACT
        if sample.truth is not None:
            metadata["truth"] = sample.truth
        return canonical(
            {
                "id": str(sample.id),
                "input": sample.prompt,
                "target": sample.target or "",
                "metadata": metadata,
            }
        )

    def extras(self, slug: str, short_hash: str) -> Mapping[str, str]:
        """The task file."""
        text = files("worlds.core.export").joinpath("enigmaforge_task.txt")
        return {TASK_FILE: text.read_text(encoding="utf-8")}
