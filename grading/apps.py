"""The grading app."""

from __future__ import annotations

from django.apps import AppConfig

__all__ = ["GradingConfig"]


class GradingConfig(AppConfig):
    """Replies, scores and statistics."""

    name = "grading"
    verbose_name = "Grading"
