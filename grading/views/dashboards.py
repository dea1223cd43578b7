"""The dashboard of one submission: what its replies say of its solver's intuition."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from enigmaforge_site.downloads import download
from grading.models import Submission
from grading.services.board import BoardRow, entry_of
from grading.services.dashboard import breakdown_of, findings_of, statuses_of, telling_of
from grading.services.editions import editions_of, report_of
from grading.services.figures import Gallery, figure_csv, gallery_of
from grading.views.access import get_submission, sees_truth
from grading.views.figures import figure_policy

__all__ = ["dashboard", "dashboard_levels"]


@require_safe
@figure_policy
def dashboard(request: HttpRequest, submission_id: int) -> HttpResponse:
    """Scores from the frozen report for everybody, findings for whoever may see the truth."""
    submission = get_submission(submission_id)
    corpus = submission.corpus
    report = report_of(editions_of(submission))
    entry = entry_of(submission, report)
    truth = sees_truth(request.user)
    context: dict[str, Any] = {
        "submission": submission,
        "corpus": corpus,
        "report": report,
        "entry": entry,
        "truth": truth,
        "crumbs": [
            ("Leaderboard", reverse("grading:leaderboard_list")),
            (corpus.title, reverse("grading:leaderboard_detail", args=(corpus.slug,))),
            (submission.label, submission.get_absolute_url()),
            ("Dashboard", ""),
        ],
    }
    if report is not None:
        gallery = gallery_of(report)
        context["is_void"] = gallery.is_void
        if entry is not None:
            context |= _shown(submission, gallery, entry, truth=truth)
    return render(request, "grading/dashboard.html", context)


@require_safe
def dashboard_levels(request: HttpRequest, submission_id: int) -> HttpResponse:
    """The level curves as CSV."""
    submission = get_submission(submission_id)
    report = report_of(editions_of(submission))
    entry = entry_of(submission, report)
    if report is None or entry is None:
        raise Http404(f"No report has scores of submission {submission_id}.")
    figure = gallery_of(report).levels(entry.key)
    return download(
        figure_csv(figure, report.sha256),
        name=f"levels-{submission.pk}.csv",
        content_type="text/csv; charset=utf-8",
    )


def _shown(
    submission: Submission, gallery: Gallery, entry: BoardRow, *, truth: bool
) -> dict[str, Any]:
    found = findings_of(submission) if truth else []
    row = next(each.row for each in gallery.solvers if each.row["key"] == entry.key)
    return {
        "figure": gallery.levels(entry.key),
        "conditions": gallery.conditions,
        "statuses": statuses_of(row, gallery.conditions),
        "breakdown": breakdown_of(found, gallery.conditions),
        "telling": telling_of(found) if found else [],
    }
