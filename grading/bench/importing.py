"""Importing against a bare insert of the same rows, and a full report against the imports.

Both happen in a database of their own, made beside the real one by the same engine and thrown away
in the end: SQLite in a file, PostgreSQL by the name `test_` and that of the real one. The corpus is
forged for it: `worlds` families per level of a standard corpus, five instances each.

An import is what the job does with files that are received: read, check, grade, diagnose, store. A
bare insert is `bulk_create` of those very records, ready-made, in one transaction. On SQLite both
are measured in processor time; a server works elsewhere, so there the time on the wall counts.
"""

from __future__ import annotations

import gc
import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from django.core.files import File
from django.db import connection, transaction
from django.test.utils import override_settings

from grading.bench.grading import LEVELS
from grading.bench.replies import SOLVERS, Solver, reply_row
from grading.models import Record, Submission
from grading.services.freezing import compute_report
from grading.services.importing import import_submission
from grading.services.receiving import receive_upload
from worlds.bench.clock import Lap
from worlds.bench.plan import Plan
from worlds.bench.report import Goal, Report, Row, row_of
from worlds.core.model import World
from worlds.models import Corpus
from worlds.services import complete_corpus, create_corpus, mint_missing, world_of

__all__ = ["PART", "measure", "measure_in"]

PART = "importing"

_IMPORT, _INSERT, _REPORT = "import", "bare insert", "report"
_IMPORT_GOAL, _REPORT_GOAL = Goal(most=3), Goal(most=1)


def measure(plan: Plan, _: Report) -> Iterator[Row]:
    """The rows of each profile, measured in a database that is made for it."""
    levels = [level for level in LEVELS if level in plan.levels]
    for profile in plan.profiles if levels else ():
        with _scratch():
            plan.tell(f"{PART}: {profile}, forging {plan.worlds * len(levels)} families")
            corpus = create_corpus(
                "bench", seed=0, families=plan.worlds * len(levels), profile=profile, levels=levels
            )
            mint_missing(corpus)
            yield from measure_in(complete_corpus(corpus), plan)


def measure_in(corpus: Corpus, plan: Plan) -> Iterator[Row]:
    """One row for the imports, solver by solver, and one for the report over all of them."""
    worlds = {family.pk: world_of(family) for family in corpus.families.all()}
    ids = corpus.instances.values_list("sample_id", "family_id")
    asked = [(sample_id, worlds[family]) for sample_id, family in ids]
    place = (corpus.profile, "all")
    laps = []
    for solver in SOLVERS:
        plan.tell(f"{PART}: {corpus.profile}, {solver.name}")
        content = _content(solver, asked)
        rounds = [_imported(corpus, solver, content, keep=n == 0) for n in range(plan.rounds)]
        laps.append((min(one for one, _ in rounds), min(other for _, other in rounds)))
    imports = [(_lap(one), _lap(other)) for one, other in laps]
    yield row_of(PART, place, (_IMPORT, _INSERT), imports, _IMPORT_GOAL)
    report = min(_timed(lambda: compute_report(corpus)) for _ in range(plan.rounds))
    pair = (_lap(report), _lap(sum(one for one, _ in laps)))
    names = (f"{_REPORT} on {len(SOLVERS)}", f"{len(SOLVERS)} imports")
    yield row_of(PART, place, names, [pair], _REPORT_GOAL)


def _content(solver: Solver, asked: list[tuple[str, World]]) -> bytes:
    rows = (reply_row(solver, sample_id, world) for sample_id, world in asked)
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


def _imported(corpus: Corpus, solver: Solver, content: bytes, *, keep: bool) -> tuple[float, float]:
    """Seconds to import the file, and to insert its records once more; the copy goes again."""
    # In another round the same file must not be taken for the one that is there.
    content += b"\n" * (not keep)
    name = solver.name if keep else f"{solver.name} again"
    files = [File(io.BytesIO(content), name="replies.jsonl")]
    submission = receive_upload(corpus, model=name, files=files).submission
    importing = _timed(lambda: import_submission(submission))
    records = list(submission.records.all())
    bare = Submission.objects.create(corpus=corpus, model="bare", model_key="bare")
    for record in records:
        record.pk = None
        record.submission_id = bare.pk
    inserting = _timed(lambda: _insert(records))
    for done_with in [bare] if keep else [bare, submission]:
        done_with.delete()
    return importing, inserting


def _insert(records: list[Record]) -> None:
    with transaction.atomic():
        Record.objects.bulk_create(records)


def _timed(work: Callable[[], object]) -> float:
    clock = process_time if connection.vendor == "sqlite" else perf_counter
    gc.collect()
    start = clock()
    work()
    return clock() - start


def _lap(seconds: float) -> Lap:
    return Lap(0.0, seconds)


@contextmanager
def _scratch() -> Iterator[None]:
    """An empty database, and an empty folder for files, in place of the real ones."""
    real = connection.settings_dict["NAME"]
    with TemporaryDirectory(prefix="enigmaforge-bench-") as folder:
        if connection.vendor == "sqlite":
            connection.settings_dict["TEST"]["NAME"] = f"{folder}/bench.sqlite3"
        with override_settings(MEDIA_ROOT=folder):
            connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
            try:
                yield
            finally:
                connection.creation.destroy_test_db(real, verbosity=0)
