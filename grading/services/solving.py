"""People who solve instances: consent, attempts, drafts, and handing an answer in.

An attempt is somebody's own until it is handed in; then it is a reply like any other
(`answering`). Once a person has handed in one surface of a family its truth is shown to them, so
the other surfaces of that family are no longer theirs to solve.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from grading.core.normal import storable
from grading.models import Attempt, Participant
from grading.services.names import clean_model_name, model_key
from grading.services.stints import keep_alive, start_clock, stop_clock
from worlds.core.errors import BadInput
from worlds.models import Corpus, Instance, InstanceQuerySet

__all__ = [
    "CONSENT",
    "MOST_ENTRIES",
    "Entry",
    "find_open",
    "find_participant",
    "hand_in",
    "join",
    "open_attempt",
    "open_instances",
    "pick_instance",
    "problems_of",
    "save_draft",
]

CONSENT = (
    "What you hand in is kept, with your notes and the seconds you worked. It is graded exactly "
    "as the replies of models are.\n"
    "Others see a random label and your results. They see a name only if you give one below. "
    "The database knows which account you use, so that you can go on another day.\n"
    "Your results stand on the leaderboard as those of a person, outside the ranking of models, "
    "and are counted in what people come to at each level.\n"
    "You promise that you have not read the solution of an instance you solve, nor any other "
    "surface of the same world, and that you use no model and no solver. Paper is fine.\n"
    "You can withdraw at any time: everything you did here is then deleted. Reports that were "
    "frozen before keep their numbers."
)
"""What a person agrees to before the first attempt; one paragraph a line."""

MOST_ENTRIES = 250
"""More than any world has marks."""

Entry = tuple[str, str, str]
"""Mark, word and value, as they were typed."""

_LONGEST_PART = 200


def join(corpus: Corpus, user: User, *, name: str = "") -> Participant:
    """Let a person take part who has agreed to `CONSENT`; without a name the label is drawn.

    Raises BadInput for a corpus that is not complete, and for a name that cannot be shown or is
    taken. Somebody who takes part already stays who they are.
    """
    if not corpus.is_complete:
        raise BadInput("corpus", corpus.slug, "a corpus that is complete")
    label = clean_model_name(name) if name.strip() else f"person {secrets.token_hex(3)}"
    try:
        with transaction.atomic():
            return Participant.objects.create(
                corpus=corpus,
                user=user,
                label=label,
                label_key=model_key(label),
                consent_sha256=hashlib.sha256(CONSENT.encode()).hexdigest(),
            )
    except IntegrityError:
        if known := find_participant(corpus, user):
            return known
        raise BadInput("name", label, "a name that nobody else has here") from None


def find_participant(corpus: Corpus, user: User) -> Participant | None:
    """The person as they take part in this corpus, if they do."""
    rows = Participant.objects.select_related("submission", "corpus")
    return rows.filter(corpus=corpus, user=user).first()


def open_instances(participant: Participant) -> InstanceQuerySet:
    """What a person may still begin: no family of which they have handed in a surface."""
    known = participant.attempts.exclude(submitted=None).values("instance__family")
    return participant.corpus.instances.exclude(family__in=known)


def pick_instance(rows: InstanceQuerySet) -> str | None:
    """One of these instances at random, by its id; None if there is none. Three queries."""
    count = rows.count()
    if not count:
        return None
    place = secrets.randbelow(count)
    key = rows.reading_order().values_list("pk", flat=True)[place : place + 1]
    return Instance.objects.filter(pk__in=list(key)).values_list("sample_id", flat=True).first()


def find_open(participant: Participant, sample_id: str) -> Instance | None:
    """An instance that this person may begin, without its truth; its contract is in the prompt."""
    rows = open_instances(participant).filter(contract="inline", sample_id=sample_id)
    return rows.without_truth().first()


def open_attempt(participant: Participant, instance: Instance, *, now: datetime) -> Attempt:
    """Begin an attempt, or take it up where it was, and start its clock."""
    attempt, _ = Attempt.objects.get_or_create(
        participant=participant, instance=instance, defaults={"opened": now, "saved": now}
    )
    start_clock(attempt, now=now)
    return attempt


def save_draft(attempt: Attempt, *, notes: str, entries: Sequence[Entry], now: datetime) -> bool:
    """Keep what was typed, right or wrong, and say whether the clock runs.

    A paused attempt is saved all the same. One that was handed in stays as it is.
    """
    running = keep_alive(attempt, now=now)
    attempt.notes = storable(notes)
    attempt.entries = [[storable(part) for part in entry] for entry in entries[:MOST_ENTRIES]]
    attempt.saved = now
    Attempt.objects.filter(pk=attempt.pk, submitted=None).update(
        notes=attempt.notes, entries=attempt.entries, saved=now
    )
    return running


def problems_of(entries: Sequence[Entry]) -> list[tuple[int, str]]:
    """What keeps the entries from being an answer: the row's number from 1, and a sentence."""
    problems = []
    for number, entry in enumerate(entries, start=1):
        named = list(zip(("mark", "word", "value"), entry, strict=True))
        absent = [name for name, part in named if not part.strip()]
        long = [name for name, part in named if len(part) > _LONGEST_PART]
        if absent:
            problems.append((number, f"Row {number} has no {' and no '.join(absent)}."))
        elif long:
            told = f"at most {_LONGEST_PART} characters"
            problems.append((number, f"Row {number}, {long[0]}: expected {told}."))
    return problems


def hand_in(attempt: Attempt, *, gave_up: bool = False, now: datetime) -> bool:
    """Make an attempt final and stop its clock; False if it was final already."""
    with transaction.atomic():
        done = Attempt.objects.filter(pk=attempt.pk, submitted=None).update(
            submitted=now, gave_up=gave_up
        )
        if done:
            stop_clock(attempt, now=now)
    return bool(done)
