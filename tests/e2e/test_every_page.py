"""Every page in a real browser: accessible, still, silent, and no wider than its window.

Each is opened in three ways: light and dark on a desk, and light on a phone. The names on them are
as long as names may be, without a place to break them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings as site_settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from grading.services.names import MAX_MODEL_NAME
from tests.pages import pages_of
from tests.site import furnish
from worlds.models import Corpus

WINDOWS = {
    "light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
}
MOST_SHIFT = 0.1
_COUNT_SHIFTS = """
    window.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (!entry.hadRecentInput) window.shifted += entry.value;
      }
    }).observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture
def signed_in(
    live_server: LiveServer, settings: Any, tmp_path: Path, client: Client
) -> tuple[str, dict[str, str], str]:
    """The address of a furnished site, its pages by name, and the session of its owner."""
    from enigmaforge_site.signin import services

    settings.MEDIA_ROOT = tmp_path
    owner: User = services.ensure_owner()
    client.force_login(owner)
    known = furnish(owner, model="m" * MAX_MODEL_NAME)
    Corpus.objects.update(title="t" * 120)
    pages = pages_of(client, known)
    return live_server.url, pages, client.cookies[site_settings.SESSION_COOKIE_NAME].value


def _window(browser: Browser, site: str, session: str, options: dict[str, Any]) -> BrowserContext:
    context = browser.new_context(**options)
    context.add_cookies(
        [{"name": site_settings.SESSION_COOKIE_NAME, "value": session, "url": site}]
    )
    context.add_init_script(_COUNT_SHIFTS)
    return context


def _faults(page: Page, url: str) -> list[str]:
    """What is wrong with a page, in words."""
    said: list[str] = []
    page.on("console", lambda m: said.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(url)
    page.wait_for_load_state("networkidle")
    said.extend(
        f"axe, {found['id']}: {found['nodes'][0]['html'][:160]}"
        for found in Axe().run(page).response["violations"]
        if found["impact"] in ("serious", "critical")
    )
    if (wider := page.evaluate("document.documentElement.scrollWidth - innerWidth")) > 0:
        said.append(f"{wider} pixels wider than the window")
    if (shifted := page.evaluate("window.shifted")) > MOST_SHIFT:
        said.append(f"layout shift of {shifted:.2f}")
    return said


def test_a_page_with_faults_is_found_out(page: Page, tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    bad.write_text('<title>Bad</title><button></button><p style="width: 3000px">Too wide.</p>')
    page.add_init_script(_COUNT_SHIFTS)
    named = " ".join(_faults(page, bad.as_uri()))
    assert "axe, button-name" in named
    assert "pixels wider" in named


@pytest.mark.slow
@pytest.mark.parametrize("window", WINDOWS)
def test_every_page_is_accessible_still_and_silent(
    browser: Browser, signed_in: tuple[str, dict[str, str], str], window: str
) -> None:
    site, pages, session = signed_in
    faults = {}
    with _window(browser, site, session, WINDOWS[window]) as context:
        for name, url in pages.items():
            page = context.new_page()
            if said := _faults(page, site + url):
                faults[name] = said
            page.close()
    assert len(pages) > 10
    assert faults == {}
