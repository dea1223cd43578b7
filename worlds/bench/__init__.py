"""The benchmark suite: how fast certificates and worlds are, as ratios to other programs.

Every ratio comes from pairs measured in turn on the same world in one process, so that a busy
machine slows both sides. Engines that are compared must give the same answers, or the suite stops
and names the world. What it compares with is not needed to run EnigmaForge: a package that is
missing leaves its rows out, and one line says how to install it.

Apart from `core`, which knows no clock and no other solver.
"""

from __future__ import annotations

from worlds.bench.plan import Missing, Plan
from worlds.bench.report import Report, Row
from worlds.bench.suite import PARTS, Part, run

__all__ = ["PARTS", "Missing", "Part", "Plan", "Report", "Row", "run"]
