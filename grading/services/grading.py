"""From a row to a record: the one place where a reply is graded for storage."""

from __future__ import annotations

from grading.core.answers import Answer, Unreadable
from grading.core.diagnose import diagnose
from grading.core.formats import Row
from grading.core.records import Assessment, GradedRow, assess
from grading.core.score import AnswerKey
from grading.models import Record, Submission, UploadedFile
from grading.services.keys import Keys
from grading.services.roster import Seat
from worlds.models import Corpus

__all__ = ["Grader"]


class Grader:
    """Grades replies to a corpus."""

    def __init__(self, corpus: Corpus) -> None:
        self._keys = Keys(corpus)

    def record(self, row: Row, seat: Seat, submission: Submission, file: UploadedFile) -> Record:
        """The record of a row, not stored yet."""
        key = self._keys[seat.family]
        graded = assess(key, row.completion, row.status, row.stop_unknown)
        record = Record(
            submission_id=submission.pk,
            instance_id=seat.instance,
            epoch=row.epoch,
            file_id=file.pk,
            line=row.line,
            raw_marker=row.raw_marker[:200],
            completion=row.completion or "",
            error=row.error or "",
            input_tokens=row.usage.input_tokens if row.usage else None,
            output_tokens=row.usage.output_tokens if row.usage else None,
        )
        _fill(record, GradedRow.of(row.sample_id, row.epoch, graded))
        _explain(record, key, graded)
        return record


def _fill(record: Record, counts: GradedRow) -> None:
    """Copy what is counted into the columns of the same names."""
    record.status = counts.status.value
    record.stop_unknown = counts.stop_unknown
    record.n, record.stated, record.tp = counts.n, counts.stated, counts.tp
    record.world_exact = counts.world_exact
    record.action_correct = counts.action_correct
    record.policy_consistent = counts.policy_consistent
    record.task_success = counts.task_success


def _explain(record: Record, key: AnswerKey, graded: Assessment) -> None:
    """Keep what was graded, each verdict and the findings; missing mass has none of them."""
    match graded.reading:
        case Answer(start=start, end=end):
            record.answer_start, record.answer_end = start, end
        case Unreadable():
            record.unreadable = graded.reading.detail
    if graded.grade is not None:
        record.grade = graded.grade.payload()
        if isinstance(graded.reading, Answer) and graded.reading.earlier:
            record.grade = {**record.grade, "earlier": graded.reading.earlier}
        record.diagnosis = diagnose(key, graded.grade).payload()
