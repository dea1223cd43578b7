"""The worlds app."""

from __future__ import annotations

from django.apps import AppConfig

__all__ = ["WorldsConfig"]


class WorldsConfig(AppConfig):
    """Worlds, proofs and prose."""

    name = "worlds"
    verbose_name = "Worlds"
