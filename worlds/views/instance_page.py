"""What the page of an instance shows: the record for everybody, the truth for those who may see it.

`truth` is None for a visitor, and then no unit, span, certificate or value is anywhere in here.
"""

from __future__ import annotations

from dataclasses import dataclass
from django.contrib.auth.models import AnonymousUser, User
from django.urls import reverse

from worlds import services
from worlds.core.model import UNIT_ROLES
from worlds.models import Instance
from worlds.views.access import sees_truth

__all__ = ["InstancePage", "TruthPanel"]


@dataclass(frozen=True, slots=True)
class TruthPanel:
    """All that is proved about the world behind a record."""

    units: tuple[services.EvidenceCard, ...]
    roles: tuple[str, ...]
    facts: tuple[services.Fact, ...]
    policy: services.PolicyProof
    reason: services.Reason | None
    asked: str

    @classmethod
    def of(cls, row: Instance, asked: str) -> TruthPanel:
        """Read a row that was loaded with its truth; no query.

        `asked` is the mark whose fact is to be explained, or empty.
        """
        certificate = row.family.certificate
        world = services.world_of(row.family)
        units = services.evidence_of(world, certificate, services.documents_of(row.documents))
        present = {unit.role for unit in units}
        return cls(
            units=units,
            roles=tuple(role for role in UNIT_ROLES if role in present),
            facts=services.facts_of(world),
            policy=services.policy_of(world, certificate),
            reason=services.reason_of(world, asked) if asked else None,
            asked=asked,
        )


@dataclass(frozen=True, slots=True)
class InstancePage:
    """The context of the page."""

    row: Instance
    preface: str
    papers: tuple[services.Paper, ...]
    coda: str
    siblings: tuple[tuple[str, str, bool], ...]
    lit: bool
    truth: TruthPanel | None

    @classmethod
    def of(
        cls, row: Instance, user: User | AnonymousUser, *, lit: bool, asked: str = ""
    ) -> InstancePage:
        """Make the context for one reader; a visitor cannot light or ask anything."""
        truth = TruthPanel.of(row, asked) if sees_truth(user) else None
        documents = services.documents_of(row.documents)
        roles = {unit.id: unit.role for unit in truth.units} if truth else None
        preface, coda = services.around_papers(row.prompt, documents)
        return cls(
            row=row,
            preface=preface,
            papers=services.papers_of(documents, roles=roles),
            coda=coda,
            siblings=_siblings(row),
            lit=lit and truth is not None,
            truth=truth,
        )

    @property
    def crumbs(self) -> list[tuple[str, str]]:
        """The way here."""
        corpus = self.row.corpus
        return [
            ("Corpora", reverse("worlds:corpus_list")),
            (corpus.title, corpus.get_absolute_url()),
            (self.row.sample_id, ""),
        ]


def _siblings(row: Instance) -> tuple[tuple[str, str, bool], ...]:
    """Every surface of the family: what it is called, where it is, whether it is this one."""
    rows = row.family.instances.order_by("condition", "realization").values_list(
        "sample_id", "condition", "realization"
    )
    return tuple(
        (
            f"{condition} {realization}",
            reverse("worlds:instance_detail", args=(row.corpus.slug, sample_id)),
            sample_id == row.sample_id,
        )
        for sample_id, condition, realization in rows
    )
