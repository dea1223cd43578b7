"""An import takes every good row, names every bad one, and can be interrupted anywhere."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from grading.models import Outcome, Record, Submission
from grading.services.importing import NothingTaken, import_submission
from grading.services.issues import MOST_SHOWN
from grading.services.receiving import add_files, receive_upload
from tests.grading.builders import (
    corpus_of,
    graded,
    line,
    lines,
    openai_line,
    perfect,
    rows_of,
    upload,
    wrong,
)
from tests.grading.core.formats.builders import dumped, log, output, sample, zipped
from worlds.models import Corpus

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def corpus() -> Corpus:
    return corpus_of()


def _received(corpus: Corpus, *contents: bytes) -> Submission:
    files = [upload(content, f"part{n}.jsonl") for n, content in enumerate(contents, start=1)]
    return receive_upload(corpus, model="kestrel", files=files).submission


def _issues(submission: Submission) -> list[tuple[str, int, str]]:
    return list(submission.issues.values_list("file", "line", "field"))


def _rejected(submission: Submission) -> list[dict[str, Any]]:
    with submission.rejected.open("rb") as file:
        return [json.loads(row) for row in file]


def test_perfect_replies_become_records_that_are_right_in_everything(corpus: Corpus) -> None:
    submission = graded(corpus, lines(rows_of(corpus)))
    assert submission.imported is not None
    assert submission.formats == ["plain"]
    counts = submission.records.values_list("n", "stated", "tp", "task_success", "status")
    assert set(counts) == {(8, 8, 8, True, "answered")}
    assert submission.records.count() == 10


def test_a_record_keeps_the_reply_what_was_graded_in_it_and_why_it_is_wrong(corpus: Corpus) -> None:
    row = rows_of(corpus)[0]
    reply = f"Let me think.\n{wrong(row)}"
    record = graded(corpus, line(row, reply)).records.get()
    assert record.completion == reply
    assert record.completion[record.answer_start : record.answer_end] == wrong(row)
    assert (record.tp, record.stated, record.n) == (7, 8, 8)
    assert record.outcome in (Outcome.ACTION, Outcome.WRONG)
    assert record.diagnosis["contradicted"] != []
    assert [v["verdict"] for v in record.grade["verdicts"]].count("wrong") == 1


def test_missing_mass_has_a_status_and_no_grade(corpus: Corpus) -> None:
    first, second, third, *_ = rows_of(corpus)
    submission = graded(
        corpus,
        line(first, None, stop_reason="content_filter")
        + line(second, None, error="HTTP 529 after 5 retries", stop_reason=None)
        + line(third, "no idea"),
    )
    records = submission.records.order_by("line")
    assert [(r.status, r.grade is None, r.outcome) for r in records] == [
        ("filtered", True, None),
        ("failed", True, None),
        ("answered", False, Outcome.UNREADABLE),
    ]
    assert records[1].error == "HTTP 529 after 5 retries"
    assert "content_filter" in records[0].raw_marker


def test_bad_rows_are_named_and_the_good_ones_beside_them_taken(corpus: Corpus) -> None:
    good = rows_of(corpus)
    deep = b'{"sample_id": ' + b"[" * 10_000 + b"]" * 10_000 + b"}"
    content = b"".join(
        [
            lines(good[:1]),
            b"not json\n",
            b'{"sample_id": "x", "completion": "torn\n',
            b'{"sample_id": "a\\u0000b", "completion": ""}\n',
            b'{"completion": "\x00"}\n',
            deep + b"\n",
            b'{"completion": "no id"}\n',
            lines(good[1:]),
        ]
    )
    submission = graded(corpus, content)
    assert submission.records.count() == 10
    assert [each[1] for each in _issues(submission)] == [2, 3, 4, 5, 6, 7]
    assert submission.issue_count == len(_rejected(submission)) == 6
    assert _rejected(submission)[0]["raw"] == "not json"


def test_a_line_of_40_megabytes_is_named_and_costs_only_itself(corpus: Corpus) -> None:
    good = rows_of(corpus)
    content = lines(good[:5]) + line("x", "y" * 40_000_000) + lines(good[5:])
    submission = graded(corpus, content)
    assert submission.records.count() == 10
    assert _issues(submission) == [("part1.jsonl", 6, "row")]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"<!doctype html><title>Sign in</title>", "an HTML page"),
        (b"%PDF-1.7 \xff\xfe", "a PDF document"),
        (b"sample_id,completion\nx,y\n", "a table"),
        (b" \n ", "an empty file"),
    ],
)
def test_a_file_that_is_none_is_named_and_the_file_beside_it_taken(
    corpus: Corpus, content: bytes, found: str
) -> None:
    submission = graded(corpus, content, lines(rows_of(corpus)))
    assert submission.records.count() == 10
    issue = submission.issues.get()
    assert issue.line == 0
    assert found in issue.found


def test_a_gzip_bomb_is_stopped_and_what_came_before_stands(corpus: Corpus) -> None:
    good = rows_of(corpus)
    bomb = gzip.compress(lines(good[:5]) + b" " * 100_000_000)
    submission = graded(corpus, bomb, gzip.compress(lines(good[5:])))
    assert submission.records.count() == 10
    issue = submission.issues.get()
    assert (issue.file, issue.line, issue.field) == ("part1.jsonl", 0, "archive")
    assert "unpacks to more than 200 times" in issue.found


def test_an_upload_without_one_good_row_fails_in_a_sentence_and_lists_its_rows(
    corpus: Corpus,
) -> None:
    submission = _received(corpus, b"".join(line(f"request-{n}", "{}") for n in range(20)))
    with pytest.raises(
        NothingTaken, match=r"a reply to harbour: row 1 of part1.jsonl, .* \(and 19 more\)"
    ):
        import_submission(submission)
    submission.refresh_from_db()
    assert submission.imported is None
    assert submission.records.count() == 0
    assert submission.issue_count == 20


def test_ids_of_another_corpus_are_named_with_it(corpus: Corpus) -> None:
    other = corpus_of("mill", seed=1)
    submission = graded(corpus, lines(rows_of(corpus)[:1]), lines(rows_of(other)[:1]))
    issue = submission.issues.get()
    assert (issue.field, issue.found) == ("sample_id", rows_of(other)[0].sample_id)
    assert issue.expected == (
        f"an id of corpus harbour ({corpus.sha256[:8]}); this one is of mill ({other.sha256[:8]})"
    )


def test_rows_out_of_order_are_joined_by_id(corpus: Corpus) -> None:
    submission = graded(corpus, lines(reversed(rows_of(corpus))))
    assert submission.records.filter(task_success=True).count() == 10


def test_a_second_reply_to_one_instance_is_named_and_never_merged(corpus: Corpus) -> None:
    row = rows_of(corpus)[0]
    submission = graded(corpus, line(row, perfect(row)), line(row, wrong(row)))
    assert submission.records.get().task_success is True
    issue = submission.issues.get()
    assert (issue.file, issue.line) == ("part2.jsonl", 1)
    assert "the one in part1.jsonl, line 1, is kept" in issue.expected


def test_identical_rows_count_once_and_are_told(corpus: Corpus) -> None:
    submission = graded(corpus, lines(rows_of(corpus)), lines(rows_of(corpus)) + b"\n")
    assert (submission.records.count(), submission.repeated) == (10, 10)
    assert submission.issue_count == 0


def test_epochs_of_one_instance_are_records_of_their_own(corpus: Corpus) -> None:
    row = rows_of(corpus)[0]
    content = line(row, perfect(row), epoch=1) + line(row, wrong(row), epoch=2)
    assert sorted(graded(corpus, content).records.values_list("epoch", "tp")) == [(1, 8), (2, 7)]


def test_a_file_of_two_models_is_not_pooled(corpus: Corpus) -> None:
    first, second, third, *_ = rows_of(corpus)
    submission = graded(
        corpus,
        lines([first], model="lab/kestrel")
        + lines([second], model="LAB/Kestrel")
        + lines([third], model="lab/osprey"),
    )
    assert submission.stated_models == ["lab/kestrel"]
    assert submission.records.count() == 2
    issue = submission.issues.get()
    assert (issue.line, issue.field, issue.found) == (3, "model", "lab/osprey")


def test_of_many_bad_rows_the_first_are_listed_and_all_are_counted(corpus: Corpus) -> None:
    submission = graded(corpus, lines(rows_of(corpus)) + b"bad\n" * 250)
    assert submission.issue_count == len(_rejected(submission)) == 250
    assert submission.issues.count() == MOST_SHOWN


def test_rejected_rows_are_mended_and_added_to_their_run(corpus: Corpus) -> None:
    rows = rows_of(corpus)
    openai = openai_line(rows[1], perfect(rows[1])).decode()
    content = (
        line(f"{rows[0].sample_id}x", perfect(rows[0]))
        + openai.replace('"custom_id": "', '"custom_id": "zz').encode()
        + line(rows[2], perfect(rows[2]))[:-20]
        + b"\n"
        + lines(rows[3:])
    )
    first = graded(corpus, content)
    assert (first.records.count(), first.issue_count) == (7, 3)
    mended = []
    for each, row in zip(_rejected(first), rows, strict=False):
        known = each["raw"].replace(f"{row.sample_id}x", row.sample_id)
        each["raw"] = known.replace("zzef1", "ef1")
        if each["field"] == "row":  # What broke off is written anew.
            each["raw"] = line(row, perfect(row)).decode()
        mended.append(json.dumps(each))
    again = add_files(first, files=[upload("\n".join(mended).encode(), "rejected.jsonl")])
    both = import_submission(again.submission)
    assert both.records.filter(task_success=True).count() == 10
    # The first file still has its bad rows.
    assert both.issue_count == 3


def test_rejected_rows_sent_back_as_they_are_say_the_same_again(corpus: Corpus) -> None:
    first = graded(corpus, lines(rows_of(corpus)) + line("elsewhere", "{}") + b"bad\n")
    with first.rejected.open("rb") as file:
        second = _received(corpus, file.read())
    with pytest.raises(NothingTaken):
        import_submission(second)
    assert [each[2] for each in _issues(second)] == ["sample_id", "row"]


def test_importing_again_changes_nothing(corpus: Corpus) -> None:
    submission = graded(corpus, lines(rows_of(corpus)) + b"bad\n")
    records = list(submission.records.values())
    import_submission(submission)
    assert list(submission.records.values()) == records
    assert submission.issues.count() == 1


class _PowerCut(Exception):
    """Whatever ends a process in the middle."""


@pytest.mark.parametrize("chunk", [1, 2, 3])
def test_an_interrupted_import_goes_on_and_nothing_is_double(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr("grading.services.importing._CHUNK_ROWS", 3)
    submission = _received(corpus, b"bad\n" + lines(rows_of(corpus)) + b"bad too\n")
    calls = 0

    def cut(done: int, note: str) -> None:
        nonlocal calls
        calls += 1
        if calls == chunk:
            raise _PowerCut

    with pytest.raises(_PowerCut):
        import_submission(submission, on_progress=cut)
    submission.refresh_from_db()
    assert submission.imported is None
    # The chunk that was cut is not stored: rows and progress are one transaction.
    assert submission.records.count() == 3 * (chunk - 1)

    reached: list[int] = []
    import_submission(submission, on_progress=lambda done, note: reached.append(done))
    assert submission.records.count() == reached[-1] == 10
    assert submission.issue_count == submission.issues.count() == 2
    assert submission.records.filter(task_success=True).count() == 10


def test_long_replies_wait_in_smaller_chunks(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grading.services.importing._CHUNK_CHARACTERS", 10_000)
    rows = rows_of(corpus)
    content = b"".join(line(row, "x" * 4000 + perfect(row)) for row in rows)
    reached: list[int] = []
    import_submission(
        _received(corpus, content), on_progress=lambda done, note: reached.append(done)
    )
    assert reached == [3, 6, 9, 10]


def test_an_inspect_log_gives_the_same_grades_as_plain_rows(corpus: Corpus) -> None:
    rows = rows_of(corpus)
    replies = {row.sample_id: (perfect, wrong)[at % 2](row) for at, row in enumerate(rows)}
    samples = [sample(id=key, output=output(text)) for key, text in replies.items()]
    members = {f"samples/{one['id']}_epoch_1.json": dumped(one) for one in samples}
    contents = {
        "plain": b"".join(line(key, text) for key, text in replies.items()),
        "inspect-json": log(*samples),
        "inspect-eval": zipped({"header.json": dumped({"eval": {}}), **members}, 93),
    }
    grades = []
    for name, content in contents.items():
        submission = graded(corpus, content, model=name)
        assert submission.formats == [name]
        grades.append(list(submission.records.order_by("instance").values_list("grade")))
    assert grades[0] == grades[1] == grades[2]
    assert len(grades[0]) == len(rows)


def test_two_processes_at_one_submission_store_each_record_once(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grading.services.importing._CHUNK_ROWS", 4)
    submission = _received(corpus, lines(rows_of(corpus)))
    overtaken = False

    def overtake(done: int, note: str) -> None:
        nonlocal overtaken
        if not overtaken:
            overtaken = True
            import_submission(Submission.objects.get(pk=submission.pk))

    import_submission(submission, on_progress=overtake)
    assert submission.records.count() == 10


def test_the_database_refuses_a_second_record_for_one_key(corpus: Corpus) -> None:
    record = graded(corpus, lines(rows_of(corpus)[:1])).records.get()
    record.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        record.save()
    assert Record.objects.count() == 1
