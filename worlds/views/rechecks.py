"""Asking z3 again from an instance's page: start, watch, and see what it said."""

from __future__ import annotations

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseStopPolling

from worlds import tasks
from worlds.models import Instance, Recheck
from worlds.views.access import get_instance, person_of, sees_truth

__all__ = ["latest_recheck", "recheck"]


@require_http_methods(["GET", "HEAD", "POST"])
def recheck(request: HttpRequest, slug: str, sample_id: str) -> HttpResponse:
    """POST starts a recheck; GET answers htmx how it stands, and stops its polling at the end."""
    is_htmx = request.headers.get("HX-Request") == "true"
    if not sees_truth(request.user):
        page = reverse("worlds:instance_detail", args=(slug, sample_id))
        return HttpResponse(status=403) if is_htmx else redirect_to_login(page)
    row = get_instance(request.user, slug, sample_id)
    if request.method == "POST":
        latest: Recheck | None = tasks.enqueue_recheck(
            row.family, link=row.get_absolute_url(), created_by=person_of(request)
        )
    else:
        latest = latest_recheck(row)
    if not is_htmx:
        return redirect(f"{row.get_absolute_url()}#recheck")
    context = {"row": row, "recheck": latest}
    response = render(request, "worlds/_recheck.html", context)
    is_polling = request.method != "POST"
    is_over = latest is None or not latest.is_live
    return HttpResponseStopPolling(response.content) if is_polling and is_over else response


def latest_recheck(row: Instance) -> Recheck | None:
    """The last recheck of an instance's family, with its job."""
    return row.family.rechecks.select_related("job").first()
