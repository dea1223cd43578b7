"""The rows of worlds, to look at: they are generated, so nobody edits them."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from worlds.models import (
    Corpus,
    Family,
    Instance,
    LostFamily,
    Recheck,
    ReviewAssignment,
    ReviewEntry,
    ReviewItem,
)

__all__: list[str] = []


class GeneratedAdmin(admin.ModelAdmin[models.Model]):
    """Read-only: no row can be added, changed or deleted."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False


@admin.register(Corpus)
class CorpusAdmin(GeneratedAdmin):
    """Corpora."""

    list_display = ("slug", "title", "profile", "seed", "family_count", "sha256", "created")


@admin.register(Family)
class FamilyAdmin(GeneratedAdmin):
    """Families, with the truth."""

    list_display = ("family_id", "corpus", "place", "level", "genre", "attempts")
    list_filter = ("corpus", "level", "genre")
    list_select_related = ("corpus",)
    search_fields = ("family_id",)


@admin.register(Instance)
class InstanceAdmin(GeneratedAdmin):
    """Instances."""

    list_display = ("sample_id", "corpus", "level", "genre", "condition", "realization")
    list_filter = ("corpus", "level", "condition", "genre")
    list_select_related = ("corpus",)
    search_fields = ("sample_id",)


@admin.register(LostFamily)
class LostFamilyAdmin(GeneratedAdmin):
    """Families that could not be forged."""

    list_display = ("family_id", "corpus", "place", "reason")
    list_select_related = ("corpus",)


@admin.register(Recheck)
class RecheckAdmin(GeneratedAdmin):
    """Opinions asked for on the pages."""

    list_display = ("family", "engine", "version", "verdict", "reason", "created", "created_by")
    list_select_related = ("family", "created_by")


@admin.register(ReviewItem)
class ReviewItemAdmin(GeneratedAdmin):
    """Distractors to be judged, with what the decisions come to."""

    list_display = ("unit", "instance", "kind", "level", "genre", "approvals", "rejections")
    list_filter = ("corpus", "level", "genre", "kind")
    list_select_related = ("instance",)


@admin.register(ReviewAssignment)
class ReviewAssignmentAdmin(GeneratedAdmin):
    """Who has been asked to judge what."""

    list_display = ("reviewer", "item", "assigned_by", "created")
    list_select_related = ("reviewer", "item__instance", "assigned_by")


@admin.register(ReviewEntry)
class ReviewEntryAdmin(GeneratedAdmin):
    """The history of the review, which nobody changes."""

    list_display = ("item", "author", "said", "text", "created")
    list_filter = ("said",)
    list_select_related = ("item__instance", "author")
