"""What can be done to a run after its upload: grade it again, or withdraw it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from grading import tasks
from grading.models import Submission
from grading.services.editions import outdated_runs, regrade
from grading.views.access import (
    get_corpus,
    get_submission,
    may_change,
    own_submission,
    person_of,
)
from worlds.core.errors import BadInput

__all__ = ["board_regrade", "submission_regrade", "submission_withdraw"]


@require_POST
@login_required
def submission_regrade(request: HttpRequest, submission_id: int) -> HttpResponse:
    """Have a run graded by the code at hand, as a further edition of it."""
    submission = get_submission(submission_id)
    try:
        edition = regrade(submission)
    except BadInput as error:
        messages.info(request, f"Nothing to grade again: {error}.")
        return redirect(submission)
    tasks.enqueue_import(edition, created_by=person_of(request))
    return redirect(edition)


@require_POST
@login_required
def board_regrade(request: HttpRequest, slug: str) -> HttpResponse:
    """Have every run on a board that earlier code graded graded by the code at hand."""
    corpus, person = get_corpus(slug), person_of(request)
    runs = list(outdated_runs(corpus))
    for run in runs:
        tasks.enqueue_import(regrade(run), created_by=person)
    told = f"{len(runs)} run{'s are' if len(runs) != 1 else ' is'} being graded again."
    messages.info(request, told if runs else "The code at hand has graded every run.")
    return redirect("grading:leaderboard_detail", slug)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def submission_withdraw(request: HttpRequest, submission_id: int) -> HttpResponse:
    """Ask what is to go, and on POST have the worker remove it and compute the board anew."""
    submission = own_submission(request.user, submission_id)
    upload = _upload_of(submission)
    if not may_change(request.user, upload):
        raise PermissionDenied
    board = reverse("grading:leaderboard_detail", args=(submission.corpus.slug,))
    if request.method == "POST":
        tasks.enqueue_withdrawal(upload, link=board, created_by=person_of(request))
        messages.info(
            request, f"{upload.label} is being withdrawn; the board is then computed without it."
        )
        return redirect(board)
    doomed = Submission.objects.of_run(upload).filter(edition__gte=upload.edition)
    context = {
        "submission": submission,
        "upload": upload,
        "editions": doomed.for_lists().order_by("edition"),
        "crumbs": [
            (submission.corpus.title, board),
            (submission.label, submission.get_absolute_url()),
            ("Withdraw", ""),
        ],
    }
    return render(request, "grading/submission_withdraw.html", context)


def _upload_of(submission: Submission) -> Submission:
    """The edition with which the last of a submission's files came; it goes with them."""
    last = submission.files.select_related("submission__corpus").last()
    return last.submission if last else submission
