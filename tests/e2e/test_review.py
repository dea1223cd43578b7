"""Reviewing distractors by the keyboard alone, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.site import forget_reviews
from tests.worlds.builders import fill, order
from worlds.models import ReviewEntry, ReviewItem
from worlds.services.reviewing import content_of

pytestmark = pytest.mark.slow

SignIn = Callable[[str], Page]


@pytest.fixture
def site(live_server: LiveServer) -> Iterator[str]:
    """The address of a site with a corpus; afterwards the history is let go, against its rules."""
    fill(order())
    yield live_server.url
    forget_reviews()


@pytest.fixture
def sign_in(browser: Browser, site: str) -> Iterator[SignIn]:
    """Return a function that opens a window in which somebody is signed in."""
    windows: list[BrowserContext] = []
    expect.set_options(timeout=15_000)

    def window(name: str) -> Page:
        client = Client()
        client.force_login(User.objects.get_or_create(username=name)[0])
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        windows.append(browser.new_context(base_url=site))
        windows[-1].add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": site}]
        )
        return windows[-1].new_page()

    yield window
    for each in windows:
        each.close()


def _items() -> list[ReviewItem]:
    return list(ReviewItem.objects.select_related("corpus", "instance"))


def _is_at(page: Page, item: ReviewItem, query: str = "") -> None:
    expect(page).to_have_url(re.compile(re.escape(f"/review/{item.pk}/{query}") + "$"))
    page.wait_for_load_state()  # Before that its keys are not there.


def test_a_reviewer_needs_no_mouse(sign_in: SignIn) -> None:
    page = sign_in("ada")
    said: list[str] = []
    page.on("console", lambda m: said.append(m.text) if m.type == "error" else None)
    first, second, third, *_ = _items()

    page.goto("/review/?todo=1")
    page.get_by_role("link", name="Start with the next one").press("Enter")
    _is_at(page, first, "?todo=1")
    page.keyboard.press("a")
    _is_at(page, second, "?todo=1")
    expect(page.get_by_text(f"Approved: {first}")).to_be_visible()

    page.keyboard.press("r")
    expect(page.get_by_label("Reason")).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("expected a few words")
    page.get_by_label("Reason").press("Escape")
    expect(page.get_by_label("Reason")).to_be_hidden()
    page.keyboard.press("r")
    page.keyboard.type("A careful reader takes it for a clue, and so do I.")
    page.keyboard.press("Control+Enter")
    _is_at(page, third, "?todo=1")

    page.keyboard.press("c")
    expect(page.get_by_label("Comment", exact=True)).to_be_focused()
    page.keyboard.type("Whose report is this?")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("link", name="Comment 1")).to_be_visible()

    assert [(e.item, e.said) for e in ReviewEntry.objects.select_related("item")] == [
        (first, "approve"),
        (second, "reject"),
        (third, "comment"),
    ]
    # The form that came back without a reason is the one thing that a browser complains of.
    assert [each for each in said if "422" not in each] == []


def test_on_back_skip_and_the_list_of_keys(sign_in: SignIn) -> None:
    page = sign_in("ada")
    first, second, *_ = _items()
    page.goto(f"/review/{first.pk}/")
    page.keyboard.press("j")
    _is_at(page, second)
    page.keyboard.press("k")
    _is_at(page, first)
    page.keyboard.press("s")
    _is_at(page, second)
    assert ReviewItem.objects.get(pk=first.pk).locked_by is None
    page.keyboard.press("?")
    keys = page.get_by_role("dialog")
    expect(keys).to_be_visible()
    page.keyboard.press("a")  # Nothing is decided behind an open list.
    keys.get_by_label("Single keys work on this page").press("Space")
    keys.get_by_role("button", name="Close").press("Enter")
    page.keyboard.press("j")
    page.wait_for_timeout(300)
    _is_at(page, second)
    assert not ReviewEntry.objects.exists()


def test_words_that_are_selected_are_counted_in_code_points(sign_in: SignIn) -> None:
    item = _items()[0]
    row = item.instance
    for document in row.documents:
        document["text"] = "𝔄𝔅 " + document["text"]
        for span in document["spans"]:
            span["start"] += 3
            span["end"] += 3
    row.save()
    page = sign_in("ada")
    page.goto(f"/review/{item.pk}/")
    page.locator(f"#span-{item.unit}").select_text()
    page.keyboard.press("Shift")
    page.keyboard.press("c")
    clause = content_of(item).clause
    expect(page.get_by_label("On these words")).to_have_value(clause)
    page.keyboard.type("These.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("link", name="Comment 1")).to_be_visible()
    entry = ReviewEntry.objects.get()
    content = content_of(item)
    assert (entry.document, entry.start) == (content.document.id, content.start)
    assert entry.quote == clause


def test_of_two_reviewers_the_second_is_told(sign_in: SignIn) -> None:
    item = _items()[0]
    ada, ben = sign_in("ada"), sign_in("ben")
    ada.goto(f"/review/{item.pk}/")
    expect(ada.get_by_text("Yours until")).to_be_visible()
    ben.goto(f"/review/{item.pk}/")
    expect(ben.get_by_text("ada has this one until")).to_be_visible()
    ben.keyboard.press("a")  # There is no such button for him.
    ben.keyboard.press("s")
    ben.wait_for_url(lambda url: f"/{item.pk}/" not in url)
    ada.keyboard.press("a")
    ada.wait_for_url(lambda url: f"/{item.pk}/" not in url)
    ben.goto(f"/review/{item.pk}/")
    expect(ben.get_by_text("Yours until")).to_be_visible()
    assert list(ReviewEntry.objects.values_list("author__username", "said")) == [("ada", "approve")]


def test_the_lock_of_an_active_reader_is_renewed(sign_in: SignIn) -> None:
    item = _items()[0]
    page = sign_in("ada")
    page.clock.install()
    page.goto(f"/review/{item.pk}/")
    expect(page.get_by_text("Yours until")).to_be_visible()
    first = ReviewItem.objects.get(pk=item.pk).locked_until
    assert first is not None
    page.keyboard.press("Shift")  # Active, but a minute has not passed.
    page.clock.fast_forward("01:01")
    with page.expect_response(f"**/review/{item.pk}/lock/") as renewed:
        page.keyboard.press("Shift")
    assert renewed.value.status == 200
    later = ReviewItem.objects.get(pk=item.pk).locked_until
    assert later is not None
    assert later > first
    expect(page.get_by_text("Yours until")).to_be_visible()
