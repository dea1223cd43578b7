"""The Celery app. Importing it registers the broker that needs no server."""

from __future__ import annotations

import os

from celery import Celery

from enigmaforge_site import fsqueue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "enigmaforge_site.settings")

fsqueue.register()

app = Celery("enigmaforge")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
