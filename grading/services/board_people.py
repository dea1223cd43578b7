"""What people come to at each level, beside the models, as the board shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["PeopleLine", "people_of"]

_SCORE = "task_success"


@dataclass(frozen=True, slots=True)
class PeopleLine:
    """One level under one condition. Without a number `words` says why; minutes are a median.

    `models` is the lowest and the highest task success of a model there, with their number.
    """

    level: str
    condition: str
    people: int
    words: str = ""
    attempts: int = 0
    success: float | None = None
    low: float | None = None
    high: float | None = None
    minutes: float | None = None
    models: tuple[float, float, int] | None = None


def people_of(payload: Mapping[str, Any]) -> tuple[PeopleLine, ...]:
    """Read the lines off a report; one of an earlier version has none."""
    models = _models(payload)
    return tuple(
        PeopleLine(
            level=line["level"],
            condition=line["condition"],
            people=line["people"],
            words=line.get("unscored", ""),
            attempts=line.get("attempts", 0),
            success=line.get("success"),
            low=line.get("low"),
            high=line.get("high"),
            minutes=line.get("median_minutes"),
            models=models.get((line["level"], line["condition"])),
        )
        for line in payload.get("people", ())
    )


def _models(payload: Mapping[str, Any]) -> dict[tuple[str, str], tuple[float, float, int]]:
    found: dict[tuple[str, str], list[float]] = {}
    for row in payload["rows"]:
        for cell in row.get("cells", ()) if row["kind"] == "model" else ():
            value = cell["scores"].get(_SCORE, {}).get("value")
            if value is not None:
                found.setdefault((cell["level"], cell["condition"]), []).append(value)
    return {key: (min(values), max(values), len(values)) for key, values in found.items()}
