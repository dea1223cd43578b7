"""People solve instances: consent, and a list to choose from. The work itself is `attempts`.

For those who are signed in.
"""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from grading import tasks
from grading.forms import Filter, JoinForm, instance_filter
from grading.services import solving
from grading.services.answering import withdraw
from grading.views.access import person_of, taking_part
from grading.views.solving_page import attempt_lines, crumbs_of
from worlds.core.errors import BadInput
from worlds.models import Corpus, InstanceQuerySet

__all__ = ["solving_corpus", "solving_join", "solving_list", "solving_withdraw"]

_ROWS = 25


@require_safe
@login_required
def solving_list(request: HttpRequest) -> HttpResponse:
    """List the corpora that a person can solve instances of."""
    mine = Q(participants__user=person_of(request), participants__attempts__submitted__isnull=False)
    handed_in = Count("participants__attempts", filter=mine)
    corpora = Corpus.objects.published().annotate(handed_in=handed_in)
    crumbs = [("Solve", "")]
    return render(request, "grading/solving_list.html", {"corpora": corpora, "crumbs": crumbs})


@require_safe
@login_required
def solving_corpus(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose an instance, or have one picked by `?pick=1`; before consent, what it is about."""
    corpus, participant = taking_part(request, slug)
    if participant is None:
        return _consent(request, corpus, JoinForm())
    chosen = instance_filter(corpus, request.GET)
    rows = _narrowed(solving.open_instances(participant), chosen)
    if request.GET.get("pick") and (picked := solving.pick_instance(rows)):
        return redirect("grading:solving_instance", slug, picked)
    context = {
        "corpus": corpus,
        "participant": participant,
        "lines": attempt_lines(participant),
        "filter": chosen,
        "page": Paginator(rows.for_lists().reading_order(), _ROWS).get_page(chosen.page),
        "crumbs": crumbs_of(corpus),
    }
    return render(request, "grading/solving_corpus.html", context)


@require_POST
@login_required
def solving_join(request: HttpRequest, slug: str) -> HttpResponse:
    """Take part: 422 with the form if the name cannot be had or nothing was agreed to."""
    corpus, _ = taking_part(request, slug)
    person = person_of(request)
    form = JoinForm(request.POST)
    if form.is_valid() and person is not None:
        try:
            solving.join(corpus, person, name=form.cleaned_data["name"])
        except BadInput as error:
            form.refuse(error)
        else:
            return redirect("grading:solving_corpus", slug)
    return _consent(request, corpus, form)


@require_POST
@login_required
def solving_withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete all that the person did on this corpus."""
    corpus, participant = taking_part(request, slug)
    if participant is not None:
        withdraw(participant)
        tasks.enqueue_report(corpus)
        messages.success(request, "All that you did here is deleted.")
    return redirect("grading:solving_list")


def _consent(request: HttpRequest, corpus: Corpus, form: JoinForm) -> HttpResponse:
    context = {
        "corpus": corpus,
        "form": form,
        "consent": solving.CONSENT.splitlines(),
        "crumbs": crumbs_of(corpus),
    }
    status = 422 if form.is_bound else 200
    return render(request, "grading/solving_consent.html", context, status=status)


def _narrowed(rows: InstanceQuerySet, chosen: Filter) -> InstanceQuerySet:
    made = chosen.chosen
    if level := made.get("level"):
        rows = rows.at_level(level)
    if condition := made.get("condition"):
        rows = rows.in_condition(condition)
    if genre := made.get("genre"):
        rows = rows.in_genre(genre)
    return rows
