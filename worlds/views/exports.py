"""The download of a corpus in the shape of a tool; visitors get it without what is true."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from worlds import services
from worlds.core.errors import BadInput
from worlds.core.export import Options
from worlds.views.access import get_corpus, sees_truth

__all__ = ["corpus_export"]

_LONGEST_MODEL = 120


@require_safe
def corpus_export(request: HttpRequest, slug: str) -> HttpResponseBase:
    """A zip archive, made while it is sent: `to` names the tool, `target=1` asks for the truth."""
    corpus = get_corpus(slug, request.user)
    target = request.GET.get("target") == "1"
    if target and not sees_truth(request.user):
        return redirect_to_login(request.get_full_path())
    model = request.GET.get("model", "").strip()[:_LONGEST_MODEL] or Options().model
    try:
        export = services.CorpusExport(
            corpus, request.GET.get("to", ""), target=target, options=Options(model=model)
        )
    except BadInput as error:
        messages.warning(request, f"Not exported: {error}.")
        return redirect(corpus)
    return StreamingHttpResponse(
        export.zipped(),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{export.name}.zip"'},
    )
