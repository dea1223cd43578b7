"""The stored submissions behind the rows of a report, by what they are called in it."""

from __future__ import annotations

from collections import defaultdict

from django.db.models import Prefetch
from django.urls import reverse

from grading.models import Submission, UploadedFile
from grading.services.freezing import key_of, report_key
from worlds.models import Corpus

__all__ = ["keys_of", "links_of"]


def links_of(corpus: Corpus) -> tuple[tuple[str, str], ...]:
    """The key in a report and the address of each submission that makes a board; one query."""
    names: dict[int, tuple[str, str]] = {}
    files: defaultdict[int, list[str]] = defaultdict(list)
    rows = corpus.submissions.graded().values_list("pk", "kind", "model_key", "files__sha256")
    for pk, kind, model_key, sha256 in rows:
        names[pk] = kind, model_key
        if sha256 is not None:
            files[pk].append(sha256)
    return tuple(
        (key_of(*names[pk], files[pk]), reverse("grading:submission_detail", args=(pk,)))
        for pk in names
    )


def keys_of(corpus: Corpus) -> dict[str, Submission]:
    """The submissions that make a board, by what they are called in a report; two queries.

    They are loaded with their names alone, which is all that a list of solvers shows.
    """
    files = Prefetch("files", UploadedFile.objects.only("sha256"))
    rows = corpus.submissions.graded().only("corpus", "kind", "model", "model_key", "run")
    return {
        report_key(submission, [file.sha256 for file in submission.files.all()]): submission
        for submission in rows.prefetch_related(files)
    }
