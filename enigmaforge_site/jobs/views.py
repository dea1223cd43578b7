"""The pages of a job: what it is doing, how far it has come, and how it ended.

A live job's fragment polls. Each answer says when to ask again: soon while the job is young, less
often as it ages or stalls, and not at all (status 286) once it is over, gone, or someone else's.
Without JavaScript the page reloads itself.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseStopPolling

from enigmaforge_site.jobs import services, tasks
from enigmaforge_site.jobs.models import Job

__all__ = ["job_cancel", "job_detail", "job_list", "job_pause", "job_retry"]

_SHOWN = 50


@require_safe
@login_required
def job_list(request: HttpRequest) -> HttpResponse:
    """List the newest jobs."""
    jobs = Job.objects.visible_to(request.user).select_related("created_by")[:_SHOWN]
    return render(request, "jobs/job_list.html", {"jobs": jobs})


@require_safe
def job_detail(request: HttpRequest, job_id: int) -> HttpResponse:
    """Show a job as a page, or as the fragment that replaces itself."""
    job = Job.objects.visible_to(request.user).filter(pk=job_id).first()
    if request.headers.get("HX-Request") == "true":
        return _fragment(request, job)
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if job is None:
        raise Http404(f"There is no job {job_id}, or it is somebody else's.")
    return render(request, "jobs/job_detail.html", _context(job))


@require_POST
@login_required
def job_cancel(request: HttpRequest, job_id: int) -> HttpResponse:
    """Cancel a waiting job now, a running one at its next step."""
    job = _get_job(request, job_id)
    services.cancel(job)
    return _back(request, job)


@require_POST
@login_required
def job_pause(request: HttpRequest, job_id: int) -> HttpResponse:
    """Pause a waiting job now, a running one at its next step."""
    job = _get_job(request, job_id)
    services.pause(job)
    return _back(request, job)


@require_POST
@login_required
def job_retry(request: HttpRequest, job_id: int) -> HttpResponse:
    """Let a paused, failed or cancelled job go on after its last finished step."""
    job = tasks.retry(_get_job(request, job_id))
    return _back(request, job) if job.pk == job_id else redirect(job)


def _back(request: HttpRequest, job: Job) -> HttpResponse:
    """To the page of this site whose button was pressed, or to the job."""
    page = request.headers.get("Referer")
    is_ours = url_has_allowed_host_and_scheme(
        page, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return redirect(page if page and is_ours else job)


def _get_job(request: HttpRequest, job_id: int) -> Job:
    job = Job.objects.visible_to(request.user).filter(pk=job_id).first()
    if job is None:
        raise Http404(f"There is no job {job_id}, or it is somebody else's.")
    return job


def _fragment(request: HttpRequest, job: Job | None) -> HttpResponse:
    if job is None:
        return _stop_polling(render(request, "jobs/_job_gone.html"))
    response = render(request, "jobs/_job.html", _context(job))
    return response if job.is_live else _stop_polling(response)


def _stop_polling(response: HttpResponse) -> HttpResponse:
    return HttpResponseStopPolling(response.content)


def _context(job: Job) -> dict[str, Any]:
    return {"job": job, "poll_seconds": _poll_seconds(job), "stalled_since": job.stalled_since}


def _poll_seconds(job: Job) -> int:
    """Return after how many seconds to ask again."""
    if job.stalled_since:
        return 15
    age = timezone.now() - job.created
    return 1 if age < timedelta(minutes=1) else 2 if age < timedelta(minutes=10) else 5
