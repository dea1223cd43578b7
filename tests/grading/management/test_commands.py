"""`grade`, `controls`, `artifact`: the numbers of the page, exit codes, one line of error."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from grading.models import ControlRun, Submission
from tests.grading.builders import (
    corpus_of,
    falsify,
    graded,
    graded_by_earlier_code,
    line,
    lines,
    rows_of,
    wrong,
)
from worlds.models import Corpus

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def corpus() -> Corpus:
    return corpus_of()


def _run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def _failure(*arguments: str) -> tuple[int, str]:
    with pytest.raises(CommandError) as caught:
        _run(*arguments)
    return caught.value.returncode, str(caught.value)


def _file(folder: Path, content: bytes) -> str:
    path = folder / "replies.jsonl"
    path.write_bytes(content)
    return str(path)


def test_grade_prints_the_numbers_of_the_frozen_report(
    client: Client, corpus: Corpus, tmp_path: Path
) -> None:
    rows = rows_of(corpus)
    content = b"".join(line(row, wrong(row)) for row in rows[:3]) + lines(rows[3:]) + b"bad\n"
    name = _file(tmp_path, content)
    told = json.loads(_run("grade", name, "--corpus", "harbour", "--model", "kestrel", "--json"))
    report = json.loads(client.get("/leaderboard/harbour/report.json").content)
    assert told["result"] == report["rows"][0]
    assert (told["report_sha256"], told["rows_not_taken"]) == (corpus.reports.get().sha256, 1)
    words = _run("grade", name, "--corpus", "harbour", "--model", "kestrel")
    assert repr(report["rows"][0]["scores"]["intuition"]["value"]) in words
    assert "kestrel on harbour: 10/10 scored" in words


def test_grade_gives_the_result_of_the_page(corpus: Corpus, tmp_path: Path) -> None:
    content = lines(rows_of(corpus))
    by_page = graded(corpus, content, model="kestrel")
    _run("grade", _file(tmp_path, content), "--corpus", "harbour", "--model", "Kestrel")
    assert Submission.objects.get() == by_page


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere.jsonl", "--corpus", "harbour", "--model", "m"], "expected a file that can be"),
        (["{file}", "--corpus", "mill", "--model", "m"], "corpus: found 'mill', expected one of"),
        (["{file}", "--corpus", "harbour", "--model", " "], "model: found ' ', expected a name"),
        (["{file}", "--corpus", "harbour", "--model", "m"], "Nothing in the files is a reply to"),
    ],
)
def test_grade_refuses_bad_input_with_a_sentence_and_2(
    corpus: Corpus, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    name = _file(tmp_path, b"<html>")
    code, told = _failure("grade", *[each.format(file=name) for each in arguments])
    assert code == 2
    assert sentence in told
    assert "\n" not in told


def test_controls_prints_each_count_beside_what_it_must_be(corpus: Corpus) -> None:
    table = _run("controls")
    assert corpus.sha256 in table
    solver = next(row for row in table.splitlines() if row.startswith("solver"))
    assert solver.split() == [
        "solver", "exact", "10", "80", "80", "=", "80", "10", "=", "10", "10", "=", "10",
        "10", "=", "10",
    ]  # fmt: skip
    told = json.loads(_run("controls", "harbour", "--json"))
    assert told["void"] is False
    assert all(each["ok"] for each in told["controls"])
    assert told["report_sha256"] == corpus.reports.get().sha256


def test_grade_again_prints_the_new_edition_and_keeps_the_old(corpus: Corpus) -> None:
    old = graded_by_earlier_code(corpus, lines(rows_of(corpus)))
    told = json.loads(_run("grade", "--regrade", str(old.pk), "--json"))
    assert told["result"]["scores"]["intuition"]["value"] == 100.0
    assert not old.records.filter(task_success=True).exists()
    code, sentence = _failure("grade", "--regrade", str(old.pk))
    assert code == 2
    assert "which this code has graded" in sentence


def test_grade_adds_a_file_that_was_forgotten(corpus: Corpus, tmp_path: Path) -> None:
    rows = rows_of(corpus)
    first = graded(corpus, lines(rows[:6]))
    name = _file(tmp_path, lines(rows[6:]))
    told = json.loads(_run("grade", name, "--add-to", str(first.pk), "--json"))
    assert (told["result"]["records"], len(told["result"]["files"])) == (10, 2)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--regrade", "1", "x.jsonl"], "FILE: found 'x.jsonl', expected none"),
        (["--regrade", "1", "--model", "m"], "--model: found 'm', expected nothing"),
        (["--regrade", "999999999999999999999"], "expected the number of a submission"),
        (["x.jsonl", "--model", "m"], "--corpus: found 'nothing', expected a name"),
        (["--corpus", "harbour", "--model", "m"], "files: found 0, expected from 1 to 20 files"),
    ],
)
def test_grade_says_which_argument_does_not_fit(
    corpus: Corpus, arguments: list[str], sentence: str
) -> None:
    code, told = _failure("grade", *arguments)
    assert code == 2
    assert sentence in told


def test_controls_that_are_off_fail_the_command_and_void_the_board(
    corpus: Corpus, tmp_path: Path
) -> None:
    falsify(corpus)
    code, told = _failure("controls", "harbour")
    assert (code, told) == (1, "reader off: the board of harbour is void")
    assert ControlRun.objects.filter(passed=False).count() == 1
    name = _file(tmp_path, lines(rows_of(corpus)))
    code, told = _failure("grade", name, "--corpus", "harbour", "--model", "kestrel")
    assert code == 1
    assert told.startswith("the board of harbour is void: Reader")


def test_controls_without_a_name_need_one_corpus_alone(corpus: Corpus) -> None:
    corpus_of("mill", seed=1)
    code, told = _failure("controls")
    assert (code, told) == (2, "NAME: found '', expected one of harbour, mill")
    assert _failure("controls", "nowhere")[0] == 2


def test_controls_without_any_corpus_say_so() -> None:
    assert _failure("controls") == (
        2,
        "NAME: found '', expected a complete corpus; there is none",
    )


def test_an_artifact_computed_twice_has_the_same_bytes(corpus: Corpus, tmp_path: Path) -> None:
    graded(corpus, lines(rows_of(corpus)[:7]), model="kestrel")
    first = _run("artifact", "harbour")
    assert _run("artifact", "harbour") == first
    kept = tmp_path / "artifact.json"
    kept.write_text(first)
    assert "is the same" in _run("artifact", "harbour", "--check", str(kept))
    (file,) = json.loads(first)["submissions"].values()
    assert file[0]["sha256"] == Submission.objects.get().files.get().sha256


def test_an_artifact_names_what_differs(corpus: Corpus, tmp_path: Path) -> None:
    submission = graded(corpus, lines(rows_of(corpus)), model="kestrel")
    kept = tmp_path / "artifact.json"
    kept.write_text(_run("artifact", "harbour"))
    submission.records.filter(task_success=True).update(task_success=False)
    stored = submission.files.get()
    Path(stored.stored.path).write_bytes(b"{}\n")
    code, sentence = _failure("artifact", "harbour", "--check", str(kept))
    assert (code, sentence.endswith("artifact.json")) == (1, True)
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("artifact", "harbour", check=str(kept), json=True, stdout=out)
    paths = {each["path"]: each for each in json.loads(out.getvalue())["differences"]}
    key = next(path for path in paths if path.startswith("submissions."))
    assert paths[f"{key.rpartition('.')[0]}.size"]["found"] == "3"
    (value,) = [one for path, one in paths.items() if path.endswith(".scores.intuition.value")]
    assert (value["expected"], value["found"]) == ("100.0", "0.0")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"no", "no JSON"),
        (b"{}", "JSON of another kind"),
        (b'{"format": "enigmaforge.artifact/1"}', "written in another form"),
        (b"\xff", "no UTF-8"),
    ],
)
def test_what_is_no_artifact_is_told(
    corpus: Corpus, tmp_path: Path, content: bytes, sentence: str
) -> None:
    path = tmp_path / "artifact.json"
    path.write_bytes(content)
    code, told = _failure("artifact", "harbour", "--check", str(path))
    assert code == 2
    assert sentence in told
