"""Files of replies graded here and now: the same rows, report and numbers as through the page."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.management.base import CommandError, CommandParser

from grading.models import Report, Submission
from grading.services.board import BoardRow, ScoreCell, board_of, entry_of
from grading.services.editions import find_submission, regrade
from grading.services.freezing import freeze_report
from grading.services.importing import import_submission
from grading.services.receiving import add_files, receive_upload
from worlds.core.errors import BadInput
from worlds.management.sentences import SentenceCommand
from worlds.services import find_corpus

__all__ = ["Command"]


class Command(SentenceCommand):
    """`manage.py grade`."""

    help = (
        "Import the replies of one run of a model, grade them, freeze the corpus's report and "
        "print this model's scores from it. All files of a run are given together; the same files "
        "again print the first result. --add-to SUBMISSION adds files that were forgotten, and "
        "--regrade SUBMISSION grades the stored ones by the code at hand; either makes a new "
        "edition and keeps the old one. Exits with 2 when no row could be taken, and with 1 on a "
        "void board."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Files, and whose replies to what they are."""
        parser.add_argument(
            "files",
            nargs="*",
            metavar="FILE",
            help="replies, in a format that the upload page lists",
        )
        parser.add_argument("--corpus", metavar="NAME", help="a complete corpus")
        parser.add_argument("--model", metavar="NAME", help="as on the leaderboard")
        again = parser.add_mutually_exclusive_group()
        number = "the number of a submission, as in its address"
        again.add_argument("--add-to", type=int, metavar="SUBMISSION", help=number)
        again.add_argument("--regrade", type=int, metavar="SUBMISSION", help=number)
        parser.add_argument("--json", action="store_true", help="report in JSON on stdout")

    def handle(self, *_: Any, **options: Any) -> None:
        """Receive, import, freeze, report."""
        submission = import_submission(_asked(options), on_progress=self._tell)
        corpus = submission.corpus
        report = freeze_report(corpus)
        row = entry_of(submission, report)
        if row is None:
            broken = ", ".join(board_of(report).broken)
            raise CommandError(f"the board of {corpus.slug} is void: {broken}; see: controls")
        if options["json"]:
            self.stdout.write(json.dumps(_payload(submission, report, row), ensure_ascii=False))
        else:
            self._print(submission, report, row)

    def _tell(self, done: int, note: str) -> None:
        if note:
            self.stderr.write(f"{done} records: {note}", str)

    def _print(self, submission: Submission, report: Report, row: BoardRow) -> None:
        counts = ", ".join(f"{count} {status}" for status, count in row.statuses if count)
        lines = [
            f"{submission.label} on {submission.corpus.slug}: {row.scored}/{row.expected} scored",
            f"{counts}; rows not taken: {submission.issue_count}",
            f"rank {row.rank}" if row.rank else f"no rank: {row.unranked}",
            *(f"{cell.column.label:<36} {_words(cell)}" for cell in row.cells.values()),
            f"report {report.sha256}",
        ]
        for line in lines:
            self.stdout.write(line)


def _asked(options: dict[str, Any]) -> Submission:
    """The submission that the arguments are about, its files stored; maybe not imported yet."""
    earlier = options["add_to"] if options["regrade"] is None else options["regrade"]
    for name in ("corpus", "model"):
        if (options[name] is None) == (earlier is None):
            told = "nothing: a run keeps its own" if options[name] else "a name"
            raise BadInput(f"--{name}", options[name] or "nothing", told)
    if options["regrade"] is not None:
        if options["files"]:
            raise BadInput("FILE", options["files"][0], "none: the stored ones are graded again")
        return regrade(find_submission(earlier))
    with ExitStack() as opened:
        files = [opened.enter_context(_opened(name)) for name in options["files"]]
        if options["add_to"] is not None:
            return add_files(find_submission(earlier), files=files).submission
        corpus = find_corpus(options["corpus"])
        return receive_upload(corpus, model=options["model"], files=files).submission


def _opened(name: str) -> File[bytes]:
    try:
        return File(Path(name).open("rb"), name=name)
    except OSError as error:
        raise BadInput(name, error.strerror, "a file that can be read") from error


def _payload(submission: Submission, report: Report, row: BoardRow) -> dict[str, Any]:
    entry = next(each for each in report.payload["rows"] if each["key"] == row.key)
    return {
        "corpus": report.payload["corpus"],
        "report_sha256": report.sha256,
        "rows_not_taken": submission.issue_count,
        "result": entry,
    }


def _words(cell: ScoreCell) -> str:
    """A score to the last bit, with its interval."""
    if cell.value is None:
        return f"none: {cell.words}"
    bound = "at least " if cell.is_lower_bound else ""
    interval = "" if cell.low is None else f" [{cell.low!r}, {cell.high!r}]"
    ratio = "" if not cell.bottom else f" ({cell.top}/{cell.bottom})"
    return f"{bound}{cell.value!r}{interval}{ratio}"
