"""The jobs app."""

from __future__ import annotations

from django.apps import AppConfig

__all__ = ["JobsConfig"]


class JobsConfig(AppConfig):
    """Work longer than a blink."""

    name = "enigmaforge_site.jobs"
    label = "jobs"
    verbose_name = "Jobs"

    def ready(self) -> None:
        """Listen for the start of a worker; in any other process nothing comes of it."""
        from enigmaforge_site.jobs import sweeper  # noqa: PLC0415 - needs the models

        sweeper.connect()
