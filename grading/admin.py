"""The rows of grading, to look at: they are computed, so nobody edits them."""

from __future__ import annotations

from django.contrib import admin

from grading.models import ControlRun, Record, Report, RowIssue, Submission, UploadedFile
from worlds.admin import GeneratedAdmin

__all__: list[str] = []


@admin.register(Submission)
class SubmissionAdmin(GeneratedAdmin):
    """Submissions, controls included."""

    list_display = ("model", "run", "kind", "corpus", "issue_count", "created", "imported")
    list_filter = ("corpus", "kind")
    list_select_related = ("corpus",)
    search_fields = ("model",)


@admin.register(UploadedFile)
class UploadedFileAdmin(GeneratedAdmin):
    """Files as they were received."""

    list_display = ("name", "submission", "size", "sha256")
    list_select_related = ("submission__corpus",)


@admin.register(RowIssue)
class RowIssueAdmin(GeneratedAdmin):
    """Rows that could not be taken."""

    list_display = ("file", "line", "field", "found", "expected")


@admin.register(Record)
class RecordAdmin(GeneratedAdmin):
    """Replies with their grades."""

    list_display = ("instance", "epoch", "submission", "status", "tp", "n", "task_success")
    list_filter = ("status", "task_success")
    list_select_related = ("instance", "submission__corpus")


@admin.register(ControlRun)
class ControlRunAdmin(GeneratedAdmin):
    """What the controls came to."""

    list_display = ("control", "corpus", "exact", "passed", "created")
    list_select_related = ("corpus",)


@admin.register(Report)
class ReportAdmin(GeneratedAdmin):
    """Frozen reports."""

    list_display = ("sha256", "corpus", "created", "confirmed")
    list_select_related = ("corpus",)
