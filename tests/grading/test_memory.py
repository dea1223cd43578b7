"""A large upload takes no more memory in its middle than at its start, and little of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.processes import manage, python

_ROWS, _BYTES = 12_000, 5_000
# Sixty megabytes of replies to ten instances, in as many epochs as that takes.
_WRITE = f"""
import sys, django; django.setup()
from tests.grading.builders import line, perfect, rows_of, wrong
from worlds.models import Corpus
rows = [(row, wrong(row)) for row in rows_of(Corpus.objects.get())]
with open(sys.argv[1], "wb") as file:
    for epoch in range(1, {_ROWS} // len(rows) + 1):
        for row, reply in rows:
            file.write(line(row, " " * ({_BYTES} - len(reply)) + reply, epoch=epoch))
"""
_IMPORT = """
import json, sys, django; django.setup()
from django.core.files import File
from django.db import connection
from grading.services.importing import import_submission
from grading.services.receiving import receive_upload
from worlds.models import Corpus
def megabytes(what):
    lines = open("/proc/self/status").read().splitlines()
    return int(next(line for line in lines if line.startswith(what)).split()[1]) // 1024
# What SQLite keeps of its pages is no part of this; it would fill slowly, up to its limit.
for pragma in ("cache_size = -2000", "mmap_size = 0"):
    connection.cursor().execute("PRAGMA " + pragma)
corpus = Corpus.objects.get()
points = [megabytes("VmRSS")]
with open(sys.argv[1], "rb") as file:
    receipt = receive_upload(corpus, model="kestrel", files=[File(file, name="large.jsonl")])
submission = import_submission(
    receipt.submission, on_progress=lambda done, note: points.append(megabytes("VmRSS"))
)
found = {"records": submission.records.count(), "points": points, "most": megabytes("VmHWM")}
open(sys.argv[2], "w").write(json.dumps(found))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_import_of_sixty_megabytes_has_a_flat_and_low_curve(tmp_path: Path) -> None:
    folder, upload, told = tmp_path / "var", tmp_path / "large.jsonl", tmp_path / "told.json"
    manage(folder, "migrate", "--verbosity", "0")
    manage(
        folder, "forge_corpus", "harbour", "--families", "2", "--levels", "L00", "--workers", "1"
    )
    python(folder, "-c", _WRITE, str(upload))
    assert upload.stat().st_size > _ROWS * _BYTES
    python(folder, "-c", _IMPORT, str(upload), str(told))
    found = json.loads(told.read_text())
    idle, *points = found["points"]
    assert found["records"] == _ROWS
    assert len(points) >= _ROWS // 200
    assert found["most"] - idle < 100
    assert points[-1] - points[len(points) // 2] < 15
