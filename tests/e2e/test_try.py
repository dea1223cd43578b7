"""Trying a world in a real browser: asked, forged by a job, shown and lit without a reload."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect

from enigmaforge_site.jobs import tasks
from enigmaforge_site.jobs.models import Job

pytestmark = pytest.mark.django_db(transaction=True)

_MILLISECONDS = 30_000
"""A busy machine may be slow; a test that waits long enough is not wrong for that."""


@pytest.fixture
def author(page: Page, live_server: Any, owner: User) -> Page:
    """The page to try a world, opened by somebody who is signed in."""
    expect.set_options(timeout=_MILLISECONDS)
    client = Client()
    client.force_login(owner)
    cookie = client.cookies["enigmaforge_session"]
    page.context.add_cookies(
        [{"name": cookie.key, "value": cookie.value, "url": live_server.url}],
    )
    page.goto(live_server.url + "/try/")
    return page


def test_surfaces_appear_side_by_side_and_are_lit_together(author: Page) -> None:
    problems: list[str] = []
    author.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
    author.get_by_label("Level").select_option("L00")
    author.get_by_label("Seed").fill("7")
    author.get_by_label("story, burial 1").check()
    author.get_by_role("button", name="Forge and show").click()
    expect(author.get_by_role("progressbar")).to_be_visible()
    address = author.url
    tasks.run_now(Job.objects.get().pk)

    columns = author.locator(".trial__column")
    expect(columns).to_have_count(2)
    toggle = author.get_by_role("button", name="Light the clues")
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    assert author.url == f"{address}&lit=1"
    mark = columns.nth(0).locator("mark[data-label='E1']")
    mark.hover()
    expect(columns.nth(1).locator("mark[data-label='E1']")).to_have_attribute("data-linked", "")

    author.reload()
    expect(author.locator("[data-trial]")).to_have_attribute("data-lit", "on")
    assert problems == []
