"""The Celery app. Importing it registers the broker that needs no server."""

from __future__ import annotations

import os
import warnings

from celery import Celery

from enigmaforge_site import fsqueue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "enigmaforge_site.settings")

fsqueue.register()

# Containers run as root. Celery warns because messages may hold code; ours hold JSON numbers only.
warnings.filterwarnings("ignore", message="You're running the worker with superuser")

app = Celery("enigmaforge")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
