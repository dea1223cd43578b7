"""A stored corpus in the shape of a tool: into a folder, or as a zip archive that is streamed.

Rows are read a few at a time and written as they come, so the memory it takes does not grow with
the corpus. Without target the truth does not even leave the database.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import IO, Any, cast

from worlds.core import GENERATOR_VERSION
from worlds.core.codec import encode_instance
from worlds.core.errors import BadInput
from worlds.core.export import (
    Export,
    ExportedFile,
    Options,
    Origin,
    Sample,
    export_named,
    manifest_text,
    parts,
)
from worlds.core.ids import parse_id
from worlds.core.model import World
from worlds.models import Corpus, Instance
from worlds.services.instances import instance_of, world_of

__all__ = ["CorpusExport", "Written"]

MANIFEST = "manifest.json"

_LOADED_AT_ONCE = 50
_EPOCH = (1980, 1, 1, 0, 0, 0)
_FLUSHED_BYTES = 2**16


@dataclass(frozen=True, slots=True)
class Written:
    """What became of an export into a folder."""

    folder: Path
    files: tuple[ExportedFile, ...]


class CorpusExport:
    """One export of one corpus; raises BadInput for a corpus that is not complete.

    `target` asks for the right answers too; a request to a model never holds them.
    """

    def __init__(
        self, corpus: Corpus, to: str, *, target: bool = True, options: Options | None = None
    ) -> None:
        if not corpus.is_complete:
            raise BadInput("corpus", corpus.slug, "a corpus that is complete")
        self.corpus = corpus
        self.export: Export = export_named(to)
        self.target = target and self.export.has_target
        self.options = options or Options()
        sources = corpus.families.order_by().values_list("source_sha256", flat=True).distinct()
        self.origin = Origin(corpus.slug, corpus.sha256, GENERATOR_VERSION, tuple(sources))

    @property
    def name(self) -> str:
        """What the folder or the archive is called."""
        return self.origin.folder(self.export)

    def write(self, folder: Path) -> Written:
        """Write the files into a folder, which is made; raises BadInput if it holds something."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise BadInput("out", str(folder), "a folder that is empty or not there yet")
            files = _Files()
            for name, chunks in groupby(self._chunks(files), key=itemgetter(0)):
                with (folder / name).open("xb") as file:
                    file.writelines(data for _, data in chunks)
        except OSError as error:
            raise BadInput("out", f"{folder} ({error.strerror})", "a folder to write in") from error
        return Written(folder, tuple(files.closed))

    def zipped(self) -> Iterator[bytes]:
        """The files as one zip archive, piece by piece; the same export gives the same bytes."""
        outbox = _Outbox()
        with zipfile.ZipFile(cast("IO[bytes]", outbox), "w", zipfile.ZIP_DEFLATED) as archive:
            for name, chunks in groupby(self._chunks(_Files()), key=itemgetter(0)):
                info = zipfile.ZipInfo(f"{self.name}/{name}", _EPOCH)
                info.compress_type = zipfile.ZIP_DEFLATED
                with archive.open(info, "w", force_zip64=True) as member:
                    for _, data in chunks:
                        member.write(data)
                        if len(outbox.waiting) >= _FLUSHED_BYTES:
                            yield outbox.take()
        yield outbox.take()

    def _chunks(self, files: _Files) -> Iterator[tuple[str, bytes]]:
        """The bytes of every file by its name, one file after the other, the manifest last."""
        lines = (self.export.line(sample, self.options) for sample in self._samples())
        for part in parts(lines, self.export.limits):
            yield files.add(self.export.part_name(part.number), part.data, samples=1)
        for name, text in self.export.extras(self.origin.slug, self.origin.short_hash).items():
            yield files.add(name, text.encode("utf-8"))
        manifest = manifest_text(
            self.origin, self.export, files.closed, target=self.target, options=self.options
        )
        yield files.add(MANIFEST, manifest.encode("utf-8"))

    def _samples(self) -> Iterator[Sample]:
        """The instances, a few at a time; the world of a family is read once."""
        whole = self.target and self.export.has_whole
        read: tuple[int, World] | None = None
        for row in self._rows(with_certificate=whole):
            if whole and (read is None or read[0] != row.family_id):
                read = (row.family_id, world_of(row.family))
            sample = self._sample(row, encode_instance(instance_of(row, read[1])) if read else None)
            self.export.check(sample)
            yield sample

    def _rows(self, *, with_certificate: bool) -> Iterator[Instance]:
        """The rows in order of family and surface.

        Their keys come first: a database that sorts whole rows keeps all of their texts.
        """
        instances = self.corpus.instances
        in_order = instances.order_by("family__place", "condition", "realization", "sample_id")
        keys = list(in_order.values_list("pk", flat=True))
        found = instances.with_truth() if self.target else instances.without_truth()
        if not with_certificate:
            found = found.defer("family__certificate")
        for start in range(0, len(keys), _LOADED_AT_ONCE):
            few = keys[start : start + _LOADED_AT_ONCE]
            by_key = found.in_bulk(few)
            yield from (by_key[key] for key in few)

    def _sample(self, row: Instance, whole: str | None) -> Sample:
        return Sample(
            id=parse_id(row.sample_id),
            narrator=row.narrator,
            prompt=row.prompt,
            documents=[_without_spans(document) for document in row.documents],
            truth=row.family.truth if self.target else None,
            whole=whole,
        )


@dataclass
class _Files:
    """What was written so far, with a running digest of each file."""

    names: dict[str, _Tally] = field(default_factory=dict)

    def add(self, name: str, data: bytes, samples: int = 0) -> tuple[str, bytes]:
        """Count a piece of a file, and give it back under the name."""
        self.names.setdefault(name, _Tally()).add(data, samples)
        return name, data

    @property
    def closed(self) -> list[ExportedFile]:
        """The files with their digests."""
        return [
            ExportedFile(name, tally.samples, tally.size, tally.digest.hexdigest())
            for name, tally in self.names.items()
        ]


@dataclass
class _Tally:
    samples: int = 0
    size: int = 0
    digest: Any = field(default_factory=hashlib.sha256)

    def add(self, data: bytes, samples: int) -> None:
        self.samples += samples
        self.size += len(data)
        self.digest.update(data)


class _Outbox:
    """A file that can only be written to; what was written waits to be taken."""

    def __init__(self) -> None:
        self.waiting = bytearray()

    def write(self, data: bytes) -> int:
        """Keep the data."""
        self.waiting += data
        return len(data)

    def flush(self) -> None:
        """There is nothing further down."""

    def take(self) -> bytes:
        """What waits; nothing waits after."""
        data = bytes(self.waiting)
        self.waiting.clear()
        return data


def _without_spans(document: dict[str, Any]) -> dict[str, Any]:
    """A document as a reader sees it: where a clause stands is truth."""
    return {key: value for key, value in document.items() if key != "spans"}
