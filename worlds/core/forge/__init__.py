"""From a seed to a certified world: sample, derive, squeeze, stage, distract.

Ground truth first: a world is drawn, true constraints are derived from it until it is the only
world left, and what is not needed goes again. Every step takes its random stream as an argument.
"""

from __future__ import annotations

__all__: list[str] = []
