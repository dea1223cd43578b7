"""The site around the two apps: settings, jobs, sign-in, and the one command that runs it all."""

from __future__ import annotations

from enigmaforge_site.celery import app as celery_app

__all__ = ["celery_app"]
