"""The grading side of the benchmark suite: what grading, importing and reporting cost.

Apart from `services`, which measure nothing, and from `worlds.bench`, which knows no grading.
"""

from __future__ import annotations
