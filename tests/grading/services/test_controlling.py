"""The controls: through the path of an upload, compared with ==, resumable, voiding a board."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grading.core.controls import CONTROLS, EXPECTED
from grading.models import ControlRun, Submission, SubmissionKind
from grading.services.controlling import run_controls, steps_of_controls
from grading.services.freezing import freeze_report
from tests.grading.builders import corpus_of, falsify, rows_of
from worlds.core.errors import BadInput
from worlds.models import Corpus
from worlds.services import create_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


def _run(corpus: Corpus, name: str) -> ControlRun:
    return ControlRun.objects.get(corpus=corpus, control=name)


def test_every_control_runs_and_the_exact_ones_come_out_exactly() -> None:
    corpus = corpus_of()
    reached: list[int] = []
    runs = run_controls(corpus, on_progress=lambda done, note: reached.append(done))
    assert {run.control for run in runs} == {c.name for c in CONTROLS} | {"majority"}
    assert [run.control for run in runs if not run.passed] == []
    assert {run.control for run in runs if run.exact} == set(EXPECTED)
    assert (_run(corpus, "reader").found["successes"], _run(corpus, "copier").found["right"]) == (
        10,
        0,
    )
    assert reached == sorted(reached)
    assert reached[-1] == steps_of_controls(corpus)


def test_a_control_is_a_submission_like_any_other() -> None:
    corpus = corpus_of()
    run_controls(corpus)
    run = _run(corpus, "provisional")
    assert run.submission is not None
    assert run.submission.kind == SubmissionKind.CONTROL
    assert set(run.submission.records.values_list("tp", "action_correct")) == {(8, False)}
    kinds = run.submission.records.values_list("diagnosis", flat=True)
    assert {each["findings"][-1]["kind"] for each in kinds} == {"followed-provisional"}


def test_controls_that_this_code_has_run_are_not_run_again() -> None:
    corpus = corpus_of()
    first = run_controls(corpus)
    second = run_controls(corpus)
    assert [(run.pk, run.created) for run in first] == [(run.pk, run.created) for run in second]


def test_controls_run_by_other_code_are_run_again_and_replaced() -> None:
    corpus = corpus_of()
    run_controls(corpus)
    old = _run(corpus, "solver")
    ControlRun.objects.filter(pk=old.pk).update(source_sha256="another")
    run_controls(corpus)
    new = _run(corpus, "solver")
    assert (new.pk, new.passed) == (old.pk, True)
    assert new.submission_id != old.submission_id
    assert Submission.objects.filter(model="solver").count() == 1


def test_an_interrupted_run_goes_on_with_the_control_it_was_at() -> None:
    corpus = corpus_of()

    class PowerCut(Exception):
        pass

    def cut(done: int, note: str) -> None:
        if done > 4 * 10:
            raise PowerCut

    with pytest.raises(PowerCut):
        run_controls(corpus, on_progress=cut)
    stored = ControlRun.objects.values_list("control", "created")
    assert [control for control, _ in stored] == ["solver", "reader"]
    before = dict(stored)
    run_controls(corpus)
    assert ControlRun.objects.filter(passed=True).count() == len(CONTROLS) + 1
    assert Submission.objects.count() == len(CONTROLS) + 1
    assert _run(corpus, "solver").created == before["solver"]


def test_a_control_that_fails_is_a_result_and_voids_the_report() -> None:
    corpus = corpus_of()
    run_controls(corpus)
    assert freeze_report(corpus).payload["void"] is False
    # The reader, who sees the prompt alone, finds out.
    falsify(corpus)
    run_controls(corpus, again=True)
    assert (_run(corpus, "reader").passed, _run(corpus, "solver").passed) == (False, True)
    payload = freeze_report(corpus).payload
    assert (payload["void"], payload["rows"]) == (True, [])
    assert payload["controls"]["broken"] == ["reader"]


def test_controls_need_a_complete_corpus() -> None:
    corpus = create_corpus("young", seed=0, families=1, levels=["L00"], genres=["maritime"])
    with pytest.raises(BadInput, match="expected a corpus that is complete"):
        run_controls(corpus)


def test_a_control_that_cannot_reply_is_off_and_its_record_says_why() -> None:
    corpus = corpus_of()
    row = rows_of(corpus, "implicit")[0]
    row.prompt = "Nothing that could be read back."
    row.save()
    run_controls(corpus)
    reader = _run(corpus, "reader")
    assert (reader.passed, reader.found["successes"]) == (False, 9)
    assert reader.submission is not None
    said = reader.submission.records.get(instance=row).completion
    assert said.startswith("Unreadable: ")
