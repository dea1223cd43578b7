"""Ordering a corpus in a real browser: the estimate follows the form, the job can be paused."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect

from enigmaforge_site.jobs import services as jobs
from enigmaforge_site.jobs.models import Job
from worlds import services
from worlds.core.ids import FamilyId

pytestmark = pytest.mark.django_db(transaction=True)

_MILLISECONDS = 30_000
"""A busy machine may be slow; a test that waits long enough is not wrong for that."""


@pytest.fixture
def author(page: Page, live_server: Any, owner: User) -> Page:
    """The form of a corpus, opened by somebody who is signed in."""
    expect.set_options(timeout=_MILLISECONDS)
    client = Client()
    client.force_login(owner)
    cookie = client.cookies["enigmaforge_session"]
    page.context.add_cookies(
        [{"name": cookie.key, "value": cookie.value, "url": live_server.url}],
    )
    page.goto(live_server.url + "/corpora/new/")
    return page


def test_the_estimate_follows_the_form(author: Page) -> None:
    services.note_cost(FamilyId("chain", "L00", "maritime", 1), {"world": 9.0, "papers": 1.0})
    estimate = author.locator("#estimate")
    expect(estimate).to_contain_text("120 instances")
    for level in ("L01", "L02", "L03", "L04", "L05"):
        author.get_by_label(level).uncheck()
    author.get_by_label("Families").fill("6")
    expect(estimate).to_contain_text("30 instances of 6 families, and about 60 s")
    author.get_by_label("burial 3").check()
    expect(estimate).to_contain_text("42 instances")
    expect(estimate).to_contain_text("not known yet")
    author.get_by_label("Families").fill("")
    expect(estimate).to_contain_text("cannot be read yet")


def test_a_running_job_is_paused_and_let_go_on_from_its_corpus(author: Page) -> None:
    author.get_by_label("Name").fill("harbour")
    author.get_by_role("button", name="Forge it").click()
    expect(author.get_by_role("heading", name="Forge the corpus harbour")).to_be_visible()
    address = author.url
    job = jobs.claim(Job.objects.get().pk)
    assert job is not None
    jobs.progress(job, 3, "L02 hotel, family 3", total=24)
    expect(author.get_by_text("3 of 24")).to_be_visible()
    author.get_by_role("button", name="Pause").click()
    expect(author.get_by_text("it pauses after this step")).to_be_visible()
    assert author.url == address
    with jobs.recorded_failure(job):
        jobs.progress(job, 4)
    expect(author.get_by_text("what is stored stays")).to_be_visible()
    author.get_by_role("button", name="Go on").click()
    expect(author.locator(".job .chip")).to_have_text("waiting")
    assert author.url == address
