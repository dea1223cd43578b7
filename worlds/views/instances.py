"""The page of an instance, and its downloads."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from enigmaforge_site.downloads import download
from worlds import services
from worlds.core.codec import canonical
from worlds.models import Instance
from worlds.views.access import get_instance
from worlds.views.instance_page import Asked, InstancePage

__all__ = [
    "certificate_json",
    "instance_detail",
    "instance_json",
    "instance_prompt",
    "proof_cnf",
    "proof_drat",
]


@require_safe
def instance_detail(request: HttpRequest, slug: str, sample_id: str) -> HttpResponse:
    """An instance as its reader sees it; `?beside=` shows another surface of its family beside it.

    To whoever may see the truth `?lit=1` lights the clues, `?why=W-21` says what forces a fact, and
    `?without=E5` lays the world beside the true one that fits without that clue.
    """
    row = get_instance(request.user, slug, sample_id)
    page = InstancePage.of(row, request.user, Asked.of(request.GET))
    return render(request, "worlds/instance_detail.html", {"page": page, "crumbs": page.crumbs})


@require_safe
def instance_prompt(request: HttpRequest, slug: str, sample_id: str) -> HttpResponse:
    """What a model receives, to the byte."""
    row = get_instance(request.user, slug, sample_id)
    return _file(row, row.prompt, "txt", "text/plain")


@require_safe
@login_required
def instance_json(request: HttpRequest, slug: str, sample_id: str) -> HttpResponse:
    """The whole instance, truth included, in canonical JSON."""
    row = get_instance(request.user, slug, sample_id)
    return _file(row, services.instance_json(row) + "\n", "json", "application/json")


@require_safe
@login_required
def certificate_json(request: HttpRequest, slug: str, sample_id: str) -> HttpResponse:
    """The certificate of an instance's world, in canonical JSON."""
    row = get_instance(request.user, slug, sample_id)
    text = canonical(row.family.certificate) + "\n"
    return _file(row, text, "certificate.json", "application/json")


@require_safe
@login_required
def proof_cnf(request: HttpRequest, slug: str, sample_id: str) -> HttpResponse:
    """The formula "another world fits the evidence" in DIMACS; proved anew in milliseconds."""
    family = get_instance(request.user, slug, sample_id).family
    return _download(f"{family}.cnf", services.proof_of(family).cnf, "text/plain")


@require_safe
@login_required
def proof_drat(request: HttpRequest, slug: str, sample_id: str) -> HttpResponse:
    """The refutation of that formula, which any checker of DRAT proofs reads."""
    family = get_instance(request.user, slug, sample_id).family
    return _download(f"{family}.drat", services.proof_of(family).drat, "text/plain")


def _file(row: Instance, text: str, suffix: str, kind: str) -> HttpResponse:
    return _download(f"{row.sample_id}.{suffix}", text, kind)


def _download(name: str, text: str, kind: str) -> HttpResponse:
    return download(text, name=name, content_type=f"{kind}; charset=utf-8")
