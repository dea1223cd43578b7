"""Frozen reports by their digest, and all that a corpus's numbers rest on, as one file."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from enigmaforge_site.downloads import download
from grading.services.artifacts import frozen_artifact_text
from grading.views.access import get_corpus
from worlds.core.errors import BadInput

__all__ = ["artifact_json", "frozen_report"]


@require_safe
def frozen_report(request: HttpRequest, slug: str, sha256: str) -> HttpResponse:
    """One frozen report of a corpus, superseded or not: the bytes that its SHA-256 is of."""
    report = get_corpus(slug).reports.filter(sha256=sha256).first()
    if report is None:
        raise Http404(f"Corpus {slug} has no report {sha256[:16]}.")
    return _file(report.content, f"{slug}-{report.sha256[:8]}.json")


@require_safe
@login_required
def artifact_json(request: HttpRequest, slug: str) -> HttpResponse:
    """The results artifact, in the bytes that the command prints; else the board says why not."""
    corpus = get_corpus(slug)
    try:
        text = frozen_artifact_text(corpus)
    except BadInput as error:
        messages.warning(request, f"There is no artifact now: {error}.")
        return redirect("grading:leaderboard_detail", slug)
    return _file(f"{text}\n", f"{slug}-artifact.json")


def _file(content: str, name: str) -> HttpResponse:
    return download(content, name=name, content_type="application/json")
