"""The page of a submission: how far it is, what it scores, what was not taken, its records."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, QuerySet
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from enigmaforge_site.jobs.models import Job
from grading.core.statuses import Status
from grading.forms import Filter, record_filter
from grading.models import Outcome, Record, Submission
from grading.services.board import entry_of
from grading.services.editions import editions_of, report_of
from grading.services.standing import forgotten_of, standing_of
from grading.views.access import get_submission, may_change, sees_truth, truth_required
from worlds.models import Instance

__all__ = ["rejected_rows", "submission_detail"]

_ROWS = 50


@require_safe
def submission_detail(request: HttpRequest, submission_id: int) -> HttpResponse:
    """One submission, with the records that the query string asks for."""
    submission = get_submission(submission_id)
    truth = sees_truth(request.user)
    chosen = record_filter(submission.corpus, request.GET, truth=truth)
    context: dict[str, Any] = {
        "submission": submission,
        "filter": chosen,
        "page": _page_of(submission, chosen, truth=truth),
        "is_missing": chosen.chosen.get("status") == Status.MISSING,
        "truth": truth,
    }
    if _wants_rows(request):
        return render(request, "grading/_record_rows.html", context)
    issues = list(submission.issues.all()) if truth else []
    editions, standing = editions_of(submission), standing_of(submission)
    context |= {
        "standing": standing,
        "forgotten": "" if editions.is_superseded else forgotten_of(submission, standing),
        "editions": editions,
        "entry": entry_of(submission, report_of(editions)),
        "may_change": may_change(request.user, submission),
        "job": _job(request, submission),
        "issues": issues,
        "unlisted": submission.issue_count - len(issues),
        "poll_seconds": 1,
        "crumbs": [
            ("Leaderboard", reverse("grading:leaderboard_list")),
            (
                submission.corpus.title,
                reverse("grading:leaderboard_detail", args=(submission.corpus.slug,)),
            ),
            (submission.label, ""),
        ],
    }
    return render(request, "grading/submission_detail.html", context)


@require_safe
@truth_required
def rejected_rows(request: HttpRequest, submission_id: int) -> FileResponse:
    """Every row that could not be taken, as JSONL."""
    submission = get_submission(submission_id)
    if not submission.rejected:
        raise Http404(f"Submission {submission_id} has no rejected rows.")
    return FileResponse(
        submission.rejected.open("rb"),
        as_attachment=True,
        filename=f"submission-{submission.pk}-rejected.jsonl",
        content_type="application/jsonl; charset=utf-8",
    )


def _page_of(
    submission: Submission, chosen: Filter, *, truth: bool
) -> Page[Record] | Page[Instance]:
    if chosen.chosen.get("status") == Status.MISSING:
        return Paginator(_missing(submission, chosen), _ROWS).get_page(chosen.page)
    # A page that does not exist becomes the nearest that does.
    return Paginator(_records(submission, chosen, truth=truth), _ROWS).get_page(chosen.page)


def _records(submission: Submission, chosen: Filter, *, truth: bool) -> QuerySet[Record]:
    rows = submission.records.all()
    made = chosen.chosen
    if status := made.get("status"):
        rows = rows.with_status(status)
    if condition := made.get("condition"):
        rows = rows.in_condition(condition)
    if level := made.get("level"):
        rows = rows.at_level(level)
    if outcome := made.get("outcome"):
        rows = rows.with_outcome(Outcome(outcome))
    if finding := made.get("finding"):
        rows = rows.with_finding(finding)
    rows = rows.for_lists()
    return rows if truth else rows.defer("diagnosis")


def _missing(submission: Submission, chosen: Filter) -> QuerySet[Instance]:
    """The instances that no file has a reply to; one that is missing has no outcome."""
    here = Record.objects.filter(submission=submission, instance=OuterRef("pk"))
    rows = submission.corpus.instances.filter(~Exists(here))
    made = chosen.chosen
    if condition := made.get("condition"):
        rows = rows.in_condition(condition)
    if level := made.get("level"):
        rows = rows.at_level(level)
    if made.get("outcome") or made.get("finding"):
        rows = rows.none()
    return rows.for_lists().reading_order()


def _job(request: HttpRequest, submission: Submission) -> Job | None:
    """The job on this submission, if this reader may see it."""
    if submission.job_id is None:
        return None
    return Job.objects.visible_to(request.user).filter(pk=submission.job_id).first()


def _wants_rows(request: HttpRequest) -> bool:
    """Whether htmx asks for the rows alone; a page restored from history is asked for whole."""
    headers = request.headers
    return headers.get("HX-Request") == "true" and "HX-History-Restore-Request" not in headers
