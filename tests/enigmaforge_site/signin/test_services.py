"""A link works once, for a while, and until the next one; the database cannot tell what it is."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from enigmaforge_site.signin import services
from enigmaforge_site.signin.models import SignInLink

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def test_the_owner_is_made_once_and_has_no_password() -> None:
    owner = services.ensure_owner()
    assert services.ensure_owner().pk == owner.pk
    assert (owner.username, owner.is_superuser, owner.has_usable_password()) == (
        "owner", True, False,
    )  # fmt: skip


def test_a_link_works_once(owner: User) -> None:
    secret = services.issue(owner, valid_for=HOUR)
    assert services.redeem(secret) == owner
    assert services.redeem(secret) is None


def test_looking_at_a_link_does_not_use_it_up(owner: User) -> None:
    secret = services.issue(owner, valid_for=HOUR)
    assert services.is_open(secret)
    assert services.is_open(secret)
    assert services.redeem(secret) == owner
    assert not services.is_open(secret)


def test_a_new_link_ends_the_old_one(owner: User) -> None:
    old = services.issue(owner, valid_for=HOUR)
    new = services.issue(owner, valid_for=HOUR)
    assert services.redeem(old) is None
    assert services.redeem(new) == owner


def test_a_link_expires(owner: User) -> None:
    secret = services.issue(owner, valid_for=HOUR)
    SignInLink.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert not services.is_open(secret)
    assert services.redeem(secret) is None


def test_a_link_of_a_closed_account_does_not_work(owner: User) -> None:
    secret = services.issue(owner, valid_for=HOUR)
    User.objects.update(is_active=False)
    assert services.redeem(secret) is None


@pytest.mark.parametrize("secret", ["", "x", "é" * 500, "\x00"])
def test_an_unknown_secret_is_nobody(owner: User, secret: str) -> None:
    services.issue(owner, valid_for=HOUR)
    assert services.redeem(secret) is None


def test_the_database_does_not_hold_the_secret(owner: User) -> None:
    secret = services.issue(owner, valid_for=HOUR)
    stored = " ".join(map(str, SignInLink.objects.values_list().get()))
    assert secret not in stored
    assert secret not in str(SignInLink.objects.get())
