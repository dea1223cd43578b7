"""A small site with something on every page, and the parameters of its addresses."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from grading.models import Record
from grading.services import solving
from grading.services.controlling import run_controls
from grading.services.freezing import freeze_report
from tests.grading.builders import corpus_of, graded, line, perfect, rows_of, wrong
from worlds import services, tasks
from worlds.core.ids import parse_id
from worlds.models import Instance, ReviewEntry

__all__ = ["forget_reviews", "furnish"]


def furnish(
    owner: User,
    *,
    families: int = 4,
    levels: Sequence[str] = ("L00", "L01"),
    model: str = "meridian",
) -> dict[str, object]:
    """Fill the site; what `tests.pages.addresses` needs to know about it."""
    corpus = corpus_of(levels=levels, families=families)
    run_controls(corpus)
    rows = rows_of(corpus)
    good = b"".join(line(row, perfect(row)) for row in rows)
    mixed = b"".join(
        line(row, wrong(row) if number % 2 else perfect(row), stop_reason="stop")
        for number, row in enumerate(rows[1:])
    )
    graded(corpus, good, model="kestrel")
    submission = graded(corpus, mixed + b"not json\n", model=model)
    report = freeze_report(corpus)
    trial = services.open_trial([parse_id("ef1-chain-L00-maritime-s7-imp1")])
    services.try_families(trial)
    begun = Instance.objects.in_condition("implicit").earliest("pk")
    solving.open_attempt(solving.join(corpus, owner), begun, now=timezone.now())
    job = tasks.enqueue_survey(corpus, created_by=owner)
    failed = Record.objects.filter(submission=submission, task_success=False)
    return {
        "slug": corpus.slug,
        "engine": "z3",
        "sha256": report.sha256,
        "name": "intuition",
        "sample_id": begun.sample_id,
        "submission_id": submission.pk,
        "record_id": failed.earliest("pk").pk,
        "job_id": job.pk,
        "trial_id": trial.pk,
        "item_id": corpus.review_items.filter(kind="false").earliest("pk").pk,
        "worlds:trial_json.sample_id": trial.wanted[0],
        "page.slug": "scores",
        "sign_in_confirm.secret": "used-up",
    }


def forget_reviews() -> None:
    """Let the history of reviews go, against its rules, so that the database can be emptied."""
    rules = import_module("worlds.migrations.0006_distractor_review")
    with connection.schema_editor() as editor:
        rules.allow_changes(apps, editor)
        ReviewEntry.objects.all().delete()
        rules.forbid_changes(apps, editor)
