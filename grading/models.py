"""Rows of the grading app."""

from __future__ import annotations
