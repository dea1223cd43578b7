"""What was measured, as rows with their goals, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from worlds.bench.clock import Lap

__all__ = ["FORMAT", "Goal", "Report", "Row", "row_of"]

FORMAT = "enigmaforge.bench/1"

_HEAD = ("profile", "level", "compared", "ms", "ms", "ratio", "from … to", "doing", "goal", "")


@dataclass(frozen=True, slots=True)
class Goal:
    """A bound on a ratio: at least so much, or at most so much."""

    least: float | None = None
    most: float | None = None

    def is_met(self, ratio: float) -> bool:
        """Whether the ratio keeps within the bounds."""
        return (self.least is None or ratio >= self.least) and (
            self.most is None or ratio <= self.most
        )

    def __str__(self) -> str:
        return f"≥ {self.least:g}" if self.least is not None else f"≤ {self.most:g}"


@dataclass(frozen=True, slots=True)
class Row:
    """One pair on the worlds of one profile and level: how many times as long `one` takes.

    `one_ms` and `other_ms` are medians over the worlds; `ratio` is the median of the ratios, world
    by world, `low` and `high` the ends of their range; `doing` is the ratio without preparation.
    """

    part: str
    profile: str
    level: str
    one: str
    other: str
    worlds: int
    one_ms: float
    other_ms: float
    ratio: float
    low: float
    high: float
    doing: float
    goal: Goal | None = None

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None without one."""
        return None if self.goal is None else self.goal.is_met(self.ratio)

    def payload(self) -> dict[str, Any]:
        """The row as JSON types."""
        return {
            "profile": self.profile,
            "level": self.level,
            "one": self.one,
            "other": self.other,
            "worlds": self.worlds,
            "one_ms": round(self.one_ms, 3),
            "other_ms": round(self.other_ms, 3),
            "ratio": round(self.ratio, 3),
            "low": round(self.low, 3),
            "high": round(self.high, 3),
            "ratio_doing": round(self.doing, 3),
            "goal": None if self.goal is None else str(self.goal),
            "met": self.met,
        }

    def cells(self) -> tuple[str, ...]:
        """The row as it is printed."""
        verdict = {None: "", True: "met", False: "MISSED"}[self.met]
        return (
            self.profile,
            self.level,
            f"{self.one} / {self.other}",
            _told(self.one_ms),
            _told(self.other_ms),
            _told(self.ratio),
            f"{_told(self.low)} … {_told(self.high)}",
            _told(self.doing),
            str(self.goal or ""),
            verdict,
        )


def row_of(
    part: str,
    place: tuple[str, str],
    names: tuple[str, str],
    laps: Sequence[tuple[Lap, Lap]],
    goal: Goal | None = None,
) -> Row:
    """The row of two contenders from their laps on the same worlds, pair by pair."""
    profile, level = place
    ratios = [_ratio(one.total, other.total) for one, other in laps]
    return Row(
        part=part,
        profile=profile,
        level=level,
        one=names[0],
        other=names[1],
        worlds=len(laps),
        one_ms=1000 * median(one.total for one, _ in laps),
        other_ms=1000 * median(other.total for _, other in laps),
        ratio=median(ratios),
        low=min(ratios),
        high=max(ratios),
        doing=median(_ratio(one.doing, other.doing) for one, other in laps),
        goal=goal,
    )


@dataclass
class Report:
    """All rows by part, what was left out, and the machine on which this was measured."""

    worlds: int
    machine: Mapping[str, Any]
    parts: dict[str, list[Row]] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    def payload(self) -> dict[str, Any]:
        """The report as JSON types."""
        return {
            "format": FORMAT,
            "worlds": self.worlds,
            "machine": dict(self.machine),
            "parts": {part: [row.payload() for row in rows] for part, rows in self.parts.items()},
            "left_out": self.left_out,
        }

    def table(self) -> str:
        """The report as text, a table for each part."""
        blocks = [_block(part, rows) for part, rows in self.parts.items() if rows]
        blocks += [f"{sentence}\n" for sentence in self.left_out]
        rows = [row for rows in self.parts.values() for row in rows if row.met is not None]
        missed = sum(not row.met for row in rows)
        blocks.append(f"goals: {len(rows) - missed} met, {missed} missed\n")
        return "\n".join(blocks)


def _block(part: str, rows: Sequence[Row]) -> str:
    cells = [_HEAD, *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(_HEAD))]
    numbers = {3, 4, 5, 7}
    lines = [
        "  ".join(
            cell.rjust(width) if column in numbers else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    ]
    return "\n".join([part, *lines, ""])


def _ratio(one: float, other: float) -> float:
    # A clock may see no time pass at all between two readings.
    return one / max(other, 1e-9)


def _told(number: float) -> str:
    return f"{number:.0f}" if number >= 100 else f"{number:.1f}"
