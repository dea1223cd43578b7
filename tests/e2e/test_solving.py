"""A person solves an instance in a real browser: with the keyboard, and without a script."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from grading.models import Attempt
from tests.grading.builders import answer, corpus_of, rows_of
from worlds.models import Instance
from worlds.services import world_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def row(settings: Any, tmp_path: Path) -> Instance:
    settings.MEDIA_ROOT = tmp_path
    return rows_of(corpus_of(), "implicit")[0]


@pytest.fixture
def session(client: Client) -> str:
    client.force_login(User.objects.create(username="ada"))
    return client.cookies[site_settings.SESSION_COOKIE_NAME].value


def _desk(context: BrowserContext, site: str, session: str, row: Instance) -> Page:
    """The page of an attempt that has just begun."""
    context.add_cookies(
        [{"name": site_settings.SESSION_COOKIE_NAME, "value": session, "url": site}]
    )
    page = context.new_page()
    page.goto(f"{site}/solve/harbour/")
    page.get_by_label("I have read this and agree").check()
    page.get_by_role("button", name="Take part").click()
    page.get_by_role("link", name=row.sample_id).click()
    page.get_by_role("button", name="Open the record").click()
    return page


def _fill(page: Page, entries: list[list[Any]]) -> None:
    for number, entry in enumerate(entries, start=1):
        if page.get_by_label(f"Mark, row {number}", exact=True).count() == 0:
            page.get_by_role("button", name="More rows").click()
        for name, part in zip(("Mark", "Word", "Value"), entry, strict=True):
            page.get_by_label(f"{name}, row {number}", exact=True).fill(str(part))


def test_an_instance_is_solved_without_any_script(
    browser: Browser,
    live_server: LiveServer,
    session: str,
    row: Instance,
    run_jobs: Callable[[], int],
) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = _desk(context, live_server.url, session, row)
        text = row.documents[0]["text"].split("\n")[0][:40]
        expect(page.get_by_text(text)).to_be_visible()
        _fill(page, answer(world_of(row.family)))
        page.get_by_role("button", name="Pause").click()
        expect(page.get_by_text(re.compile("^Paused after"))).to_be_visible()
        expect(page.get_by_text(text)).to_have_count(0)
        page.get_by_role("button", name="Go on").click()
        page.get_by_role("button", name="Hand in").click()
        run_jobs()
        page.reload()
        expect(page.get_by_text("solved", exact=True)).to_be_visible()
        page.get_by_role("link", name="Your answer beside the truth").click()
        expect(page.get_by_role("heading", name="Fact by fact")).to_be_visible()


def test_a_draft_is_saved_while_somebody_types_and_the_clock_ticks(
    browser: Browser, live_server: LiveServer, session: str, row: Instance
) -> None:
    with browser.new_context() as context:
        page = _desk(context, live_server.url, session, row)
        page.get_by_label("Notes").focus()
        page.keyboard.type("the hook")
        page.keyboard.press("Tab")
        page.keyboard.type("W-21")
        expect(page.get_by_role("timer")).to_have_text(re.compile(r"0:0[2-9]"))
        with page.expect_response(lambda answer: answer.request.method == "POST"):
            page.keyboard.press("Shift+Tab")
            page.keyboard.type("!")
        attempt = Attempt.objects.get()
        assert attempt.notes == "the hook!"
        assert attempt.entries == [["W-21", "is", ""]]
        page.close()
        page = context.new_page()
        page.goto(f"{live_server.url}/solve/harbour/{row.sample_id}/")
        expect(page.get_by_label("Notes")).to_have_value("the hook!")
