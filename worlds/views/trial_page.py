"""What the page to try a world shows: the surfaces side by side, world by world what is proved.

All of it is truth; the view lets nobody in who may not know it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from worlds import services
from worlds.core.ids import InstanceId, parse_id
from worlds.core.instance import Instance
from worlds.core.model import UNIT_ROLES
from worlds.core.prose.survey import Repetition
from worlds.models import Trial

__all__ = ["Column", "TrialPage", "World"]

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Column:
    """One surface: what it is, its text, and its figures; or the reason why there is none."""

    letter: str
    id: InstanceId
    reason: str = ""
    preface: str = ""
    papers: tuple[services.Paper, ...] = ()
    coda: str = ""
    prompt: str = ""
    repetition: Repetition | None = None
    seconds: float = 0.0

    @property
    def prefix(self) -> str:
        """What keeps the anchors of this surface apart from those of the others."""
        return f"{self.id}-"

    @property
    def told_as(self) -> str:
        """How the world is written out here, in a few words."""
        if self.id.condition == "formal":
            return "notation"
        return "papers" if self.id.burial is None else f"story, burial {self.id.burial}"


@dataclass(frozen=True, slots=True)
class Clause:
    """One unit of evidence, what it says, and its words in each surface of its world."""

    unit: services.EvidenceCard
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class World:
    """One family: what is proved of it and what it cost, or why it is lost."""

    letter: str
    family: str
    genre: str
    columns: tuple[Column, ...]
    seconds: float
    reason: str = ""
    attempts: int = 0
    deaths: tuple[tuple[str, int], ...] = ()
    engines: tuple[services.Engine, ...] = ()
    inference: Mapping[str, Any] | None = None
    clauses: tuple[Clause, ...] = ()

    @property
    def told(self) -> tuple[Column, ...]:
        """The surfaces that have a text in which clauses stand."""
        return tuple(column for column in self.columns if column.papers)

    def count(self, role: str) -> int:
        """How many units have a role."""
        return sum(clause.unit.role == role for clause in self.clauses)

    @property
    def clues(self) -> int:
        """How many units carry the proof."""
        return self.count("clue")

    @property
    def distractors(self) -> int:
        """How many units only tell what others say."""
        return self.count("distractor")


@dataclass(frozen=True, slots=True)
class TrialPage:
    """The finished part of the page."""

    trial: Trial
    worlds: tuple[World, ...]
    columns: tuple[Column, ...]

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that lit units have, in order."""
        present = {clause.unit.role for world in self.worlds for clause in world.clauses}
        return tuple(role for role in UNIT_ROLES if role in present)

    @classmethod
    def of(cls, trial: Trial) -> TrialPage:
        """Read a finished trial; costs no query."""
        tried = services.tried_surfaces(trial)
        wanted = [parse_id(text) for text in trial.wanted]
        families = list(dict.fromkeys(instance.family for instance in wanted))
        worlds = tuple(
            _world(letter, [w for w in wanted if w.family == family], trial, tried)
            for letter, family in zip(_LETTERS, families, strict=False)
        )
        columns = {column.id: column for world in worlds for column in world.columns}
        return cls(trial, worlds, tuple(columns[instance] for instance in wanted))


def _world(
    letter: str,
    wanted: Sequence[InstanceId],
    trial: Trial,
    tried: Mapping[str, services.TriedSurface],
) -> World:
    family = wanted[0].family
    kept = trial.families[str(family)]
    columns, told = [], []
    cards: tuple[services.EvidenceCard, ...] = ()
    first: Instance | None = None
    for instance_id in wanted:
        found = tried.get(str(instance_id), services.TriedSurface(reason="its world is lost"))
        if found.instance is None:
            columns.append(Column(letter, instance_id, reason=found.reason))
            continue
        first = first or found.instance
        cards = cards or _cards(first)
        columns.append(_column(letter, found, cards))
        if found.instance.documents:
            told.append(_clauses(found.instance))
    return World(
        letter=letter,
        family=str(family),
        genre=family.genre,
        columns=tuple(columns),
        seconds=kept["seconds"],
        reason=kept.get("reason", ""),
        attempts=kept.get("attempts", 0),
        deaths=tuple(sorted(kept.get("deaths", {}).items())),
        engines=services.engines_of(first.certificate) if first else (),
        inference=first.certificate["inference"] if first else None,
        clauses=tuple(
            Clause(card, tuple(texts.get(card.id, "") for texts in told)) for card in cards
        ),
    )


def _cards(instance: Instance) -> tuple[services.EvidenceCard, ...]:
    return services.evidence_of(instance.world, instance.certificate, instance.documents)


def _column(
    letter: str, found: services.TriedSurface, cards: Sequence[services.EvidenceCard]
) -> Column:
    instance = found.instance
    assert instance is not None
    preface, coda = services.around_papers(instance.prompt, instance.documents)
    return Column(
        letter=letter,
        id=instance.id,
        preface=preface,
        papers=services.papers_of(
            instance.documents,
            roles={c.id: c.role for c in cards},
            story=instance.id.burial is not None,
        ),
        coda=coda,
        prompt=instance.prompt,
        repetition=found.repetition,
        seconds=found.seconds,
    )


def _clauses(instance: Instance) -> dict[str, str]:
    """The words of each unit in a surface."""
    return {
        span.unit: document.clause(span)
        for document in instance.documents
        for span in document.spans
    }
