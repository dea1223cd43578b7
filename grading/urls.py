"""Addresses of the grading app."""

from __future__ import annotations

from django.urls import path

from grading.views import boards, figures, records, submissions, uploads

app_name = "grading"

_SUBMISSION = "submissions/<int:submission_id>/"
_RECORD = _SUBMISSION + "records/<int:record_id>/"
_BOARD = "leaderboard/<slug:slug>/"

urlpatterns = [
    path("upload/", uploads.submission_create, name="submission_create"),
    path(_SUBMISSION, submissions.submission_detail, name="submission_detail"),
    path(_SUBMISSION + "resume/", uploads.submission_resume, name="submission_resume"),
    path(_SUBMISSION + "rejected.jsonl", submissions.rejected_rows, name="rejected_rows"),
    path(_RECORD, records.record_detail, name="record_detail"),
    path(_RECORD + "reply.txt", records.record_reply, name="record_reply"),
    path("leaderboard/", boards.leaderboard_list, name="leaderboard_list"),
    path(_BOARD, boards.leaderboard_detail, name="leaderboard_detail"),
    path(_BOARD + "board.csv", boards.leaderboard_csv, name="leaderboard_csv"),
    path(_BOARD + "board.json", boards.leaderboard_json, name="leaderboard_json"),
    path(_BOARD + "report.json", boards.report_json, name="report_json"),
    path(_BOARD + "figures/", figures.figure_list, name="figure_list"),
    path(_BOARD + "figures/<slug:name>/", figures.figure_detail, name="figure_detail"),
    path(_BOARD + "figures/<slug:name>/data.csv", figures.figure_data, name="figure_csv"),
    path(_BOARD + "controls/", boards.controls_run, name="controls_run"),
]
