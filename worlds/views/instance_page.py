"""What the page of an instance shows: the record for everybody, the truth for those who may see it.

`truth` is None for a visitor, and then no unit, span, certificate or value is anywhere in here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser, User
from django.urls import reverse

from worlds import services
from worlds.core.model import UNIT_ROLES, World
from worlds.models import Instance
from worlds.views.access import sees_truth

__all__ = ["Asked", "InstancePage", "Surface", "SurfaceLink", "TruthPanel"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for: light, a fact's reason, a clue's absence, a second surface.

    A question lights the clues, unless the address puts them out.
    """

    lit: bool = False
    why: str = ""
    without: str = ""
    beside: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Asked:
        """Read a query; what is too long to be a mark, a clue or an id is cut."""
        why, without = query.get("why", "")[:20], query.get("without", "")[:20]
        lit = query.get("lit", "1" if why or without else "")
        return cls(lit == "1", why, "" if why else without, query.get("beside", "")[:80])

    @property
    def kept(self) -> str:
        """The second surface, to be put behind the query of a link."""
        return "&" + urlencode({"beside": self.beside}) if self.beside else ""


@dataclass(frozen=True, slots=True)
class TruthPanel:
    """All that is proved about the world behind a record, and what was asked of it."""

    units: tuple[services.EvidenceCard, ...]
    roles: tuple[str, ...]
    facts: tuple[services.Fact, ...]
    policy: services.PolicyProof
    reason: services.Reason | None
    both: services.SideBySide | None
    lines: Mapping[str, str]

    @classmethod
    def of(cls, row: Instance, asked: Asked) -> TruthPanel:
        """Read a row that was loaded with its truth; no query."""
        certificate = row.family.certificate
        world = services.world_of(row.family)
        units = services.evidence_of(world, certificate, services.documents_of(row.documents))
        return cls(
            units=units,
            roles=_present(world),
            facts=services.facts_of(world),
            policy=services.policy_of(world, certificate),
            reason=services.reason_of(world, asked.why) if asked.why else None,
            both=services.world_without(world, certificate, asked.without),
            lines=services.notation_lines(world),
        )

    @property
    def forcing(self) -> tuple[str, ...]:
        """The units that force the fact that was asked about."""
        return self.reason.units if self.reason else ()

    @property
    def marking(self) -> services.Marking:
        """What the text tells of the units."""
        return services.Marking(
            roles={unit.id: unit.role for unit in self.units},
            forcing=self.forcing,
            missing=self.both.clue.id if self.both else "",
        )


@dataclass(frozen=True, slots=True)
class Surface:
    """One surface of the family as it is read; `prefix` keeps its ids apart from another's."""

    row: Instance
    name: str
    prefix: str
    preface: str
    papers: tuple[services.Paper, ...]
    coda: str

    @classmethod
    def of(cls, row: Instance, truth: TruthPanel | None, prefix: str = "") -> Surface:
        """Cut a row's record, at its clauses if the truth may be shown."""
        marking = truth.marking if truth else None
        if row.condition == "formal":
            lines = truth.lines if truth else {}
            preface, papers, coda = services.notation_of(row.prompt, lines, marking)
        else:
            documents = services.documents_of(row.documents)
            papers = services.papers_of(
                documents,
                roles=marking.roles if marking else None,
                forcing=marking.forcing if marking else (),
                missing=marking.missing if marking else "",
                story=row.burial is not None,
            )
            preface, coda = services.around_papers(row.prompt, documents)
        return cls(row, _name(row), prefix, preface, papers, coda)

    @property
    def summary(self) -> str:
        """What the reader has before him, in a few words."""
        if self.row.condition == "formal":
            return "The same world without its story, in formal notation."
        if self.row.burial is not None:
            return "One story, told from beginning to end."
        count = len(self.papers)
        return f"{count} paper{'' if count == 1 else 's'} and nothing else."


@dataclass(frozen=True, slots=True)
class SurfaceLink:
    """Another surface of the family, or this one."""

    name: str
    sample_id: str
    href: str
    is_here: bool


@dataclass(frozen=True, slots=True)
class InstancePage:
    """The context of the page."""

    row: Instance
    asked: Asked
    surface: Surface
    beside: Surface | None
    siblings: tuple[SurfaceLink, ...]
    lit: bool
    truth: TruthPanel | None
    units: tuple[services.EvidenceCard, ...]

    @classmethod
    def of(cls, row: Instance, user: User | AnonymousUser, asked: Asked) -> InstancePage:
        """Make the context for one reader; a visitor cannot light or ask anything."""
        truth = TruthPanel.of(row, asked) if sees_truth(user) else None
        siblings = _siblings(row)
        surface = Surface.of(row, truth)
        return cls(
            row=row,
            asked=asked,
            surface=surface,
            beside=_beside(row, siblings, truth, asked),
            siblings=siblings,
            lit=asked.lit and truth is not None,
            truth=truth,
            units=services.placed(truth.units, surface.papers) if truth else (),
        )

    @property
    def certificate_url(self) -> str:
        """The page of the certificate."""
        return reverse("worlds:certificate_detail", args=(self.row.corpus.slug, self.row.sample_id))

    @property
    def crumbs(self) -> list[tuple[str, str]]:
        """The way here."""
        corpus = self.row.corpus
        return [
            ("Corpora", reverse("worlds:corpus_list")),
            (corpus.title, corpus.get_absolute_url()),
            (self.row.sample_id, ""),
        ]


def _present(world: World) -> tuple[str, ...]:
    present = {unit.role for unit in world.units}
    return tuple(role for role in UNIT_ROLES if role in present)


def _siblings(row: Instance) -> tuple[SurfaceLink, ...]:
    """Every surface of the family; runs a query."""
    rows = row.family.instances.order_by("condition", "realization", "burial", "pk").only(
        "family", "sample_id", "condition", "realization", "burial", "narrator", "contract"
    )
    return tuple(
        SurfaceLink(
            _name(each),
            each.sample_id,
            reverse("worlds:instance_detail", args=(row.corpus.slug, each.sample_id)),
            each.sample_id == row.sample_id,
        )
        for each in rows
    )


def _beside(
    row: Instance, siblings: tuple[SurfaceLink, ...], truth: TruthPanel | None, asked: Asked
) -> Surface | None:
    """The surface to be shown beside; runs a query if the family has one of that id."""
    known = {each.sample_id for each in siblings if not each.is_here}
    if asked.beside not in known:
        return None
    other = row.family.instances.get(sample_id=asked.beside)
    other.corpus = row.corpus
    return Surface.of(other, truth, prefix="beside-")


def _name(row: Instance) -> str:
    """What tells a surface from the others of its family."""
    parts = [f"{row.condition} {row.realization}"]
    if row.burial is not None:
        parts.append(f"burial {row.burial}")
    if row.narrator == "chat":
        parts.append("told by a model")
    if row.contract == "deferred":
        parts.append("contract deferred")
    return ", ".join(parts)
