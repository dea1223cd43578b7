"""Who may see what of a solver's work: the one place that decides.

Scores are for everybody. A reply tells the truth if it is right, and so do the verdict on each
fact, the diagnosis, the clues that a reply contradicts and the rows that could not be taken: these
are for whoever may see the truth. A visitor's page does not hide them; it never loads them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase

from grading.models import Participant, Record, Submission, SubmissionKind
from grading.services.solving import find_participant
from worlds.models import Corpus
from worlds.views.access import get_corpus, person_of, sees_truth

__all__ = [
    "get_corpus",
    "get_record",
    "get_submission",
    "may_change",
    "own_submission",
    "person_of",
    "sees_truth",
    "taking_part",
    "truth_required",
]

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def truth_required(view: View[P]) -> View[P]:
    """Send everybody else to sign in; a fragment is refused, for it cannot show a form."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if sees_truth(request.user):
            return view(request, *args, **kwargs)
        if request.headers.get("HX-Request") == "true":
            return HttpResponse(status=403)
        return redirect_to_login(request.get_full_path())

    return guarded


def get_submission(submission_id: int) -> Submission:
    """The submission with its corpus and job, or a 404 that says so."""
    rows = Submission.objects.select_related("corpus", "job", "created_by", "report")
    submission = rows.defer("report__content").filter(pk=submission_id).first()
    if submission is None:
        raise Http404(f"There is no submission {submission_id}.")
    return submission


def may_change(user: User | AnonymousUser, submission: Submission) -> bool:
    """Whether this person may add to a run or withdraw it: who uploaded it, and staff."""
    if not user.is_authenticated or submission.kind != SubmissionKind.MODEL:
        return False
    return user.is_staff or submission.created_by_id == user.pk


def own_submission(user: User | AnonymousUser, submission_id: int) -> Submission:
    """A submission that this person may change; 403 for one of somebody else, and for a control."""
    submission = get_submission(submission_id)
    if not may_change(user, submission):
        raise PermissionDenied
    return submission


def get_record(submission_id: int, record_id: int) -> Record:
    """A record with the truth that it was graded by; only behind `truth_required`."""
    rows = Record.objects.select_related(
        "submission__corpus", "instance__corpus", "instance__family", "file"
    )
    record = rows.filter(submission=submission_id, pk=record_id).first()
    if record is None:
        raise Http404(f"Submission {submission_id} has no record {record_id}.")
    return record


def taking_part(request: HttpRequest, slug: str) -> tuple[Corpus, Participant | None]:
    """A complete corpus, and the person as they take part in it; only behind `login_required`."""
    corpus = get_corpus(slug)
    person = person_of(request)
    if not corpus.is_complete or person is None:
        raise Http404(f"The corpus {slug} is not there to be solved.")
    return corpus, find_participant(corpus, person)
