"""The page on which a person solves an instance; every post keeps the draft before anything else.

For those who are signed in, and each attempt for its own person only: to others it is not there.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from grading import tasks
from grading.models import Attempt, Participant
from grading.services import solving
from grading.services.stints import start_clock, stop_clock
from grading.views.access import taking_part
from grading.views.solving_page import (
    Clock,
    SolvingPage,
    crumbs_of,
    entries_of,
    whole_entries,
)

__all__ = ["solving_instance"]

_MORE_ROWS = "?blank=8#answer"


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def solving_instance(request: HttpRequest, slug: str, sample_id: str) -> HttpResponse:
    """Work on one instance. Before consent there is nothing to work on."""
    _, participant = taking_part(request, slug)
    if participant is None:
        return redirect("grading:solving_corpus", slug)
    attempt = _find(participant, sample_id)
    if attempt is None:
        return _begin(request, participant, sample_id)
    if request.method != "POST":
        return _show(request, attempt)
    if attempt.submitted is not None:
        return _after_the_end(request, attempt)
    return _work(request, attempt)


def _begin(request: HttpRequest, participant: Participant, sample_id: str) -> HttpResponse:
    """Say that the clock will start, and on a post start it."""
    row = solving.find_open(participant, sample_id)
    if row is None:
        raise Http404(f"There is no instance {sample_id} here that is yours to solve.")
    if request.method == "POST":
        attempt = solving.open_attempt(participant, row, now=timezone.now())
        return _again(attempt)
    return _page(request, SolvingPage.of(row, None, now=timezone.now()))


def _show(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    now = timezone.now()
    if attempt.submitted is not None:
        return _page(request, SolvingPage.of_handed_in(attempt, request.user, now=now))
    blank = request.GET.get("blank", "")
    return _page(request, SolvingPage.of(attempt.instance, attempt, now=now, blank=blank))


def _work(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    """Keep the draft, then do what the pressed button says."""
    do, now = request.POST.get("do", ""), timezone.now()
    if "notes" in request.POST:
        entries = entries_of(request.POST)
        kept = whole_entries(entries) if do == "give-up" else entries
        runs = solving.save_draft(attempt, notes=request.POST["notes"], entries=kept, now=now)
        if request.headers.get("HX-Request") == "true":
            return _saved_by_itself(request, attempt, runs=runs)
    match do:
        case "pause":
            stop_clock(attempt, now=now)
        case "resume":
            start_clock(attempt, now=now)
        case "add":
            return _again(attempt, _MORE_ROWS)
        case "hand-in" | "give-up":
            return _hand_in(request, attempt, gave_up=do == "give-up")
        case _:
            messages.success(request, "The draft is saved.")
    return _again(attempt)


def _hand_in(request: HttpRequest, attempt: Attempt, *, gave_up: bool) -> HttpResponse:
    """Make the attempt final, or say row by row what keeps it from being an answer."""
    now = timezone.now()
    problems = solving.problems_of(attempt.entries)
    if not attempt.entries and not gave_up:
        problems = [(0, "There is no entry yet. To stop here all the same, give up.")]
    if problems:
        page = SolvingPage.of(attempt.instance, attempt, now=now, problems=problems)
        return _page(request, page, status=422)
    solving.hand_in(attempt, gave_up=gave_up, now=now)
    _have_graded(attempt)
    return _again(attempt)


def _after_the_end(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    """Nothing changes an attempt that was handed in; its grading can be asked for once more."""
    if request.POST.get("do") == "grade":
        _have_graded(attempt)
    else:
        messages.info(request, "This was handed in already. Nothing was changed.")
    if request.headers.get("HX-Request") == "true":
        return HttpResponse(headers={"HX-Refresh": "true"})
    return _again(attempt)


def _have_graded(attempt: Attempt) -> None:
    link = reverse("grading:solving_corpus", args=(attempt.participant.corpus.slug,))
    tasks.enqueue_answers(attempt.participant, link=link)


def _saved_by_itself(request: HttpRequest, attempt: Attempt, *, runs: bool) -> HttpResponse:
    """The answer to a draft that the page saved by itself: the clock, or the paused page."""
    response = render(request, "grading/_clock.html", {"clock": Clock.of(attempt, timezone.now())})
    if not runs:
        response.headers["HX-Refresh"] = "true"
    return response


def _page(request: HttpRequest, page: SolvingPage, status: int = 200) -> HttpResponse:
    context: dict[str, Any] = {
        "page": page,
        "poll_seconds": 1,
        "crumbs": crumbs_of(page.row.corpus, page.row.sample_id),
    }
    return render(request, "grading/solving_instance.html", context, status=status)


def _find(participant: Participant, sample_id: str) -> Attempt | None:
    rows = Attempt.objects.select_related(
        "participant__corpus", "participant__submission", "instance__corpus", "instance__family"
    ).defer("instance__family__truth", "instance__family__certificate")
    return rows.filter(participant=participant, instance__sample_id=sample_id).first()


def _again(attempt: Attempt, tail: str = "") -> HttpResponse:
    slug, sample_id = attempt.participant.corpus.slug, attempt.instance.sample_id
    return redirect(reverse("grading:solving_instance", args=(slug, sample_id)) + tail)
