"""The leaderboards: read off frozen reports, for everybody."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, OuterRef, Q, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from enigmaforge_site.downloads import download
from enigmaforge_site.jobs.models import OPEN, Job
from grading import tasks
from grading.models import Report, SubmissionKind
from grading.services.board import board_of
from grading.services.board_csv import board_csv
from grading.services.board_json import board_json
from grading.services.board_links import links_of
from grading.services.editions import outdated_runs
from grading.services.freezing import latest_report
from grading.views.access import get_corpus, person_of
from grading.views.board_page import BoardPage
from worlds.models import Corpus

__all__ = [
    "controls_run",
    "leaderboard_csv",
    "leaderboard_detail",
    "leaderboard_json",
    "leaderboard_list",
    "report_json",
]


@require_safe
def leaderboard_list(request: HttpRequest) -> HttpResponse:
    """List the corpora that solvers can be compared on."""
    newest = Report.objects.filter(corpus=OuterRef("pk")).values("sha256")[:1]
    # Whatever editions a run has, its first one is graded.
    models = Q(
        submissions__kind=SubmissionKind.MODEL,
        submissions__imported__isnull=False,
        submissions__edition=1,
    )
    broken = Q(control_runs__passed=False)
    corpora = (
        Corpus.objects.published()
        .annotate(report_sha256=Subquery(newest))
        .annotate(graded_models=Count("submissions", filter=models, distinct=True))
        .annotate(broken_controls=Count("control_runs", filter=broken, distinct=True))
    )
    return render(request, "grading/leaderboard_list.html", {"corpora": corpora})


@require_safe
def leaderboard_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """The board of a corpus, or a slice of it; it shows the report confirmed last."""
    corpus = get_corpus(slug)
    report = latest_report(corpus)
    context: dict[str, Any] = {
        "corpus": corpus,
        "report": report,
        "job": _controls_job(request, corpus),
        "outdated": outdated_runs(corpus).count() if request.user.is_authenticated else 0,
        "poll_seconds": 2,
        "crumbs": [("Leaderboard", reverse("grading:leaderboard_list")), (corpus.title, "")],
    }
    if report is not None:
        context |= _board_context(request, corpus, report)
    return render(request, "grading/leaderboard_detail.html", context)


@require_safe
def leaderboard_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """The board as CSV; of a void one only the head."""
    _, report = _get_report(slug)
    text = board_csv(board_of(report))
    return download(text, name=_named(slug, report, "csv"), content_type="text/csv; charset=utf-8")


@require_safe
def leaderboard_json(request: HttpRequest, slug: str) -> HttpResponse:
    """The board as JSON, with the fields of the CSV; of a void one no row."""
    _, report = _get_report(slug)
    name = _named(slug, report, "board.json")
    return download(board_json(board_of(report)), name=name, content_type="application/json")


@require_safe
def report_json(request: HttpRequest, slug: str) -> HttpResponse:
    """The frozen report itself: the bytes that its SHA-256 is of."""
    _, report = _get_report(slug)
    name = _named(slug, report, "json")
    return download(report.content, name=name, content_type="application/json")


@require_POST
@login_required
def controls_run(request: HttpRequest, slug: str) -> HttpResponse:
    """Run the controls that the code at hand has not run on a corpus."""
    corpus = get_corpus(slug)
    link = reverse("grading:leaderboard_detail", args=(slug,))
    if corpus.is_complete:
        tasks.enqueue_controls(corpus, link=link, created_by=person_of(request))
    else:
        messages.info(request, "The controls run when the corpus is complete.")
    return redirect(link)


def _board_context(request: HttpRequest, corpus: Corpus, report: Report) -> dict[str, Any]:
    board = board_of(report)
    page = BoardPage.of(board, request.GET, links_of(corpus))
    return {
        "board": board,
        "page": page,
        "sort": page.sort,
        "descending": page.descending,
        "query": page.query,
        "has_models": any(row.kind == "model" for row in board.rows),
    }


def _get_report(slug: str) -> tuple[Corpus, Report]:
    corpus = get_corpus(slug)
    report = latest_report(corpus)
    if report is None:
        raise Http404(f"There is no report on corpus {slug} yet.")
    return corpus, report


def _named(slug: str, report: Report, suffix: str) -> str:
    return f"{slug}-{report.sha256[:8]}.{suffix}"


def _controls_job(request: HttpRequest, corpus: Corpus) -> Job | None:
    """The job that runs the controls now, if this reader may see it."""
    jobs = Job.objects.visible_to(request.user)
    return jobs.filter(key=f"run_controls:{corpus.slug}", state__in=OPEN).first()
