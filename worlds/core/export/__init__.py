"""A corpus in the shapes that other people's tools read, and the manifest that goes with it.

A tool is one file here and one line in `EXPORTS`: a name, the most that one of its files may hold,
and a function from one sample to one line. Every line carries the sample id where the tool gives it
back, so that replies find their instance again. Nothing here reads rows or writes files.
"""

from __future__ import annotations

from worlds.core.errors import BadInput
from worlds.core.export.anthropic_batch import AnthropicBatchExport
from worlds.core.export.base import Export, Limits, Options, Sample
from worlds.core.export.inspect_task import InspectExport
from worlds.core.export.jsonl import JsonlExport
from worlds.core.export.lm_eval import LmEvalExport
from worlds.core.export.manifest import FORMAT, ExportedFile, Origin, manifest_text
from worlds.core.export.openai_batch import OpenAIBatchExport
from worlds.core.export.parts import Part, parts

__all__ = [
    "EXPORTS",
    "FORMAT",
    "Export",
    "ExportedFile",
    "Limits",
    "Options",
    "Origin",
    "Part",
    "Sample",
    "export_named",
    "manifest_text",
    "parts",
]

EXPORTS: tuple[Export, ...] = (
    JsonlExport(),
    InspectExport(),
    LmEvalExport(),
    OpenAIBatchExport(),
    AnthropicBatchExport(),
)


def export_named(name: str) -> Export:
    """The export of that name; raises BadInput that names those there are."""
    for export in EXPORTS:
        if export.name == name:
            return export
    raise BadInput("to", name, " or ".join(export.name for export in EXPORTS))
