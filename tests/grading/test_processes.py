"""Processes at one site: a worker killed in the middle, and the same upload at the same moment."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.processes import manage, python, start

ROWS = 4000
_SETTINGS = {"ENIGMAFORGE_JOB_LEASE_SECONDS": "3", "ENIGMAFORGE_JOB_SWEEP_SECONDS": "1"}
# Four thousand replies to ten instances, in as many epochs as that takes, and a bad row among them.
_UPLOAD = f"""
import django; django.setup()
from grading.services.receiving import receive_upload
from grading.tasks import enqueue_import
from tests.grading.builders import line, rows_of, upload, wrong
from worlds.models import Corpus
corpus = Corpus.objects.get()
rows = [(row, wrong(row)) for row in rows_of(corpus)]
epochs = range(1, {ROWS} // len(rows) + 1)
content = b"bad\\n" + b"".join(line(r, w, epoch=n) for n in epochs for r, w in rows)
receipt = receive_upload(corpus, model="kestrel", files=[upload(content)])
enqueue_import(receipt.submission)
"""

_FILE = """
import sys, django; django.setup()
from pathlib import Path
from tests.grading.builders import lines, rows_of
from worlds.models import Corpus
Path(sys.argv[1]).write_bytes(lines(rows_of(Corpus.objects.get())))
"""
# The controls report each reply they write, while another connection writes as well.
_CONTROLS = """
import sqlite3, django; django.setup()
from django.conf import settings
from grading.services import controlling
from worlds.models import Corpus
controlling._BEAT_SECONDS, controlling._LOADED_AT_ONCE = 0, 2
other = sqlite3.connect(settings.DATABASES["default"]["NAME"], isolation_level=None)
write_reply = controlling._Run._reply
def somebody_writes(run, instance):
    other.execute("UPDATE worlds_corpus SET title = ?", (str(instance.id),))
    return write_reply(run, instance)
controlling._Run._reply = somebody_writes
controlling.run_controls(Corpus.objects.get(), again=True)
"""
_RECORDS = (
    "SELECT instance_id, epoch FROM grading_record AS record JOIN grading_submission AS submission "
    "ON submission.id = record.submission_id WHERE submission.kind = 'model'"
)


def _ask(folder: Path, question: str) -> list[Any]:
    with closing(sqlite3.connect(folder / "enigmaforge.sqlite3", timeout=20)) as database:
        return database.execute(question).fetchall()


def _keys(folder: Path) -> list[tuple[int, int]]:
    """Instance and epoch of every record of the model; the controls have records too."""
    return _ask(folder, _RECORDS)


def _job(folder: Path) -> Any:
    question = "SELECT state, done, lease, error FROM jobs_job WHERE kind = 'import_submission'"
    return _ask(folder, question)[0]


def _await(what: Callable[[], bool], log: Path) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if what():
            return
        time.sleep(0.02)
    pytest.fail(f"waited in vain; the worker says:\n{log.read_text()}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A site with a small corpus."""
    manage(tmp_path, "migrate", "--verbosity", "0")
    manage(tmp_path, "forge_corpus", "harbour", "--families", "2", "--levels", "L00")
    return tmp_path


@pytest.fixture
def start_worker(folder: Path) -> Iterator[Callable[[], subprocess.Popen[str]]]:
    workers: list[subprocess.Popen[str]] = []

    def start_one() -> subprocess.Popen[str]:
        with (folder / "worker.log").open("a") as log:
            worker = start(
                folder, "-m", "celery", "-A", "enigmaforge_site", "worker", "-c", "1",
                "--without-gossip", "--without-mingle", "--without-heartbeat",
                settings=_SETTINGS, stdout=log, stderr=log,
            )  # fmt: skip
        workers.append(worker)
        return worker

    yield start_one
    for worker in workers:
        _kill(worker)


def _kill(worker: subprocess.Popen[str]) -> None:
    """Kill a worker and its pool at one blow, as a power cut does."""
    if worker.poll() is None:
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait(10)


@pytest.mark.slow
def test_an_import_goes_on_after_its_worker_was_killed(
    folder: Path, start_worker: Callable[[], subprocess.Popen[str]]
) -> None:
    log = folder / "worker.log"
    python(folder, "-c", _UPLOAD)
    worker = start_worker()
    _await(lambda: len(_keys(folder)) >= 300, log)
    _kill(worker)
    state, done, lease, _ = _job(folder)
    stored = len(_keys(folder))
    assert (state, lease) == ("running", 1)
    # Rows and progress are one transaction: whatever was cut off is in neither.
    assert done == stored < ROWS

    start_worker()
    _await(lambda: _job(folder)[0] in ("done", "failed"), log)
    assert _job(folder) == ("done", ROWS, 2, "")
    assert len(_keys(folder)) == ROWS
    assert len(set(_keys(folder))) == ROWS
    issues = "SELECT max(issue_count) FROM grading_submission"
    assert _ask(folder, issues) == _ask(folder, "SELECT count(*) FROM grading_rowissue") == [(1,)]
    assert _ask(folder, "SELECT count(*) FROM grading_report") != [(0,)]


@pytest.mark.slow
def test_controls_run_while_others_write(folder: Path) -> None:
    python(folder, "-c", _CONTROLS)
    assert _ask(folder, "SELECT DISTINCT passed FROM grading_controlrun WHERE exact") == [(1,)]


@pytest.mark.slow
def test_the_same_file_from_many_processes_at_once_is_one_submission(folder: Path) -> None:
    python(folder, "-c", _FILE, str(folder / "replies.jsonl"))
    arguments = (str(folder / "replies.jsonl"), "--corpus", "harbour", "--model", "kestrel")
    processes = [
        start(
            folder, "manage.py", "grade", *arguments, "--json",
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for _ in range(4)
    ]  # fmt: skip
    told = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0] * 4, told
    assert len({out for out, _ in told}) == 1
    assert len(_keys(folder)) == 10
    assert _ask(folder, "SELECT count(*) FROM grading_submission") == [(1,)]
    assert _ask(folder, "SELECT count(*) FROM grading_uploadedfile") == [(1,)]
    assert _ask(folder, "SELECT count(*) FROM grading_report") == [(1,)]
    assert len(list((folder / "uploads" / "received").glob("*/*"))) == 1
