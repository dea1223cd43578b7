"""Prose: a closed grammar of clauses, the papers around it, and the way back from text to world."""

from __future__ import annotations
