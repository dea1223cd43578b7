"""Addresses of the job pages."""

from __future__ import annotations

from django.urls import path

from enigmaforge_site.jobs import views

app_name = "jobs"

urlpatterns = [
    path("jobs/", views.job_list, name="list"),
    path("jobs/<int:job_id>/", views.job_detail, name="detail"),
    path("jobs/<int:job_id>/cancel/", views.job_cancel, name="cancel"),
    path("jobs/<int:job_id>/pause/", views.job_pause, name="pause"),
    path("jobs/<int:job_id>/retry/", views.job_retry, name="retry"),
]
