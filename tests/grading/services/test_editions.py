"""A run graded again: new records beside the old ones, and the board shows the newest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from grading.models import Submission, UploadedFile
from grading.services.discarding import discard_submission
from grading.services.editions import editions_of, is_outdated, regrade
from grading.services.freezing import freeze_report, grader_sha256, latest_report
from grading.services.importing import import_submission
from grading.services.receiving import add_files, receive_upload
from tests.grading.builders import (
    EARLIER,
    corpus_of,
    graded,
    graded_by_earlier_code,
    line,
    lines,
    rows_of,
    upload,
    wrong,
)
from worlds.core.errors import BadInput
from worlds.models import Corpus

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def corpus() -> Corpus:
    return corpus_of()


def _intuition(corpus: Corpus) -> list[float]:
    report = latest_report(corpus)
    assert report is not None
    return [row["scores"]["intuition"]["value"] for row in report.payload["rows"]]


def test_a_regraded_run_has_new_records_and_keeps_the_old_ones(corpus: Corpus) -> None:
    old = graded_by_earlier_code(corpus, lines(rows_of(corpus)))
    first_report = freeze_report(corpus)
    kept = list(old.records.order_by("pk").values())
    assert (is_outdated(old), _intuition(corpus)) == (True, [0.0])

    new = import_submission(regrade(old))
    freeze_report(corpus)
    old.refresh_from_db()
    new.refresh_from_db()
    assert (new.edition, new.run, new.label) == (2, 1, "kestrel")
    assert (new.grader_sha256, is_outdated(new)) == (grader_sha256(), False)
    assert list(old.records.order_by("pk").values()) == kept
    assert old.report == first_report != new.report == latest_report(corpus)
    assert _intuition(corpus) == [100.0]
    assert editions_of(old).shown == editions_of(new).shown == new
    assert (editions_of(old).is_superseded, editions_of(new).is_superseded) == (True, False)
    assert [file.pk for file in new.files.all()] == [file.pk for file in old.files.all()]


def test_a_report_says_which_code_graded_each_row(corpus: Corpus) -> None:
    graded_by_earlier_code(corpus, lines(rows_of(corpus)))
    graded(corpus, lines(rows_of(corpus)), model="osprey")
    rows = freeze_report(corpus).payload["rows"]
    told = {row["model"]: row["grader_sha256"] for row in rows}
    assert told == {"kestrel": EARLIER, "osprey": grader_sha256()}


def test_an_edition_that_is_not_read_to_its_end_replaces_nothing(corpus: Corpus) -> None:
    old = graded_by_earlier_code(corpus, lines(rows_of(corpus)))
    opened = regrade(old)
    assert regrade(old) == regrade(opened) == opened
    assert editions_of(opened).shown == old
    assert list(Submission.objects.graded()) == [old]


def test_what_this_code_has_graded_is_not_graded_again(corpus: Corpus) -> None:
    submission = graded(corpus, lines(rows_of(corpus)))
    with pytest.raises(BadInput, match="kestrel, which this code has graded"):
        regrade(submission)
    assert Submission.objects.count() == 1


def test_an_import_that_newer_code_goes_on_with_begins_anew(corpus: Corpus) -> None:
    content = lines(rows_of(corpus))
    submission = receive_upload(corpus, model="kestrel", files=[upload(content)]).submission
    import_submission(submission)
    submission.records.update(task_success=False)
    Submission.objects.update(grader_sha256=EARLIER, imported=None)
    submission.refresh_from_db()
    import_submission(submission)
    assert submission.records.filter(task_success=True).count() == 10
    assert submission.grader_sha256 == grader_sha256()


def test_a_file_that_was_forgotten_is_added_to_its_run(corpus: Corpus) -> None:
    rows = rows_of(corpus)
    first = graded(corpus, lines(rows[:7]))
    errors = b"".join(line(row, None, error="HTTP 529", stop_reason=None) for row in rows[7:])
    receipt = add_files(first, files=[upload(errors, "errors.jsonl")])
    both = import_submission(receipt.submission)
    assert (receipt.is_new, both.edition, both.run) == (True, 2, 1)
    assert [file.name for file in both.files.all()] == ["part1.jsonl", "errors.jsonl"]
    assert (first.records.count(), both.records.count()) == (7, 10)
    assert both.records.filter(status="failed").count() == 3
    assert [row["records"] for row in freeze_report(corpus).payload["rows"]] == [10]


def test_a_file_that_the_run_has_adds_nothing(corpus: Corpus) -> None:
    content = lines(rows_of(corpus))
    first = graded(corpus, content)
    receipt = add_files(first, files=[upload(content)])
    assert (receipt.is_new, receipt.submission) == (False, first)
    assert Submission.objects.count() == 1


def test_a_file_of_another_run_has_to_be_withdrawn_there_first(corpus: Corpus) -> None:
    rows = rows_of(corpus)
    first = graded(corpus, lines(rows[:7]))
    second = graded(corpus, lines(rows[7:]))
    files = [upload(lines(rows[7:]), "rest.jsonl")]
    with pytest.raises(BadInput, match=r"part1.jsonl, which is in kestrel \(2\)"):
        add_files(first, files=files)
    discard_submission(second)
    assert import_submission(add_files(first, files=files).submission).records.count() == 10


def test_nothing_is_added_to_a_run_that_is_not_graded(corpus: Corpus) -> None:
    opened = receive_upload(corpus, model="kestrel", files=[upload(b"{}")]).submission
    with pytest.raises(BadInput, match="a run that is graded to its end"):
        add_files(opened, files=[upload(b"{ }")])


def test_the_same_file_again_opens_the_newest_edition(corpus: Corpus) -> None:
    content = lines(rows_of(corpus))
    old = graded_by_earlier_code(corpus, content)
    new = import_submission(regrade(old))
    assert receive_upload(corpus, model="Kestrel", files=[upload(content)]).submission == new


def test_a_withdrawn_edition_takes_its_files_and_what_rests_on_them(corpus: Corpus) -> None:
    rows = rows_of(corpus)
    first = graded_by_earlier_code(corpus, lines(rows[:7]))
    added = import_submission(add_files(first, files=[upload(lines(rows[7:]))]).submission)
    Submission.objects.filter(pk=added.pk).update(grader_sha256=EARLIER)
    import_submission(regrade(added))
    assert Submission.objects.count() == 3

    discard_submission(added)
    assert list(Submission.objects.graded()) == [first]
    assert (first.records.count(), UploadedFile.objects.count()) == (7, 1)
    discard_submission(first)
    stored = [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()]
    assert (Submission.objects.count(), stored) == (0, [])


def test_two_runs_have_editions_of_their_own(corpus: Corpus) -> None:
    rows = rows_of(corpus)
    first = graded_by_earlier_code(corpus, lines(rows))
    second = graded(corpus, b"".join(line(row, wrong(row)) for row in rows))
    new = import_submission(regrade(first))
    assert {each.pk for each in Submission.objects.graded()} == {new.pk, second.pk}
    assert new.label == "kestrel"
