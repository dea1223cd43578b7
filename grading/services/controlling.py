"""Run the controls on a corpus, each through the path of an upload.

A control's replies become a plain JSONL file, the file a submission, its rows records; the counts
over those records are compared with what they must be. A control that the code at hand has run
already is not run again, so an interrupted run goes on where it was.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from typing import IO

from django.core.files import File
from django.db import transaction
from django.utils import timezone

from grading.core.controls import CONTROLS, Control, check_control, majority_control
from grading.models import ControlRun, Submission, SubmissionKind
from grading.services.discarding import discard_submission
from grading.services.freezing import grader_sha256
from grading.services.importing import Progress, import_submission
from grading.services.names import model_key
from grading.services.receiving import receive_upload
from grading.services.rows import graded_rows
from worlds.core.errors import BadInput, EnigmaError
from worlds.core.instance import Instance
from worlds.core.model import World
from worlds.models import Corpus
from worlds.services import in_batches, instance_of, world_of

__all__ = ["run_controls", "steps_of_controls"]

_BEAT_SECONDS = 1.0
_LOADED_AT_ONCE = 50


def steps_of_controls(corpus: Corpus) -> int:
    """How many steps `run_controls` reports: each reply is written once and graded once."""
    return 2 * (len(CONTROLS) + 1) * corpus.instances.count()


def run_controls(
    corpus: Corpus, *, again: bool = False, on_progress: Progress = lambda done, note: None
) -> list[ControlRun]:
    """Run every control that this code has not run on the corpus, or with `again` all of them.

    Raises BadInput for a corpus that is not complete. A control that fails is a result.
    """
    if not corpus.is_complete:
        raise BadInput("corpus", corpus.slug, "a corpus that is complete")
    size = corpus.instances.count()
    runs = []
    for number, control in enumerate((*CONTROLS, majority_control(_instances(corpus)))):
        run = None if again else _current(corpus, control)
        if run is None:
            run = _Run(corpus, control, 2 * number * size, on_progress).result()
        runs.append(run)
    return runs


def _instances(corpus: Corpus) -> Iterator[Instance]:
    """Every instance with its truth, a few at a time; the world of a family is read once."""
    read: tuple[int, World] | None = None
    for row in in_batches(corpus.instances.with_truth(), _LOADED_AT_ONCE):
        if read is None or read[0] != row.family_id:
            read = (row.family_id, world_of(row.family))
        yield instance_of(row, read[1])


def _current(corpus: Corpus, control: Control) -> ControlRun | None:
    return ControlRun.objects.filter(
        corpus=corpus, control=control.name, source_sha256=grader_sha256()
    ).first()


class _Run:
    """One control on one corpus; `start` is the number of steps done before it."""

    def __init__(self, corpus: Corpus, control: Control, start: int, on_progress: Progress) -> None:
        self._corpus, self._control, self._start = corpus, control, start
        self._report = on_progress

    def result(self) -> ControlRun:
        """Write the replies, import them, count, and store what came out."""
        control = self._control
        with tempfile.TemporaryFile() as replies:
            written = self._write(replies)
            submission = self._submission(replies)
        import_submission(
            submission,
            on_progress=lambda done, _: self._step(written + done, "grading the replies"),
        )
        graded = graded_rows(Submission.objects.filter(pk=submission.pk))
        outcome = check_control(control, list(graded.get(submission.pk, ())))
        run, _ = ControlRun.objects.update_or_create(
            corpus=self._corpus,
            control=control.name,
            defaults={
                "label": control.label,
                "exact": control.exact,
                "passed": outcome.ok,
                "expected": dict(outcome.expected),
                "found": dict(outcome.found),
                "source_sha256": grader_sha256(),
                "submission": submission,
                "created": timezone.now(),
            },
        )
        return run

    def _write(self, replies: IO[bytes]) -> int:
        """One line per instance, as somebody would who ran a model; how many there are."""
        written, beat = 0, time.monotonic()
        for instance in _instances(self._corpus):
            reply = {
                "sample_id": str(instance.id),
                "completion": self._reply(instance),
                "model": self._control.name,
                "stop_reason": "stop",
            }
            replies.write(json.dumps(reply, ensure_ascii=False).encode("utf-8") + b"\n")
            written += 1
            if time.monotonic() - beat > _BEAT_SECONDS:
                self._step(written, "writing the replies")
                beat = time.monotonic()
        return written

    def _reply(self, instance: Instance) -> str:
        """What the control replies; one that cannot says why instead, and comes out wrong."""
        try:
            return self._control.reply(instance)
        except EnigmaError as error:
            return f"{type(error).__name__}: {error}"

    def _submission(self, replies: IO[bytes]) -> Submission:
        """A fresh submission for the replies: what an earlier code graded is graded again."""
        name = self._control.name
        kind = SubmissionKind.CONTROL
        earlier = self._corpus.submissions.filter(kind=kind, model_key=model_key(name))
        for submission in earlier:
            discard_submission(submission)
        file = File(replies, name=f"{name}.jsonl")
        return receive_upload(self._corpus, model=name, files=[file], kind=kind).submission

    def _step(self, done: int, note: str) -> None:
        with transaction.atomic():
            self._report(self._start + done, f"{self._control.label}: {note}")
