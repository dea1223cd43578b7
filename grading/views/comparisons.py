"""Two or more solvers beside each other, and the instances on which two of them part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from grading.core.compare import Who
from grading.forms import ALL_CONDITIONS, SolverChoice, comparison_filter
from grading.models import Report, Submission
from grading.services.board_links import keys_of
from grading.services.comparing import Pair, pairs_of, side_by_side
from grading.services.figures import Gallery, gallery_of
from grading.services.freezing import latest_report
from grading.views.access import get_corpus, sees_truth
from worlds.models import Corpus

__all__ = ["comparison_detail", "comparison_records"]

_MOST = 8
_ROWS = 50


@require_safe
def comparison_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """The first of the chosen solvers against each of the others."""
    corpus = get_corpus(slug)
    report = latest_report(corpus)
    context: dict[str, Any] = {
        "corpus": corpus,
        "report": report,
        "reset": request.path,
        "crumbs": [*_crumbs(corpus), ("Compare", "")],
    }
    if report is not None:
        context |= _chosen(corpus, report, request.GET)
    return render(request, "grading/comparison_detail.html", context)


@require_safe
def comparison_records(request: HttpRequest, slug: str) -> HttpResponse:
    """The instances that both of two solvers solved, one of them, or neither.

    An address that does not say which two, or which group, leads back to the choice.
    """
    corpus = get_corpus(slug)
    report = latest_report(corpus)
    who = request.GET.get("who", "")
    chosen = _chosen(corpus, report, request.GET) if report else {"pairs": []}
    pairs: Sequence[Pair] = chosen["pairs"]
    if who not in set(Who) or not pairs or pairs[0].found is None:
        return redirect(_address(corpus, request.GET.urlencode()))
    ids = pairs[0].found.solved[Who(who)]
    page = Paginator(ids, _ROWS).get_page(request.GET.get("page", "1"))
    context = chosen | {
        "corpus": corpus,
        "pair": pairs[0],
        "title": _words(pairs[0], Who(who)),
        "page": page,
        "rows": side_by_side(corpus, pairs[0], list(page.object_list)),
        "truth": sees_truth(request.user),
        "page_query": f"{chosen['query']}&who={who}&",
        "crumbs": [
            *_crumbs(corpus),
            ("Compare", _address(corpus, chosen["query"])),
            ("Instances", ""),
        ],
    }
    return render(request, "grading/comparison_records.html", context)


def _words(pair: Pair, who: Who) -> str:
    match who:
        case Who.FIRST:
            return f"Solved by {pair.first.label} alone"
        case Who.SECOND:
            return f"Solved by {pair.second.label} alone"
    return f"Solved by {who}"


def _crumbs(corpus: Corpus) -> list[tuple[str, str]]:
    board = reverse("grading:leaderboard_detail", args=(corpus.slug,))
    return [("Leaderboard", reverse("grading:leaderboard_list")), (corpus.title, board)]


def _address(corpus: Corpus, query: str) -> str:
    return f"{reverse('grading:comparison_detail', args=(corpus.slug,))}?{query}"


def _chosen(corpus: Corpus, report: Report, query: QueryDict) -> dict[str, Any]:
    """What the address asks for, and the comparisons; none for fewer than two solvers."""
    gallery = gallery_of(report)
    stored = keys_of(corpus)
    solvers = SolverChoice.of(_offered(gallery, stored), query, most=_MOST)
    narrowed = comparison_filter(query)
    condition = narrowed.chosen["condition"]
    pairs: list[Pair] = []
    if len(solvers.keys) > 1 and not gallery.is_void:
        over = "" if condition == ALL_CONDITIONS else condition
        pairs = pairs_of(corpus, [stored[key] for key in solvers.keys], over)
    return {
        "gallery": gallery,
        "solver_choice": solvers,
        "filter": narrowed,
        "asked": {"condition"},
        "choosing": len(solvers.keys) < 2,
        "complaints": [*solvers.complaints, *narrowed.complaints],
        "condition": condition,
        "pairs": pairs,
        "sections": [
            _section(corpus, pair, solvers.keys, number, condition)
            for number, pair in enumerate(pairs, start=1)
        ],
        "query": urlencode([*solvers.pairs, *narrowed.chosen.items()]),
    }


def _offered(gallery: Gallery, stored: dict[str, Submission]) -> dict[str, str]:
    """The solvers of the report whose records are still there."""
    return {
        solver.row["key"]: solver.label for solver in gallery.solvers if solver.row["key"] in stored
    }


def _section(
    corpus: Corpus, pair: Pair, keys: Sequence[str], number: int, condition: str
) -> dict[str, Any]:
    """One pair with the addresses of its lists, and of the comparison seen from its second."""
    two = [("m", keys[0]), ("m", keys[number]), ("condition", condition)]
    records = reverse("grading:comparison_records", args=(corpus.slug,))
    turned = [keys[number], *(key for key in keys if key != keys[number])]
    return {
        "pair": pair,
        "groups": [
            (
                group,
                _words(pair, group.who),
                f"{records}?{urlencode([*two, ('who', group.who.value)])}",
            )
            for group in pair.groups
        ],
        "turned": _address(
            corpus, urlencode([*(("m", key) for key in turned), ("condition", condition)])
        ),
    }
