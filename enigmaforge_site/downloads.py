"""Files that a page gives out under a name, the same way everywhere."""

from __future__ import annotations

from django.http import HttpResponse

__all__ = ["download"]


def download(text: str, *, name: str, content_type: str) -> HttpResponse:
    """A text as a file to be saved. The name is our own: quotes in it are not escaped."""
    return HttpResponse(
        text.encode("utf-8"),
        content_type=content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
