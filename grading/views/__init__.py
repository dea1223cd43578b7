"""The pages of grading: load, decide, render."""

from __future__ import annotations
