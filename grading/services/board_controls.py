"""The controls as the board shows them: what each came to beside what it must come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from grading.core.controls import CONTROLS

__all__ = ["LABELS", "ControlLine", "CountCell", "controls_of"]

LABELS = {control.name: control.label for control in CONTROLS} | {
    "majority": "Majority: the commonest value and verb"
}
_COUNTS = ("records", "right", "worlds", "actions", "successes")


@dataclass(frozen=True, slots=True)
class CountCell:
    """One count of a control: what was found, and what it must be (None: nothing in particular)."""

    found: int
    expected: int | None

    @property
    def is_off(self) -> bool:
        """Whether it is not what it must be."""
        return self.expected is not None and self.expected != self.found


@dataclass(frozen=True, slots=True)
class ControlLine:
    """One control with its counts."""

    name: str
    label: str
    exact: bool
    ok: bool
    counts: tuple[CountCell, ...]


def controls_of(results: Iterable[Mapping[str, Any]]) -> tuple[ControlLine, ...]:
    """The exact ones first, each group in the order in which the controls are listed."""
    order = {name: number for number, name in enumerate(LABELS)}
    lines = [
        ControlLine(
            name=result["name"],
            label=LABELS.get(result["name"], result["name"]),
            exact=result["exact"],
            ok=result["ok"],
            counts=_counts(result["found"], result["expected"]),
        )
        for result in results
    ]
    return tuple(sorted(lines, key=lambda line: order.get(line.name, len(order))))


def _counts(found: Mapping[str, int], expected: Mapping[str, int]) -> tuple[CountCell, ...]:
    return tuple(CountCell(found[name], expected.get(name)) for name in _COUNTS)
