"""Rules that hold for every request, whatever view answers it."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from enigmaforge_site import errors

__all__ = ["guard_request", "keep_private"]

GetResponse = Callable[[HttpRequest], HttpResponse]

# Beside the files, a form has a few fields and the separators between its parts.
_FORM_OVERHEAD_BYTES = 1_000_000
_MOST_DIGITS = 20
_PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


def guard_request(get_response: GetResponse) -> GetResponse:
    """Refuse what no view could use: NUL characters in the address, and bodies over the limit.

    Databases reject a NUL deep inside a query, each in its own way; a body is refused before the
    first byte of it is read.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        address = request.path.encode() + unquote_to_bytes(request.META.get("QUERY_STRING", ""))
        if b"\x00" in address:
            return errors.bad_request(request)
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not (length.isascii() and length.isdigit() and len(length) < _MOST_DIGITS):
            return errors.bad_request(request)
        if int(length) > settings.UPLOAD_LIMIT_MB * 1_000_000 + _FORM_OVERHEAD_BYTES:
            return errors.too_large(request)
        return get_response(request)

    return middleware


def keep_private(get_response: GetResponse) -> GetResponse:
    """Keep pages of signed-in people out of every cache, and fragments apart from pages.

    Whoever sends or is given a session cookie gets pages that no cache may store, so nothing is
    left to go back to after a sign-out. The same address can answer with a page or a fragment, so
    every HTML answer varies by the header that tells them apart.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        cookie = settings.SESSION_COOKIE_NAME
        if cookie in request.COOKIES or cookie in response.cookies:
            response.headers["Cache-Control"] = "private, no-store"
        if response.headers.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, ("HX-Request",))
        response.headers.setdefault("Permissions-Policy", _PERMISSIONS_POLICY)
        return response

    return middleware
