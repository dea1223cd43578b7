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

from enigmaforge_site.jobs.models import LIVE, Job
from grading import tasks
from grading.forms import Choice, Filter
from grading.models import Report, SubmissionKind
from grading.services.board import SLICES, Board, board_of, keys_of, slice_of
from grading.services.board_csv import board_csv
from grading.services.freezing import latest_report
from grading.views.access import get_corpus, person_of
from worlds.models import Corpus

__all__ = [
    "controls_run",
    "leaderboard_csv",
    "leaderboard_detail",
    "leaderboard_list",
    "report_json",
]


@require_safe
def leaderboard_list(request: HttpRequest) -> HttpResponse:
    """List the corpora that solvers can be compared on."""
    newest = Report.objects.filter(corpus=OuterRef("pk")).values("sha256")[:1]
    models = Q(submissions__kind=SubmissionKind.MODEL, submissions__imported__isnull=False)
    broken = Q(control_runs__passed=False)
    corpora = (
        Corpus.objects.complete()
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
    return HttpResponse(
        board_csv(board_of(report)),
        content_type="text/csv; charset=utf-8",
        headers=_download(slug, report, "csv"),
    )


@require_safe
def report_json(request: HttpRequest, slug: str) -> HttpResponse:
    """The frozen report itself: the bytes that its SHA-256 is of."""
    _, report = _get_report(slug)
    return HttpResponse(
        report.content.encode("utf-8"),
        content_type="application/json",
        headers=_download(slug, report, "json"),
    )


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
    chosen = _slice_filter(board, request)
    sort = request.GET.get("sort", "")
    name, descending = sort.removeprefix("-"), sort.startswith("-")
    known = name in board.sort_keys
    slices = [(kind, value) for kind, value in chosen.chosen.items() if kind in SLICES]
    submissions = keys_of(list(corpus.submissions.graded().prefetch_related("files")))
    return {
        "board": board,
        "rows": [(row, submissions.get(row.key)) for row in board.sorted_by(sort)],
        "sort": name if known else "rank",
        "descending": descending and known,
        "filter": chosen,
        "slice": slice_of(board, *slices[0]) if slices else None,
        "has_models": any(row.kind == "model" for row in board.rows),
    }


def _slice_filter(board: Board, request: HttpRequest) -> Filter:
    """One part of the corpus; of two the first is taken and the other named."""
    offered = [
        Choice(kind, kind.capitalize(), [(value, value) for value in board.corpus[f"{kind}s"]])
        for kind in SLICES
        if f"{kind}s" in board.corpus  # a report of an earlier version has fewer
    ]
    chosen = Filter.of(offered, request.GET)
    made = [choice for choice in chosen.choices if choice.value]
    if len(made) < 2:
        return chosen
    first = made[0]
    chosen.complaints.append(
        f"The board is sliced by one thing at a time: this is {first.name} {first.value}."
    )
    kept = [
        choice if choice is first else Choice(choice.name, choice.label, choice.options)
        for choice in chosen.choices
    ]
    return Filter(kept, chosen.page, chosen.complaints)


def _get_report(slug: str) -> tuple[Corpus, Report]:
    corpus = get_corpus(slug)
    report = latest_report(corpus)
    if report is None:
        raise Http404(f"There is no report on corpus {slug} yet.")
    return corpus, report


def _download(slug: str, report: Report, suffix: str) -> dict[str, str]:
    name = f"{slug}-{report.sha256[:8]}.{suffix}"
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _controls_job(request: HttpRequest, corpus: Corpus) -> Job | None:
    """The job that runs the controls now, if this reader may see it."""
    jobs = Job.objects.visible_to(request.user)
    return jobs.filter(key=f"run_controls:{corpus.slug}", state__in=LIVE).first()
