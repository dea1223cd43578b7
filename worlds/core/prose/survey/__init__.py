"""Survey a corpus: does it repeat itself, does its form give anything away, does it keep the rules.

Everything is computed from the instances alone, in the same order of steps, so the same corpus
gives the same figures everywhere. What each must come to stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from worlds.core.bridges import BridgeFact, bank
from worlds.core.instance import Instance
from worlds.core.packs import Pack, pack
from worlds.core.prose.survey.balance import balance_figures, balance_tables
from worlds.core.prose.survey.figures import (
    FORMAT,
    GROUPS,
    Figure,
    Survey,
    Table,
    figure,
    read_survey,
)
from worlds.core.prose.survey.guessing import guessing_figures, guessing_tables
from worlds.core.prose.survey.records import records
from worlds.core.prose.survey.repetition import repetition_figures, repetition_tables
from worlds.core.prose.survey.rules import rule_figures, rule_tables
from worlds.core.prose.survey.single import Repetition, repetition_of
from worlds.core.prose.survey.stories import stories, story_figures, story_tables

__all__ = [
    "FORMAT",
    "GROUPS",
    "Figure",
    "Repetition",
    "Survey",
    "Table",
    "figure",
    "read_survey",
    "repetition_of",
    "survey",
]


def survey(
    instances: Iterable[Instance],
    *,
    pack_of: Callable[[str], Pack] = pack,
    facts: Sequence[BridgeFact] | None = None,
) -> Survey:
    """The figures and tables of a corpus; about a tenth of a second for each record or story.

    Raises ProseError for records that this generator cannot read.
    """
    known = bank() if facts is None else facts
    given = list(instances)
    read = list(records(given, pack_of, known))
    told = list(stories(given, pack_of, known))
    figures = [
        *repetition_figures(read),
        *story_figures(told),
        *balance_figures(read),
        *guessing_figures(read),
        *rule_figures(read),
    ]
    return Survey(
        records=len(read),
        papers=sum(len(record.papers) for record in read),
        clauses=sum(len(record.pieces) for record in read),
        figures=tuple(sorted(figures, key=lambda figure: list(GROUPS).index(figure.group))),
        tables=(
            *repetition_tables(read),
            *story_tables(told),
            *balance_tables(read),
            *guessing_tables(read),
            *rule_tables(read),
        ),
        stories=len(told),
    )
