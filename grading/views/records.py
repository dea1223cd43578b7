"""The page of one record, and the reply as a file; both are for those who may see the truth."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from enigmaforge_site.downloads import download
from grading.services.review import reply_of, review_of
from grading.views.access import get_record, truth_required

__all__ = ["record_detail", "record_reply"]


@require_safe
@truth_required
def record_detail(request: HttpRequest, submission_id: int, record_id: int) -> HttpResponse:
    """A reply beside the truth: what was graded, fact by fact, and the clues it contradicts."""
    record = get_record(submission_id, record_id)
    submission = record.submission
    context = {
        "record": record,
        "submission": submission,
        "reply": reply_of(record),
        "review": review_of(record),
        "crumbs": [
            ("Leaderboard", reverse("grading:leaderboard_list")),
            (
                submission.corpus.title,
                reverse("grading:leaderboard_detail", args=(submission.corpus.slug,)),
            ),
            (submission.label, submission.get_absolute_url()),
            (record.instance.sample_id, ""),
        ],
    }
    return render(request, "grading/record_detail.html", context)


@require_safe
@truth_required
def record_reply(request: HttpRequest, submission_id: int, record_id: int) -> HttpResponse:
    """The reply as it was received, as plain text."""
    record = get_record(submission_id, record_id)
    name = f"{record.instance.sample_id}-{record.epoch}.txt"
    return download(record.completion, name=name, content_type="text/plain; charset=utf-8")
