"""The pages of the distractor review: the queue, one distractor, the review of a corpus.

All of it is truth, so all of it is for people who are signed in.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from worlds.core.errors import BadInput
from worlds.models import Corpus, ReviewItem, Said
from worlds.services.review_assigning import assign_items, may_assign, reviewers_of
from worlds.services.review_progress import progress_of
from worlds.services.reviewing import (
    ReviewRefused,
    comment_on,
    content_of,
    decide,
    lock_item,
    may_judge,
    release_item,
)
from worlds.views.access import get_corpus, person_of
from worlds.views.review_filter import ReviewFilter
from worlds.views.review_forms import AssignForm, CommentForm, DecisionForm
from worlds.views.review_page import ReviewPage, get_item, lock_of

__all__ = [
    "review_assign",
    "review_comment",
    "review_corpus",
    "review_decide",
    "review_item",
    "review_lock",
    "review_next",
    "review_queue",
    "review_skip",
]

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, User, P], HttpResponse]


def is_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks, for a part of a page."""
    return request.headers.get("HX-Request") == "true"


def reviewer_required(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Give a view the person who is signed in; send a visitor to sign in, and refuse a fragment."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        person = person_of(request)
        if person is not None:
            return view(request, person, *args, **kwargs)
        if is_fragment(request):
            return HttpResponse(status=403)
        return redirect_to_login(request.get_full_path())

    return guarded


@require_safe
@reviewer_required
def review_queue(request: HttpRequest, person: User) -> HttpResponse:
    """List what there is to review; the filter is in the address."""
    chosen = ReviewFilter.of(request.GET)
    page = chosen.page(person)
    context = {"filter": chosen, "page": page, "now": timezone.now()}
    wants_rows = is_fragment(request) and "HX-History-Restore-Request" not in request.headers
    template = "worlds/_review_rows.html" if wants_rows else "worlds/review_queue.html"
    return render(request, template, context)


@require_safe
@reviewer_required
def review_next(request: HttpRequest, person: User) -> HttpResponse:
    """Go to the first distractor that fits and waits for this person."""
    return _onwards(request, person, after=0)


@require_safe
@reviewer_required
def review_item(request: HttpRequest, person: User, item_id: int) -> HttpResponse:
    """One distractor with all it takes to judge it; locks it for who has yet to do so."""
    item, now = get_item(item_id), timezone.now()
    is_open = ReviewItem.objects.filter(pk=item.pk).open_to(person, now).exists()
    if request.method == "GET" and is_open:
        lock_item(item, reviewer=person, now=now)
    return _shown(request, _page(request, person, item))


@require_POST
@reviewer_required
def review_decide(request: HttpRequest, person: User, item_id: int) -> HttpResponse:
    """Approve or reject, and go on to the next; 422 without a reason, 409 if it is too late."""
    item = get_item(item_id)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        return _shown(request, _page(request, person, item, decision=form), status=422)
    said = Said(form.cleaned_data["said"])
    try:
        decide(
            item, reviewer=person, said=said, reason=form.cleaned_data["reason"],
            seen=form.cleaned_data["seen"], now=timezone.now(),
        )  # fmt: skip
    except BadInput as error:
        form.refuse(error)
        return _shown(request, _page(request, person, item, decision=form), status=422)
    except ReviewRefused as refusal:
        return _refused(request, person, item, refusal, decision=form)
    messages.success(request, f"{said.label.capitalize()}: {item}.")
    return _onwards(request, person, after=item.pk)


@require_POST
@reviewer_required
def review_comment(request: HttpRequest, person: User, item_id: int) -> HttpResponse:
    """Comment on words of the record, and stay; 422 if they are not there."""
    item = get_item(item_id)
    form = CommentForm(request.POST)
    if not form.is_valid():
        return _shown(request, _page(request, person, item, comment=form), status=422)
    try:
        entry = comment_on(
            item, author=person, text=form.cleaned_data["comment"],
            anchor=form.anchor(content_of(item)), seen=form.cleaned_data["seen"],
            now=timezone.now(),
        )  # fmt: skip
    except BadInput as error:
        form.refuse(error)
        return _shown(request, _page(request, person, item, comment=form), status=422)
    except ReviewRefused as refusal:
        return _refused(request, person, item, refusal, comment=form)
    return redirect(f"{_link(item, ReviewFilter.of(request.GET))}#entry-{entry.pk}")


@require_POST
@reviewer_required
def review_skip(request: HttpRequest, person: User, item_id: int) -> HttpResponse:
    """Let go of an item undecided, and go on to the next."""
    item = get_item(item_id)
    release_item(item, reviewer=person)
    return _onwards(request, person, after=item.pk)


@require_POST
@reviewer_required
def review_lock(request: HttpRequest, person: User, item_id: int) -> HttpResponse:
    """Renew the lock of who is at work; answers with how it stands."""
    item, now = get_item(item_id), timezone.now()
    if may_judge(person, item.corpus):
        lock_item(item, reviewer=person, now=now)
    context = {"item": item, "lock": lock_of(item, person, now)}
    return render(request, "worlds/_review_lock.html", context)


@require_safe
@reviewer_required
def review_corpus(request: HttpRequest, person: User, slug: str) -> HttpResponse:
    """How far the review of a corpus has come, and who is asked to do the rest."""
    corpus = get_corpus(slug, person)
    each = max(1, corpus.required_approvals)
    form = AssignForm(reviewers_of(corpus), initial={"each": each})
    return _corpus_page(request, person, corpus, form)


@require_POST
@reviewer_required
def review_assign(request: HttpRequest, person: User, slug: str) -> HttpResponse:
    """Ask people to review; 403 for whoever neither made the corpus nor is of the staff."""
    corpus = get_corpus(slug, person)
    if not may_assign(person, corpus):
        raise PermissionDenied("Only who forged a corpus, and the staff, ask people to review it.")
    form = AssignForm(reviewers_of(corpus), request.POST)
    if form.is_valid():
        try:
            made = assign_items(
                corpus, reviewers=form.chosen, each=form.cleaned_data["each"], assigned_by=person
            )
        except BadInput as error:
            form.refuse(error)
        else:
            messages.success(request, _assigned(made))
            return redirect("worlds:review_corpus", slug=slug)
    return _corpus_page(request, person, corpus, form, status=422)


def _page(request: HttpRequest, person: User, item: ReviewItem, **more: Any) -> ReviewPage:
    return ReviewPage.of(item, person, ReviewFilter.of(request.GET), now=timezone.now(), **more)


def _shown(request: HttpRequest, page: ReviewPage, status: int = 200) -> HttpResponse:
    context = {"page": page, "item": page.item, "lock": page.lock, "crumbs": page.crumbs}
    return render(request, "worlds/review_item.html", context, status=status)


def _refused(
    request: HttpRequest, person: User, item: ReviewItem, refusal: ReviewRefused, **forms: Any
) -> HttpResponse:
    """The page as it is now, with what was typed; 409."""
    page = _page(request, person, get_item(item.pk), notice=str(refusal), **forms)
    return _shown(request, page, status=409)


def _onwards(request: HttpRequest, person: User, *, after: int) -> HttpResponse:
    """On to the next item of the same filter, or back to the queue when there is none."""
    chosen = ReviewFilter.of(request.GET)
    item = chosen.next_for(person, after=after, now=timezone.now())
    if item is not None:
        return redirect(_link(item, chosen))
    messages.info(request, "Nothing is left here that waits for you.")
    return redirect(f"{reverse('worlds:review_queue')}{chosen.suffix}")


def _link(item: ReviewItem, chosen: ReviewFilter) -> str:
    return f"{item.get_absolute_url()}{chosen.suffix}"


def _corpus_page(
    request: HttpRequest, person: User, corpus: Corpus, form: AssignForm, status: int = 200
) -> HttpResponse:
    context = {
        "corpus": corpus,
        "progress": progress_of(corpus),
        "form": form if may_assign(person, corpus) else None,
        "is_own": not may_judge(person, corpus),
        "crumbs": [("Review", reverse("worlds:review_queue")), (corpus.title, "")],
    }
    return render(request, "worlds/review_corpus.html", context, status=status)


def _assigned(made: int) -> str:
    if made == 0:
        return "Everything is assigned to so many people already."
    return f"{made:,} request{'' if made == 1 else 's'} to review made."
