"""What every figure is made of, and the look that all of them share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from grading.core.statuses import Status

__all__ = [
    "COLOURS",
    "SYMBOLS",
    "Absent",
    "Cell",
    "Column",
    "Figure",
    "Reading",
    "Row",
    "Size",
    "Solver",
    "View",
    "axis",
    "layout",
    "plain",
    "reading",
    "reasons",
    "size_of",
]

COLOURS = (
    "--accent",
    "--role-clue",
    "--role-bridge-note",
    "--role-objective",
    "--role-distractor",
    "--role-provisional",
)
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "star", "triangle-down")
"""Seven symbols beside six colours: forty-two solvers look different."""

Size = Literal["small", "medium", "large", "tall"]
_LONGEST, _HEAD = 24, 14
_COUNTS = {"number", "families", "expected", *(status.value for status in Status)}
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


@dataclass(frozen=True, slots=True)
class Solver:
    """One solver of a report: its number in the figure, its name, and the report's row."""

    number: int
    label: str
    row: Mapping[str, Any]

    @property
    def is_reference(self) -> bool:
        """Whether it is a control that stands there for comparison."""
        return self.row["kind"] not in ("model", "human")

    @property
    def tick(self) -> str:
        """Its number and name, as they stand in a picture: short, and never markup.

        A long name loses its middle: names of models differ at their ends.
        """
        label = self.label
        short = label
        if len(label) > _LONGEST:
            short = f"{label[:_HEAD]}…{label[_HEAD + 1 - _LONGEST :]}"
        return f"{self.number} {plain(short)}"


@dataclass(frozen=True, slots=True)
class View:
    """What of a report is drawn: the solvers, and what a reader chose beside them.

    `condition` is empty for all conditions, `status` for all missing mass.
    """

    solvers: tuple[Solver, ...]
    condition: str = ""
    status: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A number with its interval; `at_least` where missing replies could only raise it."""

    value: float
    low: float | None = None
    high: float | None = None
    at_least: bool = False


@dataclass(frozen=True, slots=True)
class Absent:
    """There is no number, and why."""

    words: str


Cell: TypeAlias = Reading | Absent | str | int
Row: TypeAlias = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a figure's table: its name in files, its words, and the unit of its numbers.

    Without a unit it holds words or counts.
    """

    name: str
    label: str
    unit: str = ""
    has_interval: bool = False

    @property
    def is_numeric(self) -> bool:
        """Whether its cells stand right-aligned."""
        return bool(self.unit) or self.name in _COUNTS


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """A picture and its numbers; equal to itself alone.

    `label` says in a sentence what the picture shows; `note` what a reader must know of it.
    Where nothing can be drawn `absent` says why. `narrow` are the parts of the layout that are
    different on a narrow screen, where the panels of `panels` stand one below the other.
    """

    name: str
    title: str
    lede: str
    label: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    data: Sequence[Mapping[str, Any]] = ()
    layout: Mapping[str, Any] = field(default_factory=dict)
    narrow: Mapping[str, Any] = field(default_factory=dict)
    size: Size = "medium"
    panels: int = 1
    note: str = ""
    absent: str = ""

    @property
    def spec_id(self) -> str:
        """Where in the page its spec lies."""
        return f"{self.name}-spec"

    @property
    def spec(self) -> dict[str, Any]:
        """The figure as the page's script takes it."""
        return {
            "name": self.name,
            "title": self.title,
            "data": list(self.data),
            "layout": dict(self.layout),
            "narrow": dict(self.narrow),
        }


def plain(text: str) -> str:
    """A text in which plotly sees no markup.

    >>> plain("<b>kestrel</b>")
    '&lt;b&gt;kestrel&lt;/b&gt;'
    """
    return text.translate(_ENTITIES)


def reading(found: Mapping[str, Any]) -> Reading | Absent:
    """A score of the report as a cell."""
    if "unscored" in found:
        return Absent(found["unscored"])
    lower, upper = found["lower_bound"], found["upper_bound"]
    at_least = lower != upper and found["value"] == lower
    return Reading(found["value"], found["low"], found["high"], at_least)


def reasons(solvers: Sequence[tuple[Solver, Sequence[Reading | Absent]]]) -> str:
    """Why solvers are in the table and not in the picture, in one sentence; nothing if all are."""
    left_out = [
        solver.tick for solver, cells in solvers if any(isinstance(cell, Absent) for cell in cells)
    ]
    return f"Without a number, so not drawn: {', '.join(left_out)}." if left_out else ""


def size_of(count: int) -> Size:
    """How tall a picture with so many lines below each other is."""
    if count <= 6:
        return "small"
    if count <= 12:
        return "medium"
    return "large" if count <= 24 else "tall"


def layout(**more: Any) -> dict[str, Any]:
    """The layout of a figure in the tokens of the page.

    Nothing can be dragged or zoomed: on a phone the page must scroll.
    """
    return {
        "font": {"family": "--font-ui", "size": 13, "color": "--ink"},
        "paper_bgcolor": "--paper",
        "plot_bgcolor": "--paper",
        "margin": {"l": 8, "r": 16, "t": 16, "b": 8},
        "dragmode": False,
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": "--paper-sunk",
            "bordercolor": "--rule-strong",
            "font": {"family": "--font-ui", "color": "--ink"},
        },
        "showlegend": True,
        "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": -0.14, "yanchor": "top"},
    } | more


def axis(title: str = "", **more: Any) -> dict[str, Any]:
    """An axis in the tokens of the page."""
    titled = {"title": {"text": title, "standoff": 8}} if title else {}
    return (
        titled
        | {
            "automargin": True,
            "fixedrange": True,
            "gridcolor": "--rule",
            "linecolor": "--rule-strong",
            "tickcolor": "--rule-strong",
            "zerolinecolor": "--rule-strong",
            "showline": True,
            "ticks": "outside",
            "ticklen": 4,
        }
        | more
    )
