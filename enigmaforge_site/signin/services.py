"""Issue and redeem one-time sign-in links.

The secret is random and long, so a plain SHA-256 of it is enough to store: whoever reads the
database cannot sign in with what is there. A person has one link at a time; a new one ends the old.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from enigmaforge_site.signin.models import SignInLink

__all__ = ["OWNER", "ensure_owner", "is_open", "issue", "redeem"]

OWNER = "owner"


def ensure_owner() -> User:
    """Return the person who runs this workbench; made on the first call, without a password."""
    owner, made = User.objects.get_or_create(
        username=OWNER, defaults={"is_staff": True, "is_superuser": True}
    )
    if made:
        owner.set_unusable_password()
        owner.save(update_fields=["password"])
    return owner


def issue(user: User, *, valid_for: timedelta) -> str:
    """Return the secret of a new link; the person's older link stops working."""
    secret = secrets.token_urlsafe(32)
    SignInLink.objects.update_or_create(
        user_id=user.pk,
        defaults={"digest": _digest(secret), "expires": timezone.now() + valid_for},
    )
    return secret


def is_open(secret: str) -> bool:
    """Say whether the link would work now. Looking does not use it up."""
    return SignInLink.objects.filter(digest=_digest(secret), expires__gt=timezone.now()).exists()


def redeem(secret: str) -> User | None:
    """Use a link up and return whose it is; `None` if it is used, expired or unknown.

    Of two calls at once one gets the person: the row is deleted once.
    """
    link = (
        SignInLink.objects.filter(digest=_digest(secret), expires__gt=timezone.now())
        .select_related("user")
        .first()
    )
    if link is None or not link.user.is_active:
        return None
    used, _ = SignInLink.objects.filter(pk=link.pk, digest=link.digest).delete()
    return link.user if used else None


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
