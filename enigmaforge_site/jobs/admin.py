"""Jobs in the admin: to look at, not to change."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from enigmaforge_site.jobs.models import Job

__all__ = ["JobAdmin"]


@admin.register(Job)
class JobAdmin(admin.ModelAdmin[Job]):
    """Read-only: a job changes through its services alone."""

    list_display = ("id", "kind", "title", "state", "done", "total", "attempts", "created")
    list_filter = ("state", "kind")
    search_fields = ("title", "key")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: jobs are enqueued by the pages and commands."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Job | None = None) -> bool:
        """Refuse: see the class."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Job | None = None) -> bool:
        """Refuse: see the class."""
        return False
