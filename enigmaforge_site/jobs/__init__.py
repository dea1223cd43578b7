"""Jobs: work longer than a blink. The row is the truth, the broker only a doorbell."""

from __future__ import annotations
