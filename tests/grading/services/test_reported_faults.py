"""Faults that people met with other tools, through the whole path of an upload.

What a single reply or row must come to is tested beside its reader; here a file meets the database,
the report and the pages.
"""

from __future__ import annotations

import csv
import io
import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from grading.models import Submission
from grading.services.freezing import freeze_report
from grading.services.importing import NothingTaken, import_submission
from grading.services.receiving import receive_upload
from tests.grading.builders import corpus_of, graded, line, lines, perfect, rows_of, upload, wrong
from tests.grading.core.formats.builders import log, output, sample
from worlds.models import Corpus
from worlds.services import world_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def corpus() -> Corpus:
    return corpus_of()


def test_hostile_replies_cost_nobody_else_anything(owner_client: Client, corpus: Corpus) -> None:
    """Brackets without end, JSON 5,000 deep, NaN, a NUL, a lone surrogate, beside 45 good ones."""
    rows = rows_of(corpus)
    first = world_of(rows[4].family).variables[0].mark
    hostile = {
        0: "[" * 200_000,
        1: '{"a":' * 5000 + "1" + "}" * 5000,
        2: perfect(rows[2])[:-1] + ', "extra": ' + "[" * 900 + "]" * 900 + "}",
        3: "\0 \ud800 " + perfect(rows[3]),
        4: json.dumps({"answer": [[first, "is", float("nan")], ["X-1", "is", float("inf")]]}),
    }
    content = b"".join(
        json.dumps(
            {
                "sample_id": row.sample_id,
                "epoch": epoch,
                "completion": hostile.get(at, "") if epoch == 1 and at in hostile else perfect(row),
            }
        ).encode()
        + b"\n"
        for epoch in range(1, 6)
        for at, row in enumerate(rows)
    )
    submission = graded(corpus, content)
    records = {r.instance.sample_id: r for r in submission.records.filter(epoch=1)}
    assert submission.records.filter(task_success=True).count() == 47
    assert [records[rows[at].sample_id].task_success for at in (0, 1, 2)] == [False, False, True]
    assert records[rows[1].sample_id].unreadable != ""
    nan = records[rows[4].sample_id]
    assert (nan.tp, nan.stated) == (0, 2)
    json.dumps(nan.grade, allow_nan=False)
    freeze_report(corpus)
    for record in records.values():
        assert owner_client.get(record.get_absolute_url()).status_code == 200
    assert "NaN" not in corpus.reports.get().content


def test_an_answer_in_two_objects_is_not_put_together_and_the_page_says_so(
    owner_client: Client, corpus: Corpus
) -> None:
    row = rows_of(corpus)[0]
    facts, action = json.loads(perfect(row))["answer"][:-1], json.loads(perfect(row))["answer"][-1:]
    reply = f"{json.dumps({'answer': facts})}\n{json.dumps({'answer': action})}"
    record = graded(corpus, line(row, reply)).records.get()
    assert (record.tp, record.action_correct, record.task_success) == (0, True, False)
    page = owner_client.get(record.get_absolute_url()).content.decode()
    assert "1 answer before the graded one" in page


def test_replies_are_never_joined_by_their_place(corpus: Corpus) -> None:
    content = b"".join(
        json.dumps({"custom_id": f"request-{at}", "completion": perfect(row)}).encode() + b"\n"
        for at, row in enumerate(rows_of(corpus))
    )
    submission = receive_upload(corpus, model="kestrel", files=[upload(content)]).submission
    with pytest.raises(NothingTaken):
        import_submission(submission)
    assert submission.records.count() == 0


def test_a_log_that_was_cut_short_is_measured_by_the_corpus(corpus: Corpus) -> None:
    """The log says that its four samples are all there are; the corpus has ten."""
    samples = [sample(id=r.sample_id, output=output(perfect(r))) for r in rows_of(corpus)[:4]]
    content = log(*samples).replace(b'"status": "success"', b'"status": "cancelled"')
    graded(corpus, content.replace(b'"task": "t"', b'"task": "t", "config": {"limit": 4}'))
    (row,) = freeze_report(corpus).payload["rows"]
    assert (row["records"], row["expected"], row["coverage"]) == (4, 10, 40.0)
    assert (row["is_lower_bound"], row["rank"]) == (True, None)


def test_a_smaller_upload_takes_nothing_away(corpus: Corpus) -> None:
    rows = rows_of(corpus)
    first = graded(corpus, lines(rows))
    second = graded(corpus, b"".join(line(row, wrong(row)) for row in rows[:3]))
    assert (first.records.count(), second.records.count()) == (10, 3)
    assert (first.label, second.label) == ("kestrel", "kestrel (2)")
    assert set(Submission.objects.graded()) == {first, second}


def test_scores_in_a_log_are_not_read_and_errors_stay_in_the_denominator(corpus: Corpus) -> None:
    rows = rows_of(corpus)
    samples = [
        sample(id=row.sample_id, output=output(perfect(row)), scores={"s": {"value": score}})
        for row, score in zip(rows[:8], [0, "I", float("nan"), 3.0, "C", 1, 0, 0], strict=True)
    ]
    samples += [
        sample(id=row.sample_id, output={"choices": []}, error={"message": "HTTP 500"})
        for row in rows[8:]
    ]
    graded(corpus, log(*samples))
    (row,) = freeze_report(corpus).payload["rows"]
    assert (row["statuses"]["failed"], row["expected"]) == (2, 10)
    assert row["scores"]["task_success"]["value"] == 80.0
    assert row["scores"]["task_success"]["answered_only"] == 100.0


def test_a_rank_needs_coverage_on_every_surface_of_the_board(
    client: Client, corpus: Corpus
) -> None:
    """Whole, 90 %, 40 % and nothing; also where a condition has no reply at all."""
    rows = rows_of(corpus)
    for model, count in (("whole", 10), ("nine", 9), ("four", 4)):
        graded(corpus, lines(rows[:count]), model=model)
    failed = b"".join(line(row, None, error="HTTP 500", stop_reason=None) for row in rows)
    graded(corpus, failed, model="nothing")
    report = freeze_report(corpus)
    ranked = {row["model"]: row["rank"] is not None for row in report.payload["rows"]}
    assert ranked == {"whole": True, "nine": True, "four": False, "nothing": False}
    told = client.get("/leaderboard/harbour/board.csv").content.decode("utf-8-sig")
    table = csv.DictReader(io.StringIO(told))
    assert {row["solver"]: row["rank"] != "" for row in table} == ranked
    listed = json.loads(client.get("/leaderboard/harbour/board.json").content)["rows"]
    assert {row["solver"]: bool(row["rank"]) for row in listed} == ranked
    sliced = client.get("/leaderboard/harbour/?condition=formal")
    assert sliced.status_code == 200
    assert "no reply was scored" in sliced.content.decode()


def test_every_group_of_any_size_has_a_value_or_a_reason(corpus: Corpus) -> None:
    """All constant, one reply, none; every part of the corpus in one call, without a warning."""
    rows = rows_of(corpus)
    graded(corpus, lines(rows), model="constant")
    graded(corpus, line(rows[0], wrong(rows[0])), model="one")
    graded(corpus, line(rows[0], None, error="HTTP 500", stop_reason=None), model="none")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        payload = freeze_report(corpus).payload
    found = [
        score
        for row in payload["rows"]
        for slices in ({"": {"": row["scores"]}}, row["slices"])
        for parts in slices.values()
        for scores in parts.values()
        for score in scores.values()
    ]
    assert len(found) > 100
    for score in found:
        if "unscored" in score:
            assert score["unscored"]
        else:
            assert score["value"] is not None
            assert score["low"] is not None or score["note"]
