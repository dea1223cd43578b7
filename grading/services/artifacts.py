"""The results artifact of a corpus, computed from what is stored now.

Nothing that was computed before is taken over: files are hashed from their bytes, the corpus from
its instances, and the report is built anew from the graded rows.
"""

from __future__ import annotations

import hashlib

from grading.core.artifact import StoredFile, build_artifact
from grading.models import UploadedFile
from grading.services.freezing import compute_report, report_key
from worlds.core.codec import canonical, digest
from worlds.core.errors import BadInput
from worlds.models import Corpus

__all__ = ["artifact_text"]

_CHUNK = 2**20


def artifact_text(corpus: Corpus) -> str:
    """The artifact as canonical JSON; the same inputs give the same text.

    Raises BadInput for a corpus that is not complete, and for an uploaded file that is gone.
    """
    if not corpus.is_complete:
        raise BadInput("corpus", corpus.slug, "a corpus that is complete")
    instances = dict(corpus.instances.values_list("sample_id", "sha256"))
    return canonical(
        build_artifact(
            compute_report(corpus), instances, digest(sorted(instances.values())), _files(corpus)
        )
    )


def _files(corpus: Corpus) -> dict[str, list[StoredFile]]:
    """What was uploaded, by what its submission is called in a report."""
    files = {}
    for submission in corpus.submissions.graded().prefetch_related("files"):
        stored = list(submission.files.all())
        key = report_key(submission, [file.sha256 for file in stored])
        files[key] = [_read(file) for file in stored]
    return files


def _read(file: UploadedFile) -> StoredFile:
    content, size = hashlib.sha256(), 0
    try:
        with file.stored.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                content.update(chunk)
                size += len(chunk)
    except OSError as error:
        told = f"{file.name}, which cannot be read ({error.strerror})"
        raise BadInput("files", told, "the uploaded file") from error
    return StoredFile(content.hexdigest(), size)
