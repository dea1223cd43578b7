"""Rows of the worlds app."""

from __future__ import annotations
