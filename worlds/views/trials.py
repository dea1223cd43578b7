"""The page to try a world: ask for a few surfaces, watch them being forged, see them together.

Asking is a POST that leads to an address which holds the whole request; that address shows what
came of it for as long as it is kept, and offers to forge it again after that.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseStopPolling

from enigmaforge_site.downloads import download
from enigmaforge_site.jobs.models import Job
from worlds import services, tasks
from worlds.forms import TrialForm
from worlds.models import Trial
from worlds.views.access import person_of, sees_truth
from worlds.views.trial_page import TrialPage

__all__ = ["trial", "trial_json"]


@require_http_methods(["GET", "HEAD", "POST"])
def trial(request: HttpRequest) -> HttpResponse:
    """POST asks for surfaces; GET shows the form and what came of the request in the address.

    To htmx it answers how far that has come, and stops its polling at the end.
    """
    is_htmx = request.headers.get("HX-Request") == "true"
    if is_htmx and not sees_truth(request.user):
        return HttpResponse(status=403)
    return _polled(request) if is_htmx else _page(request)


@login_required
def _page(request: HttpRequest) -> HttpResponse:
    form = TrialForm(request.POST) if request.method == "POST" else TrialForm(address=request.GET)
    if not form.is_valid():
        status = 422 if request.method == "POST" else 200
        context = {"form": form, "crumbs": _crumbs()}
        return render(request, "worlds/trial.html", context, status=status)
    address = f"{reverse('worlds:trial')}?{form.query}"
    if request.method == "POST":
        tasks.enqueue_trial(form.wanted, link=address, created_by=person_of(request))
        return redirect(address)
    context = {"form": form, "crumbs": _crumbs(), **_standing(request, form)}
    return render(request, "worlds/trial.html", context)


def _crumbs() -> list[tuple[str, str]]:
    return [("Corpora", reverse("worlds:corpus_list")), ("Try a world", "")]


def _polled(request: HttpRequest) -> HttpResponse:
    form = TrialForm(address=request.GET)
    context = _standing(request, form) if form.is_valid() else {}
    response = render(request, "worlds/_trial.html", {"form": form, **context})
    is_live = bool(context) and context["trial"] is not None and context["trial"].is_live
    return response if is_live else HttpResponseStopPolling(response.content)


def _standing(request: HttpRequest, form: TrialForm) -> dict[str, Any]:
    """What came of a valid request: its trial, the job on it that this reader may see, the page."""
    found: Trial | None = services.find_trial(form.wanted)
    job = None
    if found is not None and found.job_id is not None and found.finished is None:
        job = Job.objects.visible_to(request.user).filter(pk=found.job_id).first()
    return {
        "trial": found,
        "job": job,
        "page": TrialPage.of(found) if found is not None and found.finished else None,
        "lit": request.GET.get("lit") == "1",
    }


@require_safe
@login_required
def trial_json(request: HttpRequest, trial_id: int, sample_id: str) -> HttpResponse:
    """One surface of a trial as canonical JSON, the same bytes as `forge --id` prints."""
    found = Trial.objects.filter(pk=trial_id).first()
    text = None if found is None else services.tried_json(found, sample_id)
    if text is None:
        raise Http404(f"{sample_id} is not kept here any more; try it again, or use forge --id.")
    kind = "application/json; charset=utf-8"
    return download(f"{text}\n", name=f"{sample_id}.json", content_type=kind)
