"""The pages of corpora: the start page, the list, one corpus with its filters, the forge form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.db.models import Avg, Count, Max, Min
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from enigmaforge_site.jobs.models import Job, State
from worlds import services, tasks
from worlds.core.errors import BadInput
from worlds.core.export import EXPORTS
from worlds.forms import CorpusForm, InstanceFilter
from worlds.models import Corpus, Instance
from worlds.views.access import get_corpus, person_of, sees_truth

__all__ = ["corpus_create", "corpus_detail", "corpus_forge", "corpus_list", "corpus_survey", "home"]

_ROWS = 25


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Say what this is, and how far the starter corpus has come."""
    starter = Corpus.objects.filter(slug=services.STARTER).first()
    standing = None
    if starter is not None:
        counts = starter.families.count(), starter.instances.count()
        standing = _standing(request, starter, *counts)
    return render(request, "pages/home.html", {"starter": standing})


@require_safe
def corpus_list(request: HttpRequest) -> HttpResponse:
    """List the corpora that this reader may see."""
    corpora = Corpus.objects.readable_by(request.user).with_counts().with_publication()
    return render(
        request,
        "worlds/corpus_list.html",
        {"corpora": corpora, "crumbs": [("Corpora", "")]},
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def corpus_create(request: HttpRequest) -> HttpResponse:
    """Order a corpus, or with `estimate` ask what it would cost.

    422 with the form if something in it cannot be had.
    """
    if "estimate" in request.POST:
        return _estimated(request)
    form = CorpusForm(request.POST or None)
    if form.is_valid():
        try:
            corpus = services.create_corpus(**form.cleaned_data, created_by=person_of(request))
        except BadInput as error:
            form.refuse(error)
        else:
            tasks.enqueue_corpus(corpus, created_by=person_of(request))
            return redirect(corpus)
    return _order(request, form, status=422 if form.is_bound else 200)


def _order(request: HttpRequest, form: CorpusForm, status: int = 200, **more: Any) -> HttpResponse:
    crumbs = [("Corpora", "/corpora/"), ("New corpus", "")]
    context = {"form": form, "crumbs": crumbs, **more}
    return render(request, "worlds/corpus_create.html", context, status=status)


def _estimated(request: HttpRequest) -> HttpResponse:
    """The order as it was sent, with what it comes to; to htmx that part alone."""
    form = CorpusForm(request.POST, named=False)
    is_valid = form.is_valid()
    estimate = form.estimate
    if request.headers.get("HX-Request") == "true":
        return render(request, "worlds/_estimate.html", {"estimate": estimate, "asked": True})
    return _order(request, form, 200 if is_valid else 422, estimate=estimate, asked=True)


@require_POST
@login_required
def corpus_forge(request: HttpRequest, slug: str) -> HttpResponse:
    """Go on forging a corpus that is not complete."""
    corpus = get_corpus(slug, request.user)
    if corpus.is_complete:
        messages.info(request, "This corpus is complete.")
    elif tasks.enqueue_corpus(corpus, created_by=person_of(request)).state == State.PAUSED:
        messages.info(request, "Somebody has paused this; it goes on when they let it.")
    return redirect(corpus)


@require_POST
@login_required
def corpus_survey(request: HttpRequest, slug: str) -> HttpResponse:
    """Survey a complete corpus, for the first time or anew."""
    corpus = get_corpus(slug, request.user)
    if corpus.is_complete:
        tasks.enqueue_survey(corpus, created_by=person_of(request))
    else:
        messages.info(request, "This corpus is surveyed when it is complete.")
    return redirect(corpus)


@require_safe
def corpus_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """One corpus: its standing, its shape, its instances by level, condition and genre."""
    corpus = get_corpus(slug, request.user)
    chosen = InstanceFilter.of(corpus, request.GET)
    context: dict[str, Any] = {"corpus": corpus, "filter": chosen, "page": _page_of(chosen)}
    if _wants_rows(request):
        return render(request, "worlds/_instance_rows.html", context)
    shape = list(_shape(corpus))
    families = sum(row["families"] for row in shape)
    instances = corpus.instances.count() if chosen.query else context["page"].paginator.count
    context |= {
        "standing": _standing(request, corpus, families, instances),
        "shape": shape,
        "survey": services.survey_page(corpus, with_truth=sees_truth(request.user)),
        "survey_job": _unsettled_job(request, corpus.survey_key),
        "lost": corpus.lost.all(),
        "exports": EXPORTS if corpus.is_complete else (),
        "is_published": corpus.is_published,
        "crumbs": [("Corpora", "/corpora/"), (corpus.title, "")],
    }
    return render(request, "worlds/corpus_detail.html", context)


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a corpus has come, and the job on it that this reader may see."""

    corpus: Corpus
    job: Job | None
    families: int
    instances: int
    may_forge: bool


def _standing(request: HttpRequest, corpus: Corpus, families: int, instances: int) -> Standing:
    job = None
    if not corpus.is_complete:
        mine = Job.objects.visible_to(request.user)
        job = mine.filter(kind="forge_corpus", key=corpus.job_key).first()
    return Standing(
        corpus=corpus,
        job=job,
        families=families,
        instances=instances,
        may_forge=request.user.is_authenticated and not corpus.is_complete and job is None,
    )


def _unsettled_job(request: HttpRequest, key: str) -> Job | None:
    """The last job filed under a key, if it came to no end yet or to a bad one.

    None for a reader who may not see it.
    """
    job = Job.objects.visible_to(request.user).filter(key=key).first()
    return None if job is None or job.state in (State.DONE, State.CANCELLED) else job


def _shape(corpus: Corpus) -> Iterable[Mapping[str, Any]]:
    """What the families of each level are made of; counts only, so visitors may see it."""
    return (
        corpus.families.order_by("level")
        .values("level")
        .annotate(
            families=Count("pk"),
            clues=Avg("clue_count"),
            distractors=Avg("distractor_count"),
            least_rounds=Min("rounds"),
            most_rounds=Max("rounds"),
            attempts=Avg("attempts"),
        )
    )


def _page_of(chosen: InstanceFilter) -> Page[Instance]:
    rows = chosen.corpus.instances.all()
    if chosen.level:
        rows = rows.at_level(chosen.level)
    if chosen.condition:
        rows = rows.in_condition(chosen.condition)
    if chosen.genre:
        rows = rows.in_genre(chosen.genre)
    if chosen.burial:
        rows = rows.told_at(None if chosen.burial == "none" else int(chosen.burial))
    # A page that does not exist becomes the nearest that does.
    return Paginator(rows.for_lists().reading_order(), _ROWS).get_page(chosen.page)


def _wants_rows(request: HttpRequest) -> bool:
    """Whether htmx asks for the rows alone; a page restored from history is asked for whole."""
    headers = request.headers
    return headers.get("HX-Request") == "true" and "HX-History-Restore-Request" not in headers
