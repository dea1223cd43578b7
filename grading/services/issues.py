"""The rows that could not be taken: all of them in a file, the first of them in the database.

A log is written anew by every pass over the files, and replaces the last one's when it is
complete; so an import that was interrupted leaves no half list behind.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path

from django.conf import settings

from grading.core.formats import FileRejected, RowError
from grading.models import RowIssue, Submission

__all__ = ["MOST_LISTED", "MOST_SHOWN", "Issue", "IssueLog"]

MOST_SHOWN = 100
MOST_LISTED = 200_000

_FOLDER = "rejected"


@dataclass(frozen=True, slots=True)
class Issue:
    """One row, or with line 0 one file, that could not be taken."""

    file: str
    line: int
    field: str
    found: str
    expected: str
    raw: str = ""

    @classmethod
    def of_row(cls, error: RowError) -> Issue:
        """The issue of a row that is not of its format, with the row itself."""
        return cls(error.file, error.line, error.field, error.found, error.expected, error.raw)

    @classmethod
    def of_file(cls, name: str, rejected: FileRejected) -> Issue:
        """The issue of a file that cannot be read, or not to its end."""
        field = "file" if rejected.field == name else rejected.field
        return cls(name, 0, field, str(rejected.found), rejected.expected)

    def __str__(self) -> str:
        where = f"row {self.line} of {self.file}" if self.line else self.file
        return f"{where}, {self.field}: found {_cut(self.found, 60)}, expected {self.expected}"


class IssueLog:
    """Collects issues: counts all, lists at most `MOST_LISTED`, shows at most `MOST_SHOWN`."""

    def __init__(self, submission: Submission) -> None:
        self._submission = submission
        self._first: list[Issue] = []
        self.count = 0
        # It has no name until it is complete, so whatever ends this process ends it too.
        self._file = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - closed in `publish`

    def add(self, issue: Issue) -> None:
        """Take one more issue."""
        self.count += 1
        if self.count <= MOST_SHOWN:
            self._first.append(issue)
        if self.count <= MOST_LISTED:
            self._file.write(json.dumps(asdict(issue), ensure_ascii=False) + "\n")

    def publish(self) -> None:
        """Complete the file under its final name, or leave none if there is no issue."""
        self._submission.rejected.name = ""
        folder = Path(settings.MEDIA_ROOT) / _FOLDER
        final = folder / f"{self._submission.pk}.jsonl"
        if self.count:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            part = final.with_suffix(f".{uuid.uuid4().hex}.part")
            self._file.seek(0)
            with part.open("w", encoding="utf-8") as target:
                shutil.copyfileobj(self._file, target)
            part.replace(final)
            self._submission.rejected.name = f"{_FOLDER}/{final.name}"
        else:
            final.unlink(missing_ok=True)
        self._file.close()

    def store(self) -> None:
        """Replace the submission's issues by these; the caller saves the submission."""
        self._submission.issue_count = self.count
        self._submission.issues.all().delete()
        RowIssue.objects.bulk_create(
            RowIssue(
                submission=self._submission,
                file=issue.file,
                line=issue.line,
                field=_cut(issue.field, 120),
                found=_cut(issue.found, 300),
                expected=_cut(issue.expected, 500),
            )
            for issue in self._first
        )

    def summary(self) -> str:
        """The issues in a few words, for the one line that a failed job shows."""
        if not self._first:
            return "there is no row in them"
        more = f" (and {self.count - 1} more)" if self.count > 1 else ""
        return f"{self._first[0]}{more}"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
