"""A site as large as it may grow: 100,000 instances, 29 solvers, 17,400 records.

A few families and one submission are real; the others are their copies, made by the database in one
statement a table. Copies have ids, places, fingerprints and digests of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count

from django.db import connection
from django.db.models import Max, Model

from grading.models import Record, Submission, UploadedFile
from grading.services.freezing import freeze_report
from worlds.models import Corpus, Family, Instance, ReviewItem

__all__ = ["multiply_corpus", "multiply_submission"]


def multiply_corpus(corpus: Corpus, copies: int) -> None:
    """Add that many copies of every family of a corpus, with its instances and distractors."""
    step, instances = _step(Family), _step(Instance)
    families = corpus.families.aggregate(n=Max("place"))["n"] + 1
    _copy(
        Family,
        copies,
        f"corpus_id = {corpus.pk}",
        {
            "id": f"id + {step} * copy",
            "place": f"place + {families} * copy",
            "family_id": "substr(family_id || 'x' || copy, 1, 64)",
            "fingerprint": "substr(copy || fingerprint, 1, 64)",
        },
    )
    _copy(
        Instance,
        copies,
        f"corpus_id = {corpus.pk}",
        {
            "id": f"id + {instances} * copy",
            "family_id": f"family_id + {step} * copy",
            "sample_id": "substr(sample_id || 'x' || copy, 1, 64)",
            "sha256": "substr(copy || sha256, 1, 64)",
        },
    )
    _copy(
        ReviewItem,
        copies,
        f"corpus_id = {corpus.pk}",
        {
            "id": f"id + {_step(ReviewItem)} * copy",
            "family_id": f"family_id + {step} * copy",
            "instance_id": f"instance_id + {instances} * copy",
        },
    )
    Corpus.objects.filter(pk=corpus.pk).update(family_count=corpus.families.count())


def multiply_submission(submission: Submission, copies: int) -> None:
    """Add that many solvers with the same replies, each with files and records of its own."""
    step, files = _step(Submission), _step(UploadedFile)
    _copy(
        Submission,
        copies,
        f"id = {submission.pk}",
        {
            "id": f"id + {step} * copy",
            "model": "model || '-' || copy",
            "model_key": "model_key || '-' || copy",
            "job_id": "NULL",
        },
    )
    _copy(
        UploadedFile,
        copies,
        f"submission_id = {submission.pk}",
        {
            "id": f"id + {files} * copy",
            "submission_id": f"submission_id + {step} * copy",
            "sha256": "substr(copy || sha256, 1, 64)",
            "claim": "substr(copy || claim, 1, 64)",
        },
    )
    _copy(
        Record,
        copies,
        f"submission_id = {submission.pk}",
        {
            "id": f"id + {_step(Record)} * copy",
            "submission_id": f"submission_id + {step} * copy",
            "file_id": f"file_id + {files} * copy",
        },
    )
    freeze_report(submission.corpus)


def _step(model: type[Model]) -> int:
    """More than the highest key of a table: copies a step apart never meet."""
    highest: int = model._default_manager.aggregate(n=Max("pk"))["n"] or 0
    return next(power for power in (10**digits for digits in count(1)) if power > highest)


def _copy(model: type[Model], copies: int, where: str, changed: Mapping[str, str]) -> None:
    """Insert every row of a table that fits `copies` times; `copy` counts the copies from 1."""
    columns = [field.column for field in model._meta.concrete_fields]
    quoted = ", ".join(f'"{column}"' for column in columns)
    values = ", ".join(changed.get(column, f'"{column}"') for column in columns)
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f'INSERT INTO "{table}" ({quoted}) WITH RECURSIVE numbers(copy) AS '  # noqa: S608
            f"(SELECT 1 UNION ALL SELECT copy + 1 FROM numbers WHERE copy < {copies}) "
            f'SELECT {values} FROM "{table}", numbers WHERE {where}'
        )
