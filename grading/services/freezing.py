"""Turn the stored rows of a corpus into its frozen report.

Numbers are computed once and kept as bytes; pages read those. Rows are read as plain tuples, never
as objects. What came in while a report was computed is noticed before it is stored, and the report
computed again, so the report confirmed last holds everything that was stored by then.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from django.db import transaction
from django.utils import timezone

from grading.core.controls import ControlResult
from grading.core.report import Submission as Run
from grading.core.report import build_report
from grading.models import ControlRun, Report, Submission, SubmissionKind
from grading.services.people import solved_by_people
from grading.services.rows import denominator_of, graded_rows
from worlds.core import GENERATOR_VERSION
from worlds.core.codec import canonical, digest
from worlds.core.errors import BadInput
from worlds.core.source import source_sha256
from worlds.models import Corpus

__all__ = [
    "code_versions",
    "compute_report",
    "freeze_report",
    "grader_sha256",
    "key_of",
    "latest_report",
    "report_key",
]

_KINDS: Mapping[SubmissionKind, Literal["model", "human", "reference"]] = {
    SubmissionKind.MODEL: "model",
    SubmissionKind.HUMAN: "human",
    SubmissionKind.CONTROL: "reference",
}


def freeze_report(corpus: Corpus) -> Report:
    """Compute the report of a corpus and store it, unless the very same is stored already.

    Raises BadInput for a corpus that is not complete.
    """
    if not corpus.is_complete:
        raise BadInput("corpus", corpus.slug, "a corpus that is complete")
    while True:
        inputs = _inputs(corpus)
        computed = compute_report(corpus)
        content = canonical(computed)
        sha256 = hashlib.sha256(content.encode("utf-8")).hexdigest()
        with transaction.atomic():
            # One writer at a time: SQLite locks at BEGIN, other databases lock the corpus.
            Corpus.objects.select_for_update().get(pk=corpus.pk)
            if _inputs(corpus) == inputs:
                now = timezone.now()
                report, _ = Report.objects.update_or_create(
                    corpus=corpus,
                    sha256=sha256,
                    defaults={"confirmed": now},
                    create_defaults={"content": content, "created": now, "confirmed": now},
                )
                if not computed["void"]:
                    shown = list(corpus.submissions.graded().values_list("pk", flat=True))
                    Submission.objects.filter(pk__in=shown).update(report=report)
                return report


def compute_report(corpus: Corpus) -> dict[str, Any]:
    """The report that the stored rows of a corpus give now; nothing is stored."""
    return build_report(
        denominator_of(corpus),
        _runs(corpus),
        _controls(corpus),
        code_versions(),
        solved_by_people(corpus),
    )


def latest_report(corpus: Corpus) -> Report | None:
    """Return the report that the pages show, if there is one, without its text."""
    return corpus.reports.defer("content").first()


def report_key(submission: Submission, files: Iterable[str]) -> str:
    """What a submission is called inside a report: by solver and content, not by row number."""
    return key_of(submission.kind, submission.model_key, files)


def key_of(kind: str, model_key: str, files: Iterable[str]) -> str:
    """What a submission is called inside a report, from the values that its key is made of."""
    return f"{kind}:{model_key}:{digest(sorted(files))[:12]}"


def code_versions() -> dict[str, str]:
    """The code at hand, as a report names the code that computed it."""
    return {
        "generator": str(GENERATOR_VERSION),
        "worlds_sha256": source_sha256("worlds.core"),
        "grading_sha256": grader_sha256(),
    }


def grader_sha256() -> str:
    """The digest of the code that grades."""
    return source_sha256("grading.core")


def _inputs(corpus: Corpus) -> list[object]:
    """All that a report depends on and that can change, in a form that can be compared."""
    return [
        *corpus.submissions.graded().order_by("pk").values_list("pk", "imported"),
        *corpus.control_runs.order_by("pk").values_list("pk", "created"),
    ]


def _runs(corpus: Corpus) -> list[Run]:
    """What models replied, and the controls that are only reported; an exact one has no score."""
    exact = corpus.control_runs.filter(exact=True).values("submission")
    submissions = corpus.submissions.graded().exclude(pk__in=exact)
    rows = graded_rows(submissions)
    runs = []
    for submission in submissions.prefetch_related("files"):
        files = tuple(sorted(file.sha256 for file in submission.files.all()))
        runs.append(
            Run(
                key=report_key(submission, files),
                model=submission.label,
                kind=_KINDS[SubmissionKind(submission.kind)],
                rows=rows.get(submission.pk, ()),
                files=files,
                grader_sha256=submission.grader_sha256,
            )
        )
    return sorted(runs, key=lambda run: run.key)


def _controls(corpus: Corpus) -> list[ControlResult]:
    return [
        ControlResult(run.control, run.exact, run.passed, run.expected, run.found)
        for run in ControlRun.objects.filter(corpus=corpus).order_by("control")
    ]
