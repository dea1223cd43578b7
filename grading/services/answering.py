"""What people handed in, graded: written as a plain file, received and imported as an upload.

A person has one submission per corpus. It is made anew with all their answers whenever one is
added, so however often this runs, and wherever it was interrupted, the result is the same.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable

from django.core.files import File

from grading.models import Attempt, Participant, Record, Submission, SubmissionKind
from grading.services.discarding import discard_submission
from grading.services.importing import Progress, import_submission
from grading.services.receiving import receive_upload
from worlds.core.errors import BadInput

__all__ = [
    "answers_file",
    "grade_answers",
    "receive_answers",
    "record_of",
    "withdraw",
]


def grade_answers(
    participant: Participant, *, on_progress: Progress = lambda done, note: None
) -> Submission | None:
    """Grade all that a person handed in; None while that is nothing.

    What is handed in meanwhile is graded too.
    """
    while True:
        attempts = _handed_in(participant)
        if not attempts:
            return participant.submission
        submission = receive_answers(participant, attempts)
        import_submission(submission, on_progress=on_progress)
        if len(_handed_in(participant)) == len(attempts):
            return submission


def receive_answers(participant: Participant, attempts: Iterable[Attempt]) -> Submission:
    """Store the answers as a fresh submission, not yet imported; the earlier one goes.

    Raises BadInput, with nothing stored, for somebody who has withdrawn.
    """
    corpus, kind = participant.corpus, SubmissionKind.HUMAN
    for earlier in corpus.submissions.filter(kind=kind, model_key=participant.label_key):
        discard_submission(earlier)
    file = File(io.BytesIO(answers_file(attempts)), name="answers.jsonl")
    submission = receive_upload(corpus, model=participant.label, files=[file], kind=kind).submission
    if not Participant.objects.filter(pk=participant.pk).update(submission=submission):
        discard_submission(submission)
        raise BadInput("participant", participant.label, "somebody who did not withdraw meanwhile")
    participant.submission = submission
    return submission


def answers_file(attempts: Iterable[Attempt]) -> bytes:
    """The answers as plain JSON lines, as somebody would write them who asked people by letter."""
    rows = (
        {
            "sample_id": attempt.instance.sample_id,
            "answer": attempt.entries,
            "stop_reason": "stop",
        }
        for attempt in attempts
    )
    return b"".join(json.dumps(row, ensure_ascii=False).encode("utf-8") + b"\n" for row in rows)


def record_of(attempt: Attempt) -> Record | None:
    """The graded record of an attempt, if there is one yet."""
    submission = attempt.participant.submission_id
    if submission is None or attempt.submitted is None:
        return None
    rows = Record.objects.select_related("submission", "instance__corpus", "instance__family")
    rows = rows.filter(submission=submission, submission__imported__isnull=False)
    return rows.filter(instance=attempt.instance_id).first()


def withdraw(participant: Participant) -> None:
    """Delete a person with all that they did here."""
    if participant.submission is not None:
        discard_submission(participant.submission)
    participant.delete()


def _handed_in(participant: Participant) -> list[Attempt]:
    rows = participant.attempts.exclude(submitted=None).select_related("instance")
    return list(rows.order_by("instance__sample_id"))
