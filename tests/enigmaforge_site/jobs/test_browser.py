"""The progress of a job in a real browser: it moves by itself, and falls silent at the end."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect

from enigmaforge_site.jobs import services
from enigmaforge_site.jobs.models import Job

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def job_page(page: Page, live_server: Any, owner: User) -> tuple[Page, Job]:
    client = Client()
    client.force_login(owner)
    cookie = client.cookies["enigmaforge_session"]
    page.context.add_cookies(
        [{"name": cookie.key, "value": cookie.value, "url": live_server.url}],
    )
    waiting = services.create("k", {}, title="Forging harbour", total=4)
    job = services.claim(waiting.pk)
    assert job is not None
    page.goto(live_server.url + job.get_absolute_url())
    return page, job


def test_the_bar_moves_and_polling_ends_with_the_job(job_page: tuple[Page, Job]) -> None:
    page, job = job_page
    bar = page.get_by_role("progressbar", name="Forging harbour")
    expect(bar).to_have_attribute("value", "0")
    services.progress(job, 2, "family 2")
    expect(bar).to_have_attribute("value", "2")
    expect(page.get_by_text("2 of 4")).to_be_visible()
    services.finish(job)
    expect(page.get_by_text("4 of 4")).to_be_visible()

    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(2500)
    assert asked == []


def test_polling_ends_when_the_job_is_gone(job_page: tuple[Page, Job]) -> None:
    page, job = job_page
    job.delete()
    expect(page.get_by_text("This job is no longer there")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(2500)
    assert asked == []
