"""Figures of a frozen report: all of them, one alone, and the numbers of one as CSV.

The address holds what was chosen, so a link shows the same view of the report of then or now.
"""

from __future__ import annotations

from typing import Any, NamedTuple, ParamSpec, cast
from urllib.parse import urlencode

from csp.constants import UNSAFE_INLINE
from csp.decorators import csp_update
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from enigmaforge_site.downloads import download
from grading.figures import FIGURES, TITLES, Figure
from grading.forms import Filter, SolverChoice, figure_filter
from grading.models import Report
from grading.services.figures import Gallery, figure_csv, gallery_of
from grading.services.freezing import latest_report
from grading.views.access import View, get_corpus
from worlds.models import Corpus

__all__ = ["figure_data", "figure_detail", "figure_list", "figure_policy"]

P = ParamSpec("P")

_MOST = 60
_ASKED = {"intuition": ("condition",), "statuses": ("condition", "status")}
"""What a figure depends on beside the choice of solvers."""

_POLICY = {
    # Plotly places the parts of a figure with style attributes; a heat map is a data image, and a
    # picture to be downloaded is a blob. No page without a figure allows any of the three.
    "style-src-attr": [UNSAFE_INLINE],
    "img-src": ["data:", "blob:"],
}


def figure_policy(view: View[P]) -> View[P]:
    """Allow what a page with a figure needs, on top of the policy of every page."""
    return cast("View[P]", csp_update(_POLICY)(cast("Any", view)))


class _Chosen(NamedTuple):
    """A gallery and what the address asks of it."""

    gallery: Gallery
    solvers: SolverChoice
    filter: Filter

    def draw(self, name: str) -> Figure:
        """One figure as it was asked for."""
        return self.gallery.figure(name, keys=self.solvers.keys, **self.filter.chosen)

    @property
    def query(self) -> str:
        """The view as a query string with its `?`, or nothing."""
        chosen = urlencode([*self.solvers.pairs, *self.filter.chosen.items()])
        return f"?{chosen}" if chosen else ""

    @property
    def complaints(self) -> list[str]:
        """What of the address makes no sense."""
        return [*self.solvers.complaints, *self.filter.complaints]


@require_safe
@figure_policy
def figure_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Every figure of the report, with its table."""
    corpus = get_corpus(slug)
    context = _context(request, corpus, list(FIGURES))
    context["crumbs"] = [*_crumbs(corpus), ("Figures", "")]
    return render(request, "grading/figure_list.html", context)


@require_safe
@figure_policy
def figure_detail(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """One figure alone."""
    corpus = get_corpus(slug)
    _check(name)
    address = reverse("grading:figure_list", args=(slug,))
    context = _context(request, corpus, [name]) | {
        "title": TITLES[name],
        "all_figures": f"{address}?{request.GET.urlencode()}" if request.GET else address,
        "crumbs": [*_crumbs(corpus), ("Figures", address), (TITLES[name], "")],
    }
    return render(request, "grading/figure_detail.html", context)


@require_safe
def figure_data(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """The numbers of one figure as they are chosen; of a void report only the head."""
    corpus = get_corpus(slug)
    _check(name)
    report = latest_report(corpus)
    if report is None:
        raise Http404(f"There is no report on corpus {slug} yet.")
    figure = _chosen(report, request.GET).draw(name)
    file = f"{slug}-{report.sha256[:8]}-{name}.csv"
    text = figure_csv(figure, report.sha256)
    return download(text, name=file, content_type="text/csv; charset=utf-8")


def _check(name: str) -> None:
    if name not in FIGURES:
        raise Http404(f"There is no figure {name}; there are {', '.join(FIGURES)}.")


def _chosen(report: Report, query: QueryDict) -> _Chosen:
    gallery = gallery_of(report)
    offered = {solver.row["key"]: solver.label for solver in gallery.solvers}
    return _Chosen(
        gallery,
        SolverChoice.of(offered, query, most=_MOST),
        figure_filter(gallery.conditions, query),
    )


def _crumbs(corpus: Corpus) -> list[tuple[str, str]]:
    board = reverse("grading:leaderboard_detail", args=(corpus.slug,))
    return [("Leaderboard", reverse("grading:leaderboard_list")), (corpus.title, board)]


def _context(request: HttpRequest, corpus: Corpus, names: list[str]) -> dict[str, Any]:
    report = latest_report(corpus)
    context: dict[str, Any] = {"corpus": corpus, "report": report, "reset": request.path}
    if report is None:
        return context
    chosen = _chosen(report, request.GET)
    return context | {
        "gallery": chosen.gallery,
        "figures": [] if chosen.gallery.is_void else [chosen.draw(name) for name in names],
        "large": len(names) == 1,
        "solver_choice": chosen.solvers,
        "filter": chosen.filter,
        "asked": {choice for name in names for choice in _ASKED.get(name, ())},
        "complaints": chosen.complaints,
        "query": chosen.query,
    }
