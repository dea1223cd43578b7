"""The sign-in app."""

from __future__ import annotations

from django.apps import AppConfig

__all__ = ["SignInConfig"]


class SignInConfig(AppConfig):
    """One-time links."""

    name = "enigmaforge_site.signin"
    label = "signin"
    verbose_name = "Sign-in"
