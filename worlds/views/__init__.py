"""The pages of worlds: load, decide, render."""

from __future__ import annotations
