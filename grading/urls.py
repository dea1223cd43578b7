"""Addresses of the grading app."""

from __future__ import annotations

from django.urls import path

from grading.views import (
    attempts,
    boards,
    comparisons,
    dashboards,
    editions,
    figures,
    records,
    reports,
    solving,
    submissions,
    uploads,
)

app_name = "grading"

_SUBMISSION = "submissions/<int:submission_id>/"
_RECORD = _SUBMISSION + "records/<int:record_id>/"
_BOARD = "leaderboard/<slug:slug>/"
_SOLVE = "solve/<slug:slug>/"

urlpatterns = [
    path("upload/", uploads.submission_create, name="submission_create"),
    path(_SUBMISSION, submissions.submission_detail, name="submission_detail"),
    path(_SUBMISSION + "files/", uploads.submission_extend, name="submission_extend"),
    path(_SUBMISSION + "regrade/", editions.submission_regrade, name="submission_regrade"),
    path(_SUBMISSION + "withdraw/", editions.submission_withdraw, name="submission_withdraw"),
    path(_SUBMISSION + "resume/", uploads.submission_resume, name="submission_resume"),
    path(_SUBMISSION + "rejected.jsonl", submissions.rejected_rows, name="rejected_rows"),
    path(_SUBMISSION + "dashboard/", dashboards.dashboard, name="dashboard"),
    path(_SUBMISSION + "dashboard/levels.csv", dashboards.dashboard_levels, name="dashboard_csv"),
    path(_RECORD, records.record_detail, name="record_detail"),
    path(_RECORD + "reply.txt", records.record_reply, name="record_reply"),
    path("solve/", solving.solving_list, name="solving_list"),
    path(_SOLVE, solving.solving_corpus, name="solving_corpus"),
    path(_SOLVE + "join/", solving.solving_join, name="solving_join"),
    path(_SOLVE + "withdraw/", solving.solving_withdraw, name="solving_withdraw"),
    path(_SOLVE + "<slug:sample_id>/", attempts.solving_instance, name="solving_instance"),
    path("leaderboard/", boards.leaderboard_list, name="leaderboard_list"),
    path(_BOARD, boards.leaderboard_detail, name="leaderboard_detail"),
    path(_BOARD + "board.csv", boards.leaderboard_csv, name="leaderboard_csv"),
    path(_BOARD + "board.json", boards.leaderboard_json, name="leaderboard_json"),
    path(_BOARD + "report.json", boards.report_json, name="report_json"),
    path(_BOARD + "regrade/", editions.board_regrade, name="board_regrade"),
    path(_BOARD + "artifact.json", reports.artifact_json, name="artifact_json"),
    path(_BOARD + "reports/<slug:sha256>.json", reports.frozen_report, name="frozen_report"),
    path(_BOARD + "figures/", figures.figure_list, name="figure_list"),
    path(_BOARD + "figures/<slug:name>/", figures.figure_detail, name="figure_detail"),
    path(_BOARD + "figures/<slug:name>/data.csv", figures.figure_data, name="figure_csv"),
    path(_BOARD + "compare/", comparisons.comparison_detail, name="comparison_detail"),
    path(_BOARD + "compare/records/", comparisons.comparison_records, name="comparison_records"),
    path(_BOARD + "controls/", boards.controls_run, name="controls_run"),
]
