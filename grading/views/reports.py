"""Frozen reports by their digest: what an earlier page showed can still be read."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from grading.views.access import get_corpus

__all__ = ["frozen_report"]


@require_safe
def frozen_report(request: HttpRequest, slug: str, sha256: str) -> HttpResponse:
    """One frozen report of a corpus, superseded or not: the bytes that its SHA-256 is of."""
    report = get_corpus(slug).reports.filter(sha256=sha256).first()
    if report is None:
        raise Http404(f"Corpus {slug} has no report {sha256[:16]}.")
    name = f"{slug}-{report.sha256[:8]}.json"
    return HttpResponse(
        report.content.encode("utf-8"),
        content_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
