"""The results artifact of a corpus: computed from what is stored now, or as it was frozen.

To check it, nothing that was computed before is taken over: files are hashed from their bytes, the
corpus from its instances, and the report is built anew from the graded rows. To download it, the
frozen report and the digests noted at the upload are put together, which costs a page's time and
gives the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from grading.core.artifact import StoredFile, build_artifact
from grading.models import UploadedFile
from grading.services.freezing import code_versions, compute_report, latest_report, report_key
from worlds.core.codec import canonical, digest
from worlds.core.errors import BadInput
from worlds.models import Corpus

__all__ = ["artifact_text", "frozen_artifact_text"]

_CHUNK = 2**20


def artifact_text(corpus: Corpus) -> str:
    """The artifact as canonical JSON; the same inputs give the same text.

    Raises BadInput for a corpus that is not complete, and for an uploaded file that is gone.
    """
    if not corpus.is_complete:
        raise BadInput("corpus", corpus.slug, "a corpus that is complete")
    return _text(corpus, compute_report(corpus), _read)


def frozen_artifact_text(corpus: Corpus) -> str:
    """The artifact with the report that the pages show, as canonical JSON.

    Raises BadInput when there is no report, and for one that earlier code froze: its numbers would
    stand beside the digests of other source files.
    """
    report = latest_report(corpus)
    if report is None:
        raise BadInput("report", "none", "a report; the first one is frozen with the controls")
    payload = report.payload
    if payload["versions"] != code_versions():
        told = f"{report.sha256[:8]}, which earlier code froze"
        raise BadInput("report", told, "one of the code at hand; run the controls to freeze it")
    return _text(corpus, payload, lambda file: StoredFile(file.sha256, file.size))


def _text(
    corpus: Corpus, report: Mapping[str, Any], stored: Callable[[UploadedFile], StoredFile]
) -> str:
    instances = dict(corpus.instances.values_list("sample_id", "sha256"))
    files = {}
    for submission in corpus.submissions.graded().prefetch_related("files"):
        each = list(submission.files.all())
        key = report_key(submission, [file.sha256 for file in each])
        files[key] = [stored(file) for file in each]
    return canonical(build_artifact(report, instances, digest(sorted(instances.values())), files))


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
