"""Where replies were lost: records by status for each condition, level and genre, as a map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from grading.core.statuses import Status
from grading.figures.base import Column, Figure, View, axis, layout, size_of

__all__ = ["MISSING_MASS", "TITLE", "statuses"]

TITLE = "Status by condition, level and genre"

MISSING_MASS = "missing mass"
"""The four statuses without a reply together; drawn where no status is chosen."""

_SCALES = (10, 25, 50, 100)
_DARK = 0.6  # from this part of the scale on, ink could not be read on the colour
_COLUMNS = (
    Column("condition", "Condition"),
    Column("level", "Level"),
    Column("genre", "Genre"),
    Column("expected", "Expected"),
    *(Column(status.value, status.value.capitalize()) for status in Status),
)
_Group = tuple[str, str, str]


def statuses(view: View) -> Figure:
    """The share of one status at each condition and level (down) and genre (across)."""
    groups = _groups(view)
    chosen = view.status or MISSING_MASS
    lines = sorted({(condition, level) for condition, level, _ in groups})
    genres = sorted({genre for _, _, genre in groups})
    scale = _scale(groups, chosen)
    who = (
        view.solvers[0].label if len(view.solvers) == 1 else f"{len(view.solvers)} solvers together"
    )
    return Figure(
        name="statuses",
        title=TITLE,
        lede=(
            f"The share of records that are {chosen}, {who}. The numbers in a cell are those "
            "records, of all that are expected there."
        ),
        label=f"Heat map of the share of records that are {chosen}, by condition, level and genre.",
        columns=_COLUMNS,
        rows=tuple(
            (*key, counts.total(), *(counts[status.value] for status in Status))
            for key, counts in sorted(groups.items())
        ),
        data=_map(groups, lines, genres, chosen) if groups else [],
        layout=_layout(scale),
        narrow={
            "coloraxis": scale | {"showscale": False},
            "font": {"family": "--font-ui", "size": 11, "color": "--ink"},
        },
        size=size_of(len(lines)),
        note="Missing mass: refused, filtered, failed and missing together.",
        absent="" if groups else "No solver here has records by condition, level and genre.",
    )


def _layout(scale: Mapping[str, Any]) -> dict[str, Any]:
    bare: dict[str, Any] = {
        "type": "category",
        "showgrid": False,
        "showline": False,
        "ticks": "",
    }
    return layout(
        showlegend=False,
        coloraxis=scale,
        xaxis=axis(side="top", **bare),
        yaxis=axis(autorange="reversed", **bare),
    )


def _groups(view: View) -> dict[_Group, Counter[str]]:
    """The records of all solvers in view, by status."""
    groups: dict[_Group, Counter[str]] = {}
    for solver in view.solvers:
        for group in solver.row.get("status_groups", ()):
            if view.condition in ("", group["condition"]):
                key = (group["condition"], group["level"], group["genre"])
                groups.setdefault(key, Counter()).update(group["statuses"])
    return groups


def _count(counts: Mapping[str, int], chosen: str) -> int:
    if chosen != MISSING_MASS:
        return counts.get(chosen, 0)
    return sum(counts.get(status.value, 0) for status in Status if not status.is_scored)


def _share(counts: Counter[str], chosen: str) -> float:
    """In percent, of a group with at least one record."""
    return 100 * _count(counts, chosen) / counts.total()


def _scale(groups: Mapping[_Group, Counter[str]], chosen: str) -> dict[str, Any]:
    """From nothing to the next round share: a few lost replies are not to be overlooked."""
    highest = max((_share(counts, chosen) for counts in groups.values()), default=0)
    return {
        "cmin": 0,
        "cmax": next(scale for scale in _SCALES if highest <= scale),
        "colorscale": [[0, "--paper-sunk"], [1, "--accent"]],
        "colorbar": {"ticksuffix": " %", "thickness": 12, "outlinewidth": 0},
    }


def _map(
    groups: Mapping[_Group, Counter[str]],
    lines: Sequence[tuple[str, str]],
    genres: Sequence[str],
    chosen: str,
) -> list[dict[str, Any]]:
    """The coloured cells, and over them the counts in an ink that can be read there."""
    found = [
        [groups.get((condition, level, genre)) for genre in genres] for condition, level in lines
    ]
    names = [f"{condition} {level}" for condition, level in lines]
    written = [
        (genre, name, cell)
        for name, line in zip(names, found, strict=True)
        for genre, cell in zip(genres, line, strict=True)
        if cell is not None
    ]
    return [
        {
            "type": "heatmap",
            "x": list(genres),
            "y": names,
            "z": [
                [None if cell is None else _share(cell, chosen) for cell in line] for line in found
            ],
            "coloraxis": "coloraxis",
            "xgap": 2,
            "ygap": 2,
            "hoverongaps": False,
            "hovertemplate": "%{y}, %{x}: %{z:.1f} %<extra></extra>",
        },
        _counts(written, chosen, _DARK * float(_scale(groups, chosen)["cmax"])),
    ]


def _counts(
    written: Sequence[tuple[str, str, Counter[str]]], chosen: str, dark: float
) -> dict[str, Any]:
    """The counts, in ink up to the share `dark` and in the colour for the accent above."""
    return {
        "type": "scatter",
        "mode": "text",
        "x": [genre for genre, _, _ in written],
        "y": [name for _, name, _ in written],
        "text": [f"{_count(cell, chosen)}/{cell.total()}" for *_, cell in written],
        "textfont": {
            "color": [
                "--on-accent" if _share(cell, chosen) > dark else "--ink" for *_, cell in written
            ]
        },
        "hoverinfo": "skip",
    }
