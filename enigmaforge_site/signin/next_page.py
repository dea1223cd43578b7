"""Where to go after signing in: a page of this site, or the start page."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.http import url_has_allowed_host_and_scheme

__all__ = ["forget", "keep", "recall", "safe"]

_COOKIE = "enigmaforge_next"
_PATH = "/sign-in/"
_SECONDS = 3600


def safe(target: str | None) -> str:
    """Return the target if it is a path on this site, else the start page."""
    # Without allowed hosts only relative addresses pass, and `//elsewhere` is not relative.
    if target and url_has_allowed_host_and_scheme(target, allowed_hosts=None):
        return target
    return settings.LOGIN_REDIRECT_URL


def keep(request: HttpRequest, response: HttpResponse) -> None:
    """Remember the `next` of a request while the person fetches the link."""
    target = request.GET.get("next")
    if target and safe(target) == target:
        response.set_cookie(
            _COOKIE,
            target,
            max_age=_SECONDS,
            path=_PATH,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


def recall(request: HttpRequest) -> str:
    """Return what `keep` remembered. It is checked again: a cookie is input."""
    return safe(request.COOKIES.get(_COOKIE))


def forget(response: HttpResponse) -> None:
    """Drop what `keep` remembered."""
    response.delete_cookie(_COOKIE, path=_PATH, samesite="Lax")
