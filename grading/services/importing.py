"""Read a submission's files to the end: each row becomes a record or a row issue.

Every reply goes through `grading.core.records.assess`, whoever wrote it. Rows stream; what is
graded is stored in chunks, each with the job's progress in one short transaction. Killed at any
point, the import starts over, skips the records that are stored and finds the same issues again,
so nothing is double and nothing is lost. If the code has changed meanwhile, it begins anew: one
code grades all records of a submission, and its digest is kept with them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import BinaryIO, cast

from django.db import IntegrityError, transaction
from django.utils import timezone

from grading.core.formats import FileRejected, Row, RowError, Seen, open_upload
from grading.core.formats.plain import plain_row
from grading.core.statuses import Status
from grading.models import Record, Submission, UploadedFile
from grading.services.freezing import grader_sha256
from grading.services.grading import Grader
from grading.services.issues import Issue, IssueLog
from grading.services.names import model_key
from grading.services.roster import Roster
from worlds.core.errors import BadInput

__all__ = ["NothingTaken", "Progress", "import_submission"]

Progress = Callable[[int, str], None]
"""Called with the number of stored records and a note, in the transaction that stores them."""

# What waits to be stored: at most so many rows, so many characters of replies, so many seconds.
_CHUNK_ROWS = 200
_CHUNK_CHARACTERS = 4 * 2**20
_CHUNK_SECONDS = 1.0


class NothingTaken(BadInput):
    """Files without one row that is a reply to their corpus; the issues are stored."""

    def __init__(self, corpus: str, issues: str) -> None:
        super().__init__("files", issues, f"replies to {corpus}")
        self.args = (f"Nothing in the files is a reply to {corpus}: {issues}.",)


def import_submission(
    submission: Submission, *, on_progress: Progress = lambda done, note: None
) -> Submission:
    """Import what is not imported yet; safe to call again after any interruption.

    Raises BadInput, with the issues stored, when no row could be taken; what `on_progress` raises
    passes through.
    """
    if submission.imported is not None:
        return submission
    _claim_for_this_code(submission)
    run = _Import(submission, on_progress)
    for file in submission.files.all():
        run.read(file)
    run.finish()
    return submission


def _claim_for_this_code(submission: Submission) -> None:
    """Note whose grades these are, and drop what other code had graded before it was stopped."""
    if submission.grader_sha256 != grader_sha256():
        with transaction.atomic():
            submission.records.all().delete()
            submission.grader_sha256 = grader_sha256()
            submission.save(update_fields=["grader_sha256"])


@dataclass
class _Import:
    """One pass over the files of a submission."""

    submission: Submission
    on_progress: Progress
    waiting: list[Record] = field(default_factory=list)
    waiting_characters: int = 0
    formats: list[str] = field(default_factory=list)
    models: dict[str, str] = field(default_factory=dict)
    repeated: int = 0

    def __post_init__(self) -> None:
        self.roster = Roster(self.submission.corpus)
        self.grader = Grader(self.submission.corpus)
        self.issues = IssueLog(self.submission)
        self.seen = Seen()
        self.stored = set(self.submission.records.values_list("instance_id", "epoch"))
        self.stored_at = time.monotonic()

    def read(self, file: UploadedFile) -> None:
        """Take every row of one file; a file that cannot be read further is one more issue."""
        try:
            with file.stored.open("rb") as stream:
                upload = open_upload(cast("BinaryIO", stream), name=file.name, seen=self.seen)
                self.formats.append(upload.format)
                for item in upload.rows:
                    self._take(item, file)
                self.repeated += upload.repeated
        except FileRejected as rejected:
            self.issues.add(Issue.of_file(file.name, rejected))

    def finish(self) -> None:
        """Store the rest, then the issues; mark the submission imported if a row was taken."""
        self._store("")
        self.issues.publish()
        submission = self.submission
        with transaction.atomic():
            submission.formats = sorted(set(self.formats))
            submission.stated_models = list(self.models.values())
            submission.repeated = self.repeated
            submission.imported = timezone.now() if self.stored else None
            self.issues.store()
            submission.save()
        if not self.stored:
            raise NothingTaken(submission.corpus.slug, self.issues.summary())

    def _take(self, item: Row | RowError, file: UploadedFile) -> None:
        if isinstance(item, RowError):
            self.issues.add(Issue.of_row(item))
        elif problem := self._problem(item, file.name):
            self.issues.add(problem)
        elif item.status is not Status.MISSING:  # A row that says so is as good as none.
            seat = self.roster[item.sample_id]
            if (seat.instance, item.epoch) not in self.stored:
                self.stored.add((seat.instance, item.epoch))
                self.waiting.append(self.grader.record(item, seat, self.submission, file))
                self.waiting_characters += len(item.completion or "")
        if self._is_due():
            self._store(f"row {item.line} of {file.name}")

    def _is_due(self) -> bool:
        return (
            len(self.waiting) >= _CHUNK_ROWS
            or self.waiting_characters >= _CHUNK_CHARACTERS
            or time.monotonic() - self.stored_at > _CHUNK_SECONDS
        )

    def _problem(self, row: Row, file: str) -> Issue | None:
        """Why a well-formed row cannot be taken into this submission, if so."""
        if row.sample_id not in self.roster:
            expected = self.roster.expected(row.sample_id)
            return Issue(file, row.line, "sample_id", row.sample_id, expected, plain_row(row))
        if row.model:
            first = next(iter(self.models.values()), row.model)
            self.models.setdefault(model_key(first), first)
            if model_key(row.model) not in self.models:
                expected = f"{first}, as in the rows before: one model in one submission"
                return Issue(file, row.line, "model", row.model, expected, plain_row(row))
        return None

    def _store(self, note: str) -> None:
        while True:
            try:
                with transaction.atomic():
                    Record.objects.bulk_create(self.waiting)
                    self.on_progress(len(self.stored), note)
                break
            except IntegrityError:
                # Another process imports the same files. Grading is a function, so its rows are
                # ours; anything else is a fault.
                present = set(self.submission.records.values_list("instance_id", "epoch"))
                ours = [r for r in self.waiting if (r.instance_id, r.epoch) not in present]
                if len(ours) == len(self.waiting):
                    raise
                self.waiting = ours
        self.waiting.clear()
        self.waiting_characters = 0
        self.stored_at = time.monotonic()
