"""Signing in and out in a real browser."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from enigmaforge_site.signin import services

pytestmark = pytest.mark.django_db(transaction=True)


def _sign_in(page: Page, live_server: Any) -> None:
    secret = services.issue(services.ensure_owner(), valid_for=timedelta(hours=1))
    page.goto(live_server.url + reverse("sign_in_confirm", args=(secret,)))
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(live_server.url + "/")


def test_a_link_leads_in_with_one_press(page: Page, live_server: Any) -> None:
    _sign_in(page, live_server)
    page.goto(live_server.url + "/jobs/")
    expect(page.get_by_role("heading", name="Jobs", level=1)).to_be_visible()


def test_nothing_private_comes_back_after_a_sign_out(page: Page, live_server: Any) -> None:
    _sign_in(page, live_server)
    page.goto(live_server.url + "/jobs/")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(live_server.url + "/sign-in/")
    page.go_back()
    expect(page.get_by_role("heading", name="Sign in", level=1)).to_be_visible()
    stored = "JSON.stringify([{...localStorage}, {...sessionStorage}])"
    assert "No job has run yet" not in page.evaluate(stored)
