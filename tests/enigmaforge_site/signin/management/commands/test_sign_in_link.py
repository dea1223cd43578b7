"""`manage.py sign_in_link` prints one line: a link that works."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from enigmaforge_site import address
from enigmaforge_site.signin import services

pytestmark = pytest.mark.django_db


def _link(*arguments: str) -> str:
    out = StringIO()
    call_command("sign_in_link", *arguments, stdout=out)
    return out.getvalue()


def _secret(link: str) -> str:
    return link.rstrip("/\n").rpartition("/")[2]


def test_the_link_signs_the_owner_in() -> None:
    user = services.redeem(_secret(_link()))
    assert user is not None
    assert user.username == "owner"


def test_the_link_leads_to_the_running_site() -> None:
    assert _link().startswith("http://127.0.0.1:8000/sign-in/")
    address.note("http://127.0.0.1:9000")
    try:
        assert _link().startswith("http://127.0.0.1:9000/sign-in/")
    finally:
        address.forget()
    assert _link("--site", "https://a.example/").startswith("https://a.example/sign-in/")


def test_another_person_is_made_only_when_asked_to() -> None:
    with pytest.raises(CommandError, match="there is no user 'ada'; add --create"):
        _link("--user", "ada")
    user = services.redeem(_secret(_link("--user", "ada", "--create")))
    assert user == User.objects.get(username="ada")
    assert not user.is_staff


@pytest.mark.parametrize("minutes", ["0", "-1", "10081"])
def test_a_link_is_good_for_a_minute_to_a_week(minutes: str) -> None:
    with pytest.raises(CommandError, match="expected 1 to 10080"):
        _link("--minutes", minutes)
