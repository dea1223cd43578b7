"""The page of a certificate: what three engines proved of a world, each to be asked again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from worlds import services
from worlds.models import Instance, Recheck
from worlds.views.access import get_instance

__all__ = ["CertificatePage", "certificate_detail"]


@require_safe
@login_required
def certificate_detail(request: HttpRequest, slug: str, sample_id: str) -> HttpResponse:
    """The certificate of an instance's world; `?sort=-models` sorts what is lost by clue."""
    row = get_instance(request.user, slug, sample_id)
    page = CertificatePage.of(row, request.GET.get("sort", "")[:20])
    return render(request, "worlds/certificate_detail.html", {"page": page, "crumbs": page.crumbs})


@dataclass(frozen=True, slots=True)
class CertificatePage:
    """The context of the page."""

    row: Instance
    engines: tuple[tuple[services.Engine, Recheck | None], ...]
    ablations: tuple[services.Ablation, ...]
    sort: str
    descending: bool
    distractors: tuple[services.DistractorPanel, ...]
    bridges: tuple[services.BridgeProof, ...]
    policy: services.PolicyProof
    readings: tuple[services.Reading, ...]
    inference: Mapping[str, Any]
    profile: services.Profile
    digests: Mapping[str, str]

    @classmethod
    def of(cls, row: Instance, sort: str) -> CertificatePage:
        """Read a row that was loaded with its truth; one query, for the re-runs.

        An unknown sort is the order of the units.
        """
        certificate = row.family.certificate
        world = services.world_of(row.family)
        documents = services.documents_of(row.documents)
        units = services.evidence_of(world, certificate, documents)
        rechecks = services.latest_rechecks(row.family)
        key = sort.removeprefix("-") if sort.removeprefix("-") in services.ABLATION_ORDERS else ""
        return cls(
            row=row,
            engines=tuple(
                (engine, rechecks.get(engine.key)) for engine in services.engines_of(certificate)
            ),
            ablations=services.ablations_of(world, certificate, sort if key else ""),
            sort=key or "unit",
            descending=bool(key) and sort.startswith("-"),
            distractors=services.distractors_of(units, world, documents),
            bridges=services.bridges_of(world, certificate),
            policy=services.policy_of(world, certificate),
            readings=services.readings_of(certificate),
            inference=certificate["inference"],
            profile=services.profile_of(world, certificate),
            digests=certificate["uniqueness"],
        )

    @property
    def instance_url(self) -> str:
        """The page of the instance, which a reference to a unit leads to."""
        return self.row.get_absolute_url()

    @property
    def against(self) -> tuple[str, ...]:
        """The engines that were asked again and now refute what the certificate says."""
        return tuple(
            engine.name
            for engine, recheck in self.engines
            if recheck is not None and recheck.outcome == "refuted"
        )

    @property
    def load_bits(self) -> float:
        """What all clues settle, each for itself."""
        return sum(row.load_bits for row in self.ablations)

    @property
    def crumbs(self) -> list[tuple[str, str]]:
        """The way here."""
        corpus = self.row.corpus
        return [
            ("Corpora", reverse("worlds:corpus_list")),
            (corpus.title, corpus.get_absolute_url()),
            (self.row.sample_id, self.instance_url),
            ("Certificate", ""),
        ]
