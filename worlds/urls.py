"""Addresses of the worlds app."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "worlds"

urlpatterns: list[URLPattern] = []
