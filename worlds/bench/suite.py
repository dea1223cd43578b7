"""The parts of the suite, one after the other, and the machine they ran on."""

from __future__ import annotations

import gc
import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from worlds.bench import certificates, forging, growth, oracle
from worlds.bench.plan import GENRE, Plan
from worlds.bench.report import Report, Row
from worlds.core.ids import FamilyId
from worlds.core.mint import mint

__all__ = ["PARTS", "Part", "run"]

Part = Callable[[Plan, Report], Iterator[Row]]

PARTS: Mapping[str, Part] = {
    certificates.PART: certificates.measure,
    oracle.PART: oracle.measure,
    forging.PART: forging.measure,
    growth.PART: growth.measure,
}


def run(plan: Plan, only: Sequence[str] = (), parts: Mapping[str, Part] | None = None) -> Report:
    """Measure all parts, or those named; raises EnginesDisagree if the engines do.

    Other suites bring their `parts` along; without any they are those here.
    """
    report = Report(plan.worlds, _machine())
    # The first instance reads packs and facts, which is nobody's lap; nor is looking through what
    # is loaded by now, each time that garbage is collected.
    mint(FamilyId("chain", "L00", GENRE, 0).instance("implicit"))
    gc.freeze()
    for part, measure in (PARTS if parts is None else parts).items():
        if not only or part in only:
            report.parts[part] = list(measure(plan, report))
    gc.unfreeze()
    report.machine = {**report.machine, "load_after": _load()}
    return report


def _machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "system": platform.system(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "load_before": _load(),
    }


def _load() -> list[float]:
    """How many processes wanted to run, over the last 1, 5 and 15 minutes."""
    return [round(each, 2) for each in os.getloadavg()]
