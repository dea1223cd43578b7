"""The manifest of an export: which corpus it is, what made it, and a digest of every file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from worlds.core.codec import canonical
from worlds.core.export.base import Export, Options

__all__ = ["FORMAT", "ExportedFile", "Origin", "manifest_text"]

FORMAT = "enigmaforge.export/1"


@dataclass(frozen=True, slots=True)
class Origin:
    """The corpus that is exported, and the generator that made it.

    `sources` are the digests of the code that forged its families: one, unless it changed between.
    """

    slug: str
    sha256: str
    generator_version: int
    sources: tuple[str, ...]

    @property
    def short_hash(self) -> str:
        """What every export carries in its name: the first 8 digits of the corpus hash."""
        return self.sha256[:8]

    def folder(self, export: Export) -> str:
        """What the export is called."""
        return f"{self.slug}-{self.short_hash}-{export.name}"


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """One file of an export; `samples` is how many it holds, 0 for one that holds none."""

    name: str
    samples: int
    bytes: int
    sha256: str


def manifest_text(
    origin: Origin,
    export: Export,
    files: Iterable[ExportedFile],
    *,
    target: bool,
    options: Options,
) -> str:
    """The manifest as canonical JSON with a line end; the same export has the same one."""
    listed = sorted(files, key=lambda file: file.name)
    return (
        canonical(
            {
                "format": FORMAT,
                "to": export.name,
                "target": target,
                "corpus": {
                    "name": origin.slug,
                    "sha256": origin.sha256,
                    "short_hash": origin.short_hash,
                },
                "generator": {
                    "version": origin.generator_version,
                    "source_sha256": sorted(origin.sources),
                },
                "samples": sum(file.samples for file in listed),
                "request": {"model": options.model, "max_tokens": options.max_tokens}
                if not export.has_target
                else None,
                "files": [
                    {
                        "name": file.name,
                        "samples": file.samples,
                        "bytes": file.bytes,
                        "sha256": file.sha256,
                    }
                    for file in listed
                ],
            }
        )
        + "\n"
    )
