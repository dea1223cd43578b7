"""The one path from a reply to its grade; the page, the command and the controls all take it."""

from __future__ import annotations

from dataclasses import dataclass

from grading.core.answers import Reading, read_answer
from grading.core.score import AnswerKey, Grade, grade
from grading.core.statuses import Status

__all__ = ["Assessment", "GradedRow", "assess"]


@dataclass(frozen=True, slots=True)
class Assessment:
    """What became of one reply; missing mass has neither reading nor grade."""

    status: Status
    stop_unknown: bool
    reading: Reading | None
    grade: Grade | None


@dataclass(frozen=True, slots=True)
class GradedRow:
    """The counts of one record: all that scores over a corpus are made of."""

    sample_id: str
    epoch: int
    status: Status
    stop_unknown: bool = False
    n: int = 0
    stated: int = 0
    tp: int = 0
    world_exact: bool = False
    action_correct: bool = False
    policy_consistent: bool | None = None
    task_success: bool = False

    @classmethod
    def of(cls, sample_id: str, epoch: int, assessment: Assessment) -> GradedRow:
        """The counts of an assessment; missing mass has none."""
        found = assessment.grade
        if found is None:
            return cls(sample_id, epoch, assessment.status, assessment.stop_unknown)
        return cls(
            sample_id=sample_id,
            epoch=epoch,
            status=assessment.status,
            stop_unknown=assessment.stop_unknown,
            n=found.facts.n,
            stated=found.facts.stated,
            tp=found.facts.tp,
            world_exact=found.world_exact,
            action_correct=found.action_correct,
            policy_consistent=found.policy_consistent,
            task_success=found.task_success,
        )


def assess(
    key: AnswerKey,
    completion: str | None,
    status: Status = Status.ANSWERED,
    stop_unknown: bool = False,
) -> Assessment:
    """Read and grade one reply.

    Where the file says nothing about how the model stopped, a reply that ends inside its reasoning
    is truncated: that is inferred, so `stop_unknown` stays. A reply that was refused, filtered or
    failed is never graded, whatever text came with it.
    """
    if not status.is_scored:
        return Assessment(status, stop_unknown, None, None)
    reading = read_answer(completion or "")
    if status is Status.ANSWERED and stop_unknown and reading.unclosed_reasoning:
        status = Status.TRUNCATED
    return Assessment(status, stop_unknown, reading, grade(key, reading))
