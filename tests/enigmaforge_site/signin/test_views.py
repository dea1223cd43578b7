"""Signing in and out: rotation, no-store, and no way off the site."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from enigmaforge_site.signin import services

SESSION = "enigmaforge_session"

ELSEWHERE = [
    "//evil.test",
    "///evil.test",
    "http:///evil.test",
    "\\\\evil.test",
    "/\\evil.test",
    "https:evil.test",
    "https://evil.test/",
    "javascript:alert(1)",
    "\t//evil.test",
    "http://testserver@evil.test",
    "http://testserver/",
    "",
]


@pytest.fixture
def link(owner: User) -> str:
    secret = services.issue(owner, valid_for=timedelta(hours=1))
    return reverse("sign_in_confirm", args=(secret,))


def test_opening_the_link_does_not_use_it_up(client: Client, link: str) -> None:
    for _ in range(3):
        assert client.get(link).status_code == 200
        assert client.head(link).status_code == 200
    assert SESSION not in client.cookies
    assert client.post(link).status_code == 302
    assert client.get("/jobs/").status_code == 200


def test_a_used_link_is_gone_for_others(client: Client, link: str) -> None:
    client.post(link)
    assert client.get(link).status_code == 302
    stranger = Client()
    assert stranger.get(link).status_code == 410
    assert stranger.post(link).status_code == 410
    assert b"make sign-in" in stranger.get(link).content


@pytest.mark.django_db
def test_signing_in_needs_the_pages_own_token(link: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(link).status_code == 403
    strict.get(link)
    token = strict.cookies["enigmaforge_csrf"].value
    assert strict.post(link, {"csrfmiddlewaretoken": token}).status_code == 302


def test_signing_in_rotates_the_session_and_the_token(client: Client, link: str) -> None:
    session = client.session
    session["planted"] = True
    session.save()
    client.cookies[SESSION] = session.session_key
    client.get(link)
    old_token = client.cookies["enigmaforge_csrf"].value
    client.post(link)
    assert client.cookies[SESSION].value != session.session_key
    assert client.cookies["enigmaforge_csrf"].value != old_token
    replayed = Client()
    replayed.cookies[SESSION] = session.session_key
    assert replayed.get("/jobs/").status_code == 302


def test_signing_out_ends_the_session_for_good(owner_client: Client) -> None:
    old = owner_client.cookies[SESSION].value
    response = owner_client.post("/sign-out/")
    assert response["Location"] == "/sign-in/"
    assert response["Clear-Site-Data"] == '"cache"'
    replayed = Client()
    replayed.cookies[SESSION] = old
    assert replayed.get("/jobs/").status_code == 302


def test_signing_out_needs_a_post(owner_client: Client) -> None:
    assert owner_client.get("/sign-out/").status_code == 405
    assert owner_client.get("/jobs/").status_code == 200


def test_pages_of_signed_in_people_are_stored_nowhere(owner_client: Client) -> None:
    for path in ("/", "/jobs/", "/no-such-page/"):
        assert owner_client.get(path)["Cache-Control"] == "private, no-store"


def test_the_sign_in_pages_are_stored_nowhere(client: Client, link: str) -> None:
    for path in ("/sign-in/", link):
        assert "no-store" in client.get(path)["Cache-Control"]


def test_the_page_that_asked_for_a_sign_in_is_shown_after_it(client: Client, link: str) -> None:
    asked = client.get("/sign-in/?next=" + quote("/jobs/?x=//evil.test"))
    assert "The page you asked for needs a sign-in" in asked.content.decode()
    response = client.post(link)
    assert response["Location"] == "/jobs/?x=//evil.test"
    assert client.cookies["enigmaforge_next"].value == ""


@pytest.mark.parametrize("target", ELSEWHERE)
def test_next_does_not_lead_off_the_site(client: Client, link: str, target: str) -> None:
    asked = client.get("/sign-in/?next=" + quote(target))
    assert "you are led there" not in asked.content.decode()
    assert client.post(link)["Location"] == "/"
    # Signed in already: the page sends on at once, with the same care.
    assert client.get("/sign-in/?next=" + quote(target))["Location"] == "/"


@pytest.mark.parametrize("target", ELSEWHERE[:3])
def test_a_planted_cookie_does_not_lead_off_the_site(
    client: Client, link: str, target: str
) -> None:
    client.cookies["enigmaforge_next"] = target
    assert client.post(link)["Location"] == "/"


def test_the_admin_sends_to_the_sign_in_page(client: Client, db: None) -> None:
    asked = client.get("/admin/", follow=True)
    assert [address.partition("?")[0] for address, _ in asked.redirect_chain] == [
        "/admin/login/",
        "/sign-in/",
    ]


def test_the_owner_may_look_into_the_admin(owner_client: Client) -> None:
    assert owner_client.get("/admin/jobs/job/").status_code == 200
    assert owner_client.get("/admin/jobs/job/add/").status_code == 403
