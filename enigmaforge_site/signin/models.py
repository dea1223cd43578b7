"""A one-time sign-in link, stored as the digest of its secret."""

from __future__ import annotations

from django.conf import settings
from django.db import models

__all__ = ["SignInLink"]


class SignInLink(models.Model):
    """A link that signs one person in, once, before it expires. Using it deletes it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_in_link"
    )
    digest = models.CharField(max_length=64, unique=True)
    expires = models.DateTimeField()

    def __str__(self) -> str:
        return f"sign-in link of {self.user}, until {self.expires:%Y-%m-%d %H:%M} UTC"
