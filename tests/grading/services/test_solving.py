"""People who solve: consent, drafts, the clock, and the same grade as an upload."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from grading.models import Attempt, Participant, Submission
from grading.services import solving
from grading.services.answering import (
    grade_answers,
    receive_answers,
    record_of,
    withdraw,
)
from grading.services.board import board_of
from grading.services.freezing import freeze_report
from grading.services.people import solved_by_people
from grading.services.stints import (
    IDLE,
    is_running,
    keep_alive,
    seconds_by_attempt,
    start_clock,
    stop_clock,
)
from tests.grading.builders import answer, corpus_of, graded, line, rows_of
from worlds.core.errors import BadInput
from worlds.models import Corpus, Instance
from worlds.services import create_corpus, world_of

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def corpus() -> Corpus:
    return corpus_of()


def person(corpus: Corpus, username: str = "ada", name: str = "") -> Participant:
    user, _ = User.objects.get_or_create(username=username)
    return solving.join(corpus, user, name=name)


def at(minutes: float) -> datetime:
    return NOON + timedelta(minutes=minutes)


def seconds(attempt: Attempt) -> int:
    return seconds_by_attempt([attempt.pk]).get(attempt.pk, 0)


def handed_in(
    participant: Participant, row: Instance, entries: Sequence[Sequence[Any]], minutes: float = 5
) -> Attempt:
    attempt = solving.open_attempt(participant, row, now=NOON)
    typed = [(str(m), str(w), str(v)) for m, w, v in entries]
    solving.save_draft(attempt, notes="", entries=typed, now=at(minutes))
    assert solving.hand_in(attempt, now=at(minutes))
    attempt.refresh_from_db()
    return attempt


def truth(row: Instance) -> list[list[Any]]:
    return answer(world_of(row.family))


def test_a_label_is_random_unless_a_name_is_given(corpus: Corpus) -> None:
    ada, ben = person(corpus), person(corpus, "ben", "  Ben \u00a0 K. ")
    assert ada.label.startswith("person ")
    assert "ada" not in ada.label
    assert ben.label == "Ben K."
    assert person(corpus, "ada", "Ada") == ada
    with pytest.raises(BadInput, match="nobody else"):
        person(corpus, "cy", "BEN K.")


def test_nobody_solves_what_is_not_complete() -> None:
    corpus = create_corpus("mill", seed=0, families=1, levels=["L00"], genres=["maritime"])
    with pytest.raises(BadInput, match="complete"):
        person(corpus)


def test_answers_are_graded_as_the_same_answers_uploaded(corpus: Corpus) -> None:
    first, other = rows_of(corpus, "implicit")[0], rows_of(corpus, "implicit")[-1]
    assert first.family != other.family
    ada = person(corpus)
    entries = {first.sample_id: truth(first), other.sample_id: truth(other)[:-1]}
    handed_in(ada, first, entries[first.sample_id])
    handed_in(ada, other, entries[other.sample_id])
    grade_answers(ada)
    upload = graded(
        corpus,
        *[line(row, json.dumps({"answer": entries[row.sample_id]})) for row in (first, other)],
    )
    compared = ("instance", "status", "n", "stated", "tp", "task_success", "grade", "diagnosis")
    assert ada.submission is not None
    mine = list(ada.submission.records.order_by("instance").values(*compared))
    assert mine == list(upload.records.order_by("instance").values(*compared))
    assert [row["task_success"] for row in mine] == [True, False]


def test_a_person_has_one_submission_however_often_they_hand_in(corpus: Corpus) -> None:
    rows = rows_of(corpus, "implicit")
    ada = person(corpus)
    assert grade_answers(ada) is None
    attempt = handed_in(ada, rows[0], truth(rows[0]))
    grade_answers(ada)
    grade_answers(ada)
    handed_in(ada, rows[-1], [])
    grade_answers(ada)
    submission = Submission.objects.get(kind="human")
    assert (submission.label, submission.created_by) == (ada.label, None)
    assert submission.records.count() == 2
    attempt = Attempt.objects.select_related("participant").get(pk=attempt.pk)
    found = record_of(attempt)
    assert found is not None
    assert found.task_success


def test_people_stand_on_the_board_without_a_rank(corpus: Corpus) -> None:
    row = rows_of(corpus, "implicit")[0]
    for username in ("ada", "ben", "cy"):
        who = person(corpus, username)
        handed_in(who, row, truth(row) if username != "cy" else [], minutes=len(username))
        grade_answers(who)
    board = board_of(freeze_report(corpus))
    assert {(line.kind, line.rank) for line in board.rows} == {("human", "")}
    assert board.rows[0].unranked == "a person, shown beside the models"
    assert (board.person_count, board.reference_count, board.model_count) == (3, 0, 0)
    (line,) = board.people
    assert (line.people, line.attempts, line.minutes) == (3, 3, 3.0)
    assert line.success == pytest.approx(66.67, abs=0.01)
    assert line.models is None


def test_two_people_are_told_in_words(corpus: Corpus) -> None:
    row = rows_of(corpus, "implicit")[0]
    for username in ("ada", "ben"):
        who = person(corpus, username)
        handed_in(who, row, truth(row))
        grade_answers(who)
    (line,) = board_of(freeze_report(corpus)).people
    assert (line.words, line.success, line.minutes) == ("fewer than 3 people so far", None, None)


def test_whoever_knows_a_world_is_not_offered_its_other_surfaces(corpus: Corpus) -> None:
    ada, row = person(corpus), rows_of(corpus, "implicit")[0]
    offered = solving.open_instances(ada)
    assert offered.count() == 10
    attempt = solving.open_attempt(ada, row, now=NOON)
    assert offered.count() == 10
    solving.hand_in(attempt, gave_up=True, now=at(1))
    assert set(offered.values_list("family", flat=True)) == {rows_of(corpus)[-1].family_id} - {
        row.family_id
    }
    assert solving.find_open(ada, row.sample_id) is None
    assert solving.open_instances(person(corpus, "ben")).count() == 10
    assert solving.pick_instance(offered) in offered.values_list("sample_id", flat=True)
    assert solving.pick_instance(offered.none()) is None


def test_the_clock_counts_stretches_and_not_the_pauses(corpus: Corpus) -> None:
    ada, row = person(corpus), rows_of(corpus)[0]
    attempt = solving.open_attempt(ada, row, now=NOON)
    stop_clock(attempt, now=at(5))
    assert not is_running(attempt, now=at(6))
    assert not keep_alive(attempt, now=at(7))
    start_clock(attempt, now=at(60))
    start_clock(attempt, now=at(61))
    assert keep_alive(attempt, now=at(70))
    assert seconds(attempt) == 15 * 60
    assert attempt.stints.count() == 2


def test_a_browser_that_closed_without_a_word_stops_the_clock(corpus: Corpus) -> None:
    attempt = solving.open_attempt(person(corpus), rows_of(corpus)[0], now=NOON)
    assert keep_alive(attempt, now=at(10))
    later = at(10) + IDLE + timedelta(seconds=1)
    assert not is_running(attempt, now=later)
    assert not keep_alive(attempt, now=later)
    assert seconds(attempt) == 10 * 60
    start_clock(attempt, now=later)
    stop_clock(attempt, now=later + timedelta(minutes=2))
    assert seconds(attempt) == 12 * 60


def test_a_clock_that_is_set_back_takes_nothing_away(corpus: Corpus) -> None:
    attempt = solving.open_attempt(person(corpus), rows_of(corpus)[0], now=NOON)
    keep_alive(attempt, now=at(10))
    stop_clock(attempt, now=at(3))
    start_clock(attempt, now=at(4))
    stop_clock(attempt, now=at(5))
    assert seconds(attempt) == 10 * 60


def test_one_person_works_on_one_instance_at_a_time(corpus: Corpus) -> None:
    ada = person(corpus)
    first, second = (solving.open_attempt(ada, row, now=NOON) for row in rows_of(corpus)[:2])
    assert not is_running(first, now=at(1))
    assert is_running(second, now=at(1))


def test_a_draft_keeps_what_is_no_answer_yet(corpus: Corpus) -> None:
    attempt = solving.open_attempt(person(corpus), rows_of(corpus)[0], now=NOON)
    entries = [("W-21", "is", ""), ("", "\0", "\ud800")]
    assert solving.save_draft(attempt, notes="a\0b", entries=entries, now=at(1))
    attempt.refresh_from_db()
    assert attempt.notes == "a\ufffdb"
    assert attempt.entries == [["W-21", "is", ""], ["", "\ufffd", "\ufffd"]]
    assert solving.problems_of(entries) == [
        (1, "Row 1 has no value."),
        (2, "Row 2 has no mark."),
    ]
    assert solving.problems_of([("x" * 201, "is", "4")])[0][0] == 1
    assert solving.problems_of([("W-21", "is", "4")]) == []


def test_nothing_changes_what_was_handed_in(corpus: Corpus) -> None:
    row = rows_of(corpus)[0]
    attempt = handed_in(person(corpus), row, [["W-21", "is", "4"]], minutes=3)
    solving.save_draft(attempt, notes="more", entries=[], now=at(9))
    assert not solving.hand_in(attempt, gave_up=True, now=at(9))
    attempt.refresh_from_db()
    assert (attempt.notes, attempt.entries, attempt.gave_up) == ("", [["W-21", "is", "4"]], False)
    assert seconds(attempt) == 180


def test_withdrawing_leaves_nothing_behind(corpus: Corpus, tmp_path: Path) -> None:
    row = rows_of(corpus)[0]
    ada = person(corpus)
    handed_in(ada, row, truth(row))
    grade_answers(ada)
    withdraw(ada)
    assert not Submission.objects.exists()
    assert not Attempt.objects.exists()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert solved_by_people(corpus) == []


def test_grading_somebody_who_withdrew_meanwhile_leaves_no_submission(corpus: Corpus) -> None:
    row = rows_of(corpus)[0]
    ada = person(corpus)
    handed_in(ada, row, truth(row))
    stale = Participant.objects.get(pk=ada.pk)
    attempts = list(stale.attempts.select_related("instance"))
    withdraw(ada)
    with pytest.raises(BadInput, match="withdraw"):
        receive_answers(stale, attempts)
    assert not Submission.objects.exists()
