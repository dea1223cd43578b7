"""Figures in a real browser, under the policy of their pages: drawn, repainted, downloaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from grading.services.freezing import freeze_report
from tests.grading.builders import corpus_of, graded, line, lines, rows_of, wrong

pytestmark = pytest.mark.django_db(transaction=True)

_MILLISECONDS = 30_000


@pytest.fixture
def figures(page: Page, live_server: Any, settings: Any, tmp_path: Path) -> list[str]:
    """Open the page of figures of a small board; what the browser complains of from then on."""
    settings.MEDIA_ROOT = tmp_path
    corpus = corpus_of()
    rows = rows_of(corpus)
    graded(corpus, lines(rows), model="meridian")
    graded(corpus, b"".join(line(row, wrong(row)) for row in rows), model="kestrel")
    freeze_report(corpus)
    said: list[str] = []
    page.on("console", lambda m: said.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.set_default_timeout(_MILLISECONDS)
    page.emulate_media(color_scheme="light")
    page.goto(f"{live_server.url}/leaderboard/harbour/figures/")
    return said


def _saved(page: Page, figure: str, kind: str) -> tuple[str, bytes]:
    with page.expect_download() as download:
        page.locator(f"#{figure}").get_by_role("button", name=kind).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


_GROUND = "document.querySelector('#statuses-chart .main-svg').style.background"


@pytest.mark.slow
def test_figures_are_drawn_when_seen_repainted_and_saved(page: Page, figures: list[str]) -> None:
    expect.set_options(timeout=_MILLISECONDS)
    first, last = page.locator("#intuition-chart"), page.locator("#statuses-chart")
    expect(first.locator(".main-svg").first).to_be_visible()
    expect(last.locator(".main-svg")).to_have_count(0)

    name, png = _saved(page, "intuition", "PNG")
    assert (png[:8], name[-4:]) == (b"\x89PNG\r\n\x1a\n", ".png")
    assert name.startswith("harbour-")
    assert int.from_bytes(png[16:20]) == 2400
    _, svg = _saved(page, "decisions", "SVG")
    for words in ("1 meridian", "2 kestrel", "Discovery retention and earned decisions: harbour"):
        assert words in svg.decode()
    assert "var(--" not in svg.decode()

    last.scroll_into_view_if_needed()
    expect(last.locator(".heatmaplayer image")).to_have_count(1)
    light = page.evaluate(_GROUND)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"light => {_GROUND} !== light", arg=light)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")  # paper is light
    page.wait_for_function(f"light => {_GROUND} === light", arg=light)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.wait_for_function(f"light => {_GROUND} !== light", arg=light)
    page.get_by_role("button", name="Theme").click()  # light, whatever the system says
    page.wait_for_function(f"light => {_GROUND} === light", arg=light)
    _, map_png = _saved(page, "statuses", "PNG")
    assert len(map_png) > 10_000
    assert figures == []


@pytest.mark.slow
def test_a_picture_that_cannot_be_drawn_points_to_its_table(
    page: Page, figures: list[str], live_server: Any
) -> None:
    page.route("**/plotly.min.js", lambda route: route.abort())
    page.goto(f"{live_server.url}/leaderboard/harbour/figures/tax/")
    expect(page.locator("#tax-chart")).to_contain_text("The table has the same numbers")
    expect(page.locator("table")).to_contain_text("kestrel")
