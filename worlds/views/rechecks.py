"""Asking an engine again from the certificate's page: start, watch, and see what it said."""

from __future__ import annotations

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseStopPolling

from worlds import services, tasks
from worlds.models import Recheck
from worlds.views.access import get_instance, person_of, sees_truth

__all__ = ["recheck"]


@require_http_methods(["GET", "HEAD", "POST"])
def recheck(request: HttpRequest, slug: str, sample_id: str, engine: str) -> HttpResponse:
    """POST starts an engine; GET answers htmx how it stands, and stops its polling at the end."""
    is_htmx = request.headers.get("HX-Request") == "true"
    page = reverse("worlds:certificate_detail", args=(slug, sample_id))
    if not sees_truth(request.user):
        return HttpResponse(status=403) if is_htmx else redirect_to_login(page)
    if engine not in services.ENGINES:
        raise Http404(f"There is no engine {engine}; there are {', '.join(services.ENGINES)}.")
    row = get_instance(request.user, slug, sample_id)
    if request.method == "POST":
        latest: Recheck | None = tasks.enqueue_recheck(
            row.family, engine, link=f"{page}#engine-{engine}", created_by=person_of(request)
        )
    else:
        latest = services.latest_rechecks(row.family).get(engine)
    if not is_htmx:
        return redirect(f"{page}#engine-{engine}")
    context = {"row": row, "key": engine, "name": services.ENGINES[engine], "recheck": latest}
    response = render(request, "worlds/_recheck.html", context)
    is_over = latest is None or not latest.is_live
    is_polling = request.method != "POST"
    return HttpResponseStopPolling(response.content) if is_polling and is_over else response
