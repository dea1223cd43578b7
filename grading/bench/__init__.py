"""The grading side of the benchmark suite: what grading, importing and reporting cost.

`grading` is pure and measures the core; `importing` fills a database of its own, which is made for
it and thrown away. Replies are invented, seeded, and of the kinds that models send (`replies`).
"""

from __future__ import annotations

from collections.abc import Mapping

from grading.bench import grading, importing
from worlds.bench import Part

__all__ = ["PARTS"]

PARTS: Mapping[str, Part] = {
    grading.PART: grading.measure,
    importing.PART: importing.measure,
}
