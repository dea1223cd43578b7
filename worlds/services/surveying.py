"""Survey a stored corpus: load its records once each, compute the figures, keep them.

The time that writing takes beside proving belongs to a machine and not to a corpus, so it is told
and never stored.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone

from worlds.core.certify import certify
from worlds.core.errors import BadInput
from worlds.core.instance import Instance
from worlds.core.prose.surface import write_surface
from worlds.core.prose.survey import (
    GROUPS,
    Figure,
    Survey,
    Table,
    figure,
    read_survey,
    survey,
)
from worlds.core.source import source_sha256
from worlds.models import Corpus, CorpusSurvey, Family
from worlds.services.batches import in_batches
from worlds.services.instances import instance_of, world_of

__all__ = [
    "GoalRow",
    "GoalTable",
    "SurveyGroup",
    "SurveyPage",
    "cost_figure",
    "survey_corpus",
    "survey_now",
    "survey_page",
]

_TIMED_LEVEL = "L05"
_TIMED_FAMILIES = 10
_PUBLIC = ("repetition",)
"""The groups that say nothing about what is true, in any record or in most."""

Computation = Callable[[], Survey]


@dataclass(frozen=True, slots=True)
class GoalRow:
    """One figure for each thing that it is of, in the order of the table's columns."""

    name: str
    goal: str
    figures: tuple[Figure, ...]

    @property
    def judged(self) -> tuple[str, ...]:
        """What it is judged of."""
        return tuple(figure.of for figure in self.figures if figure.ok is not None)

    @property
    def missed(self) -> tuple[str, ...]:
        """What it misses its goal in."""
        return tuple(figure.of for figure in self.figures if figure.ok is False)


@dataclass(frozen=True, slots=True)
class GoalTable:
    """Figures of the same things beside their goals; a column without a name is the corpus."""

    columns: tuple[str, ...]
    rows: tuple[GoalRow, ...]


@dataclass(frozen=True, slots=True)
class SurveyGroup:
    """The figures and tables of one group, with its title."""

    key: str
    title: str
    figures: tuple[Figure, ...]
    tables: tuple[Table, ...]

    @property
    def missed(self) -> int:
        """How many figures miss their goals."""
        return sum(figure.ok is False for figure in self.figures)

    @property
    def goals(self) -> tuple[GoalTable, ...]:
        """Its figures, one row for each name and goal, those of the same things together."""
        rows: dict[tuple[str, str], list[Figure]] = {}
        for each in self.figures:
            rows.setdefault((each.name, each.goal), []).append(each)
        tables: dict[tuple[str, ...], list[GoalRow]] = {}
        for (name, goal), figures in rows.items():
            columns = tuple(figure.of for figure in figures)
            tables.setdefault(columns, []).append(GoalRow(name, goal, tuple(figures)))
        return tuple(GoalTable(columns, tuple(found)) for columns, found in tables.items())


@dataclass(frozen=True, slots=True)
class SurveyPage:
    """A survey as one reader may see it."""

    records: int
    papers: int
    clauses: int
    stories: int
    groups: tuple[SurveyGroup, ...]


def survey_now(corpus: Corpus) -> Survey:
    """The figures of a complete corpus as it is stored; raises BadInput for another.

    Takes about a tenth of a second for each record.
    """
    return survey(_records(_complete(corpus)))


def survey_corpus(
    corpus: Corpus, *, compute: Callable[[Computation], Survey] = lambda work: work()
) -> CorpusSurvey:
    """Survey a complete corpus and keep what comes out, in the place of an earlier survey.

    `compute` is given the part that touches no database, and may run it wherever it likes. The
    rows are loaded before.
    """
    loaded = list(_records(_complete(corpus)))
    found = compute(lambda: survey(loaded))
    kept, _ = CorpusSurvey.objects.update_or_create(
        corpus=corpus,
        defaults={
            "corpus_sha256": corpus.sha256,
            "source_sha256": source_sha256(),
            "report": found.payload(),
            "created": timezone.now(),
        },
    )
    return kept


def survey_page(corpus: Corpus, *, with_truth: bool) -> SurveyPage | None:
    """The stored survey of a corpus, without truth for a visitor; None when there is none yet.

    Costs one query.
    """
    kept = CorpusSurvey.objects.filter(corpus=corpus, corpus_sha256=corpus.sha256).first()
    if kept is None:
        return None
    found = read_survey(kept.report)
    groups = (
        SurveyGroup(
            key,
            title,
            tuple(figure for figure in found.figures if figure.group == key),
            tuple(table for table in found.tables if table.group == key),
        )
        for key, title in GROUPS.items()
        if with_truth or key in _PUBLIC
    )
    shown = tuple(group for group in groups if group.figures or group.tables)
    return SurveyPage(found.records, found.papers, found.clauses, found.stories, shown)


def cost_figure(corpus: Corpus) -> Figure | None:
    """How long writing and gating large records takes, as a share of proving their worlds.

    In processor time of this machine, over a few families of L05; None if there are none.
    """
    families = list(corpus.families.filter(level=_TIMED_LEVEL).order_by("place")[:_TIMED_FAMILIES])
    if not families:
        return None
    for family in families:  # What a genre costs once, such as reading its pack, is no one's share.
        _timed_writing(family)
    writing = sum(_timed_writing(family) for family in families)
    proving = sum(_timed_proving(family) for family in families)
    return figure(
        "cost",
        "writing and gating a record, of the time its proof takes",
        writing / proving,
        of=_TIMED_LEVEL,
        under=1.0,
    )


def _complete(corpus: Corpus) -> Corpus:
    if not corpus.is_complete:
        raise BadInput("corpus", corpus.slug, "a corpus that is complete")
    return corpus


def _records(corpus: Corpus) -> Iterator[Instance]:
    """Every record once: two surfaces of one family, realization and burial share their papers."""
    for family in in_batches(corpus.families.all(), 20):
        world, certificate, seen = world_of(family), _read_part(family.certificate), set()
        for row in family.instances.exclude(condition="formal").order_by("pk"):
            if (told := (row.realization, row.burial)) not in seen:
                seen.add(told)
                yield replace(instance_of(row, world), certificate=certificate)


def _read_part(certificate: Mapping[str, Any]) -> dict[str, Any]:
    """The little of a certificate that a survey reads: thousands of whole ones are heavy."""
    kept = ("unit", "models_without")
    ablations = [{key: entry[key] for key in kept} for entry in certificate["ablations"]]
    return {"ablations": ablations, "inference": certificate["inference"]}


def _timed_writing(family: Family) -> float:
    row = family.instances.exclude(condition="formal").order_by("pk")[0]
    instance = instance_of(row)
    start = time.process_time()
    write_surface(instance.world, instance.id)
    return time.process_time() - start


def _timed_proving(family: Family) -> float:
    world = world_of(family)
    start = time.process_time()
    certify(world)
    return time.process_time() - start
