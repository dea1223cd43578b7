"""What a survey finds: figures beside their goals, and tables of counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from worlds.core.errors import BadFormat

__all__ = ["FORMAT", "GROUPS", "Figure", "Survey", "Table", "figure", "read_survey", "table_of"]

FORMAT = "enigmaforge.survey/1"
GROUPS = {
    "repetition": "Repetition",
    "wordings": "Commonest wordings",
    "stories": "Stories",
    "gold": "Balance of what is right",
    "reports": "Reports among the evidence",
    "evidence": "What the evidence is made of",
    "rules": "Rules of a record",
    "cost": "Cost",
}
"""The groups of figures and tables, in order, with their titles."""
_PER_CENT = 100


@dataclass(frozen=True, slots=True)
class Figure:
    """One number: its group, its name, what it is of (a genre, a level; empty: the corpus).

    `unit` is `share` (0 to 1), `count`, `p` (a probability) or `AUC`. `ok` is None where there is
    no goal, or too little to judge by; `goal` is empty where there is none.
    """

    group: str
    name: str
    of: str
    found: float
    unit: str
    goal: str
    ok: bool | None

    @property
    def shown(self) -> str:
        """The number as people read it."""
        return _shown(self.found, self.unit)

    def payload(self) -> dict[str, Any]:
        """Its JSON shape."""
        return {
            "group": self.group,
            "name": self.name,
            "of": self.of,
            "found": self.found,
            "unit": self.unit,
            "shown": self.shown,
            "goal": self.goal,
            "ok": self.ok,
        }


@dataclass(frozen=True, slots=True)
class Table:
    """Counts that stand behind figures; the first `labels` cells of a row are words."""

    group: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    labels: int = 1

    def payload(self) -> dict[str, Any]:
        """Its JSON shape."""
        return {
            "group": self.group,
            "title": self.title,
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
            "labels": self.labels,
        }


@dataclass(frozen=True, slots=True)
class Survey:
    """Everything found over a corpus.

    `records` counts a family's realizations once each, `stories` its burials; `papers` and
    `clauses` are those of the records.
    """

    records: int
    papers: int
    clauses: int
    figures: tuple[Figure, ...]
    tables: tuple[Table, ...]
    stories: int = 0

    @property
    def missed(self) -> tuple[Figure, ...]:
        """The figures that miss their goals."""
        return tuple(figure for figure in self.figures if figure.ok is False)

    def payload(self) -> dict[str, Any]:
        """Its JSON shape."""
        return {
            "format": FORMAT,
            "records": self.records,
            "papers": self.papers,
            "clauses": self.clauses,
            "stories": self.stories,
            "figures": [figure.payload() for figure in self.figures],
            "tables": [table.payload() for table in self.tables],
        }


def figure(
    group: str,
    name: str,
    found: float,
    *,
    of: str = "",
    unit: str = "share",
    under: float | None = None,
    least: float | None = None,
    most: float | None = None,
    judged: bool = True,
) -> Figure:
    """A figure with the goal that its bounds make; one that is not `judged` only tells."""
    bounds = {"under": under, "least": least, "most": most}
    goal = _goal({name: bound for name, bound in bounds.items() if bound is not None}, unit)
    met = (
        (under is None or found < under)
        and (least is None or found >= least)
        and (most is None or found <= most)
    )
    return Figure(group, name, of, found, unit, goal, met if goal and judged else None)


def _goal(bounds: Mapping[str, float], unit: str) -> str:
    said = {name: _shown(bound, unit) for name, bound in bounds.items()}
    match said:
        case {"least": least, "most": most}:
            return least if least == most else f"{least} to {most}"
        case {"least": least}:
            return f"at least {least}"
        case {"most": most}:
            return f"at most {most}"
        case {"under": under}:
            return f"under {under}"
    return ""


def _shown(number: float, unit: str) -> str:
    match unit:
        case "share":
            return f"{number * _PER_CENT:.3g} %"
        case "p" if number:
            return f"{number:.2g}"
        case "AUC":
            return f"{number:.3f}"
    return f"{number:,.0f}"


def read_survey(raw: Mapping[str, Any]) -> Survey:
    """A survey from its JSON shape; raises BadFormat for another format."""
    if raw.get("format") != FORMAT:
        raise BadFormat("survey.format", raw.get("format"), FORMAT)
    fields = ("group", "name", "of", "found", "unit", "goal", "ok")
    return Survey(
        records=raw["records"],
        papers=raw["papers"],
        clauses=raw["clauses"],
        figures=tuple(Figure(*(found[field] for field in fields)) for found in raw["figures"]),
        tables=tuple(
            table_of(t["group"], t["title"], t["columns"], t["rows"], labels=t["labels"])
            for t in raw["tables"]
        ),
        stories=raw.get("stories", 0),
    )


def table_of(
    group: str,
    title: str,
    columns: Iterable[str],
    rows: Iterable[Iterable[str]],
    *,
    labels: int = 1,
) -> Table:
    """A table from any rows of texts."""
    return Table(group, title, tuple(columns), tuple(tuple(row) for row in rows), labels)
