"""Addresses of the grading app."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "grading"

urlpatterns: list[URLPattern] = []
