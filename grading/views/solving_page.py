"""What the pages for people who solve show: the record as a solver gets it, a draft, a clock.

No truth is loaded for an attempt that is not handed in. The marks that a person is offered are
those that stand in the prompt, and nothing else is offered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest

from django.contrib.auth.models import AnonymousUser, User
from django.http import QueryDict
from django.urls import reverse

from enigmaforge_site.jobs.models import Job
from grading.models import Attempt, Participant, Record
from grading.services.answering import record_of
from grading.services.editions import is_outdated
from grading.services.review import Review, review_of
from grading.services.solving import MOST_ENTRIES, Entry
from grading.services.stints import is_running, seconds_by_attempt
from worlds import services
from worlds.models import Corpus, Instance

__all__ = [
    "AttemptLine",
    "Clock",
    "SolvingPage",
    "attempt_lines",
    "crumbs_of",
    "entries_of",
    "whole_entries",
]

_MARK = re.compile(r"\b[A-Z]-[0-9]+\b")
_BLANK_ROWS = 5
_MOST_BLANK_ROWS = 40
_USUAL_WORD = "is"
_LISTED = 200


@dataclass(frozen=True, slots=True)
class Clock:
    """How long somebody worked on an attempt, and whether the time runs."""

    seconds: int
    runs: bool
    saved: datetime | None

    @classmethod
    def of(cls, attempt: Attempt, now: datetime) -> Clock:
        """Read the clock; two queries."""
        seconds = seconds_by_attempt([attempt.pk]).get(attempt.pk, 0)
        return cls(seconds, is_running(attempt, now=now), attempt.saved)

    @property
    def shown(self) -> str:
        """Minutes and seconds, as in 75:03."""
        return f"{self.seconds // 60}:{self.seconds % 60:02d}"

    @property
    def words(self) -> str:
        """The same in words."""
        minutes, seconds = divmod(self.seconds, 60)
        return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


@dataclass(frozen=True, slots=True)
class SolvingPage:
    """An instance for one person: not begun, at work, paused, or handed in."""

    row: Instance
    attempt: Attempt | None
    clock: Clock | None
    preface: str
    papers: tuple[services.Paper, ...]
    coda: str
    entries: tuple[Entry, ...]
    marks: tuple[str, ...]
    problems: tuple[tuple[int, str], ...] = ()
    record: Record | None = None
    review: Review | None = None
    job: Job | None = None
    is_outdated: bool = False

    @classmethod
    def of(
        cls,
        row: Instance,
        attempt: Attempt | None,
        *,
        now: datetime,
        blank: str = "",
        problems: Sequence[tuple[int, str]] = (),
    ) -> SolvingPage:
        """The page; only a running clock or nothing to lose shows the record."""
        documents = services.documents_of(row.documents)
        preface, coda = services.around_papers(row.prompt, documents)
        return cls(
            row=row,
            attempt=attempt,
            clock=Clock.of(attempt, now) if attempt else None,
            preface=preface,
            papers=services.papers_of(documents, story=row.burial is not None),
            coda=coda,
            entries=_padded(attempt, blank) if attempt else (),
            marks=_marks(row.prompt),
            problems=tuple(problems),
        )

    @classmethod
    def of_handed_in(
        cls, attempt: Attempt, user: User | AnonymousUser, now: datetime
    ) -> SolvingPage:
        """The page of an attempt that is final, with its grade as soon as there is one."""
        record = record_of(attempt)
        jobs = Job.objects.visible_to(user).filter(key=attempt.participant.job_key)
        return cls(
            row=attempt.instance,
            attempt=attempt,
            clock=Clock.of(attempt, now),
            preface="",
            papers=(),
            coda="",
            entries=tuple((m, w, v) for m, w, v in attempt.entries),
            marks=(),
            record=record,
            review=review_of(record) if record else None,
            job=jobs.first(),
            is_outdated=record is not None and is_outdated(record.submission),
        )

    @property
    def state(self) -> str:
        """One of new, running, paused and done."""
        if self.attempt is None or self.clock is None:
            return "new"
        if self.attempt.submitted is not None:
            return "done"
        return "running" if self.clock.runs else "paused"

    @property
    def shows_job(self) -> bool:
        """Whether there is grading to watch, or one that ended without a grade."""
        return self.job is not None and (self.job.is_live or self.record is None)

    @property
    def offers_grading(self) -> bool:
        """Whether grading can be asked for: there is no grade, or one by other code."""
        is_live = self.job is not None and self.job.is_live
        return not is_live and (self.record is None or self.is_outdated)

    @property
    def stated(self) -> int:
        """How many entries there are."""
        return len(self.attempt.entries) if self.attempt else 0


@dataclass(frozen=True, slots=True)
class AttemptLine:
    """One of a person's attempts in the list of them."""

    attempt: Attempt
    minutes: float
    record: Record | None


def attempt_lines(participant: Participant) -> list[AttemptLine]:
    """A person's attempts, the newest first; three queries."""
    rows = participant.attempts.select_related("instance").defer(
        "notes", "instance__prompt", "instance__documents"
    )
    attempts = list(rows.order_by("-pk")[:_LISTED])
    seconds = seconds_by_attempt([attempt.pk for attempt in attempts])
    records = _records(participant)
    return [
        AttemptLine(attempt, seconds.get(attempt.pk, 0) / 60, records.get(attempt.instance_id))
        for attempt in attempts
    ]


def crumbs_of(corpus: Corpus, sample_id: str = "") -> list[tuple[str, str]]:
    """The way to a corpus for people who solve, or to one instance of it."""
    start = ("Solve", reverse("grading:solving_list"))
    if not sample_id:
        return [start, (corpus.title, "")]
    link = reverse("grading:solving_corpus", args=(corpus.slug,))
    return [start, (corpus.title, link), (sample_id, "")]


def entries_of(posted: QueryDict) -> list[Entry]:
    """The rows of the form in which something was typed, at most as many as are kept."""
    columns = (posted.getlist(name) for name in ("mark", "word", "value"))
    rows = [
        (mark.strip(), word.strip(), value.strip())
        for mark, word, value in zip_longest(*columns, fillvalue="")
    ]
    typed = [row for row in rows if row[0] or row[2] or row[1] not in ("", _USUAL_WORD)]
    return typed[:MOST_ENTRIES]


def whole_entries(entries: Sequence[Entry]) -> list[Entry]:
    """The entries that state something."""
    return [entry for entry in entries if all(entry)]


def _records(participant: Participant) -> Mapping[int, Record]:
    rows = Record.objects.filter(
        submission=participant.submission_id, submission__imported__isnull=False
    )
    return {record.instance_id: record for record in rows.for_lists()}


def _padded(attempt: Attempt, blank: str) -> tuple[Entry, ...]:
    """The entries and some empty rows; `blank` is how many were asked for."""
    asked = int(blank) if blank.isascii() and blank.isdigit() and len(blank) < 4 else _BLANK_ROWS
    more = min(asked, _MOST_BLANK_ROWS, MOST_ENTRIES - len(attempt.entries))
    typed = tuple((mark, word, value) for mark, word, value in attempt.entries)
    return (*typed, *((("", _USUAL_WORD, ""),) * max(more, 0)))


def _marks(prompt: str) -> tuple[str, ...]:
    """The marks that stand in a prompt, each once."""
    found = set(_MARK.findall(prompt))
    return tuple(sorted(found, key=lambda mark: (mark[0], int(mark[2:]), mark)))
