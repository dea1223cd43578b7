"""Error pages, which also come when the database is what failed.

A page shows who is signed in, and asking for that needs the database; where it does not answer, the
same page is rendered without asking.
"""

from __future__ import annotations

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.csrf import requires_csrf_token

__all__ = [
    "bad_request",
    "csrf_failure",
    "not_found",
    "permission_denied",
    "server_error",
    "too_large",
]


@requires_csrf_token
def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer 400: the address or the form cannot be read."""
    return _page(request, "400.html", 400)


@requires_csrf_token
def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer 403."""
    return _page(request, "403.html", 403)


@requires_csrf_token
def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer 404."""
    return _page(request, "404.html", 404)


def too_large(request: HttpRequest) -> HttpResponse:
    """Answer 413, with the limit in millions of bytes."""
    return _page(request, "413.html", 413, limit_mb=settings.UPLOAD_LIMIT_MB)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500. Nothing of the request is used: it may be what failed."""
    return HttpResponse(render_to_string("500.html"), status=500)


@requires_csrf_token
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer 403 to a form whose token is stale.

    It happens to honest people who sign in again in another tab, so the page says to reload.
    """
    return _page(request, "403_csrf.html", 403)


def _page(request: HttpRequest, template: str, status: int, **context: object) -> HttpResponse:
    context["request"] = request
    try:
        text = render_to_string(template, context, request)
    except DatabaseError:
        text = render_to_string(template, context)
    return HttpResponse(text, status=status)
