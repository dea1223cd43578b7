"""What people did on a corpus, as the plain rows that the core counts."""

from __future__ import annotations

from grading.core.people import Solved
from grading.models import Attempt, Record
from grading.services.stints import seconds_by_attempt
from worlds.models import Corpus

__all__ = ["solved_by_people"]


def solved_by_people(corpus: Corpus) -> list[Solved]:
    """Every graded attempt on a corpus; three queries."""
    attempts = Attempt.objects.filter(
        participant__corpus=corpus, participant__submission__imported__isnull=False
    ).exclude(submitted=None)
    rows = list(
        attempts.order_by("pk").values_list(
            "pk",
            "participant__label_key",
            "participant__submission",
            "instance",
            "instance__level",
            "instance__condition",
        )
    )
    records = Record.objects.filter(submission__participant__corpus=corpus)
    success = {
        (submission, instance): solved
        for submission, instance, solved in records.values_list(
            "submission", "instance", "task_success"
        )
    }
    seconds = seconds_by_attempt([row[0] for row in rows])
    return [
        Solved(person, level, condition, success[submission, instance], seconds.get(pk, 0))
        for pk, person, submission, instance, level, condition in rows
        if (submission, instance) in success
    ]
