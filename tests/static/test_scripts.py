"""The scripts in a real browser, on a small record, under the site's own content policy."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page, Route

ROOT = Path(__file__).parents[2]
HOST = "http://workbench.test"
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"

RECORD = """
<div data-spans data-lit="{lit}">
  <form method="get"><button data-lit-toggle aria-pressed="false">Light the clues</button></form>
  <p class="document__text">Before  <mark class="clue-span" data-unit="E1" data-role="clue"
    data-label="E1" id="span-E1">one </mark><mark class="clue-span" data-unit="E1 D2"
    data-role="clue" data-overlap data-label="D2" id="span-D2">both</mark><mark
    class="clue-span" data-unit="D2"
    data-role="distractor"> two</mark> after.</p>
  <aside data-when="lit"><ol>
    <li class="unit" id="unit-D2" data-unit="D2" tabindex="-1"><a href="#span-D2">D2</a></li>
    <li class="unit" id="unit-E1" data-unit="E1" tabindex="-1"><a href="#span-E1">E1</a>
      <details><summary>Certificate</summary>
        <a href="?without=E1" data-missing-link>What if it were missing?</a></details></li>
    <li class="unit" id="unit-E9" data-unit="E9" tabindex="-1"><a href="#span-E9">E9</a></li>
  </ol></aside>
</div>
<input id="search" aria-label="Search">
"""
UPLOAD = """
<div data-drop-area data-limit-bytes="1200"><input type="file" multiple aria-label="Files">
<ul data-drop-files></ul><p data-drop-warning hidden></p></div>
"""
HEAD = """<!doctype html><html lang="en"><head><title>Record</title>
<script src="/static/js/theme.js"></script>
<link rel="stylesheet" href="/static/css/tokens.css">
<link rel="stylesheet" href="/static/css/base.css">
<link rel="stylesheet" href="/static/css/documents.css">
<link rel="stylesheet" href="/static/css/instance.css">
{scripts}</head><body><button data-theme-toggle>Theme: <span data-theme-name></span></button>"""
TYPES = {".js": "text/javascript", ".css": "text/css"}


def _open(page: Page, body: str, scripts: tuple[str, ...], path: str = "/") -> list[str]:
    """Open the page; return the list that fills with whatever goes wrong on it."""
    tags = "".join(f'<script type="module" src="/static/js/{name}"></script>' for name in scripts)
    html = HEAD.format(scripts=tags) + body

    def answer(route: Route) -> None:
        asked = route.request.url.removeprefix(HOST).partition("?")[0]
        if asked.startswith("/static/"):
            file = ROOT / asked.removeprefix("/")
            route.fulfill(body=file.read_bytes(), content_type=TYPES[file.suffix])
        else:
            route.fulfill(
                body=html,
                content_type="text/html; charset=utf-8",
                headers={"Content-Security-Policy": POLICY},
            )

    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: message.type == "error" and problems.append(message.text))
    page.route(f"{HOST}/**", answer)
    page.goto(HOST + path)
    return problems


@pytest.fixture
def record(page: Page) -> Page:
    body = RECORD.format(lit="off") + render_to_string("_keys_dialog.html")
    problems = _open(page, body, ("spans.js", "keys.js"))
    assert problems == []
    return page


def _lit(page: Page) -> str | None:
    return page.locator("[data-spans]").get_attribute("data-lit")


def _current(page: Page) -> list[str | None]:
    return [e.get_attribute("id") for e in page.locator("[data-current][data-unit]").all()]


def _linked(page: Page) -> list[str]:
    parts = page.locator("[data-linked]").all()
    return [part.get_attribute("id") or part.inner_text().strip() for part in parts]


def test_lighting_shows_the_units_and_says_so_in_address_and_button(record: Page) -> None:
    toggle = record.get_by_role("button", name="Light the clues")
    assert not record.locator("#unit-E1").is_visible()
    toggle.click()
    assert (_lit(record), toggle.get_attribute("aria-pressed")) == ("on", "true")
    assert record.url == f"{HOST}/?lit=1"
    assert record.locator("#unit-E1").is_visible()
    toggle.click()
    assert (_lit(record), toggle.get_attribute("aria-pressed")) == ("off", "false")
    assert record.url == f"{HOST}/"


def test_lighting_adds_nothing_to_the_text(record: Page) -> None:
    before = record.locator(".document__text").inner_text()
    record.keyboard.press("l")
    assert record.locator(".document__text").inner_text() == before
    assert "Before  one both two after." in before


def test_unlit_spans_are_no_stops_of_the_tab_key(record: Page) -> None:
    stops = record.locator("mark[tabindex]")
    assert stops.count() == 0
    record.keyboard.press("l")
    assert stops.count() == 2
    record.keyboard.press("l")
    assert stops.count() == 0


def test_hover_and_focus_link_text_and_unit_both_ways(record: Page) -> None:
    record.keyboard.press("l")
    record.hover("#span-E1")
    assert _linked(record) == ["span-E1", "span-D2", "unit-E1"]
    record.focus("#unit-D2 a")
    assert _linked(record) == ["span-D2", "two", "unit-D2"]


def test_a_segment_of_two_units_links_both(record: Page) -> None:
    record.keyboard.press("l")
    record.hover("#span-D2")
    assert _linked(record) == ["span-E1", "span-D2", "two", "unit-D2", "unit-E1"]


def test_stepping_follows_the_text_then_units_without_a_span_and_wraps(record: Page) -> None:
    visited = []
    for _ in range(4):
        record.keyboard.press("j")
        visited.append(record.locator("[data-spans]").get_attribute("data-current"))
    assert visited == ["E1", "D2", "E9", "E1"]
    record.keyboard.press("k")
    assert record.locator("[data-spans]").get_attribute("data-current") == "E9"


def test_enter_opens_the_certificate_and_escape_lets_go_then_puts_out(record: Page) -> None:
    record.keyboard.press("j")
    record.keyboard.press("Enter")
    assert record.locator("#unit-E1 details").get_attribute("open") is not None
    assert record.evaluate("document.activeElement.textContent") == "Certificate"
    record.keyboard.press("Escape")
    assert (_lit(record), _current(record)) == ("on", [])
    record.keyboard.press("Escape")
    assert _lit(record) == "off"


def test_the_link_of_a_unit_leads_to_its_span(record: Page) -> None:
    record.keyboard.press("l")
    record.locator("#unit-D2 a").click()
    assert record.evaluate("document.activeElement.id") == "span-D2"
    assert _current(record) == ["span-D2", None, "unit-D2"]


def test_keys_typed_into_a_field_do_nothing(record: Page) -> None:
    record.locator("#search").press_sequentially("jlk?")
    assert _lit(record) == "off"
    assert record.locator("#search").input_value() == "jlk?"


def test_keys_can_be_turned_off_and_stay_off(record: Page) -> None:
    record.keyboard.press("?")
    assert record.locator("dialog").is_visible()
    record.get_by_label("Single keys work on this page").uncheck()
    record.keyboard.press("Escape")
    record.reload()
    record.keyboard.press("l")
    assert _lit(record) == "off"


def test_a_record_lit_by_the_server_can_be_used_at_once(page: Page) -> None:
    problems = _open(page, RECORD.format(lit="on"), ("spans.js",), "/?lit=1")
    assert page.locator("mark[tabindex='0']").count() == 2
    assert problems == []


def test_an_address_of_a_unit_makes_it_the_current_one(page: Page) -> None:
    scripts = ("spans.js", "units.js")
    problems = _open(page, RECORD.format(lit="on"), scripts, "/?lit=1#unit-D2")
    assert _current(page) == ["span-D2", None, "unit-D2"]
    page.evaluate("location.hash = 'span-E1'")
    page.wait_for_function("document.querySelector('[data-spans]').dataset.current === 'E1'")
    assert problems == []


def test_an_address_lights_nothing_by_itself(page: Page) -> None:
    _open(page, RECORD.format(lit="off"), ("spans.js", "units.js"), "/#unit-D2")
    assert (_lit(page), _current(page)) == ("off", [])


def test_m_leads_to_the_world_without_the_unit(page: Page) -> None:
    body = RECORD.format(lit="on") + render_to_string("_keys_dialog.html")
    problems = _open(page, body, ("spans.js", "keys.js", "units.js"), "/?lit=1")
    page.keyboard.press("m")
    assert page.url == f"{HOST}/?lit=1"
    page.keyboard.press("j")
    page.keyboard.press("m")
    page.wait_for_url(f"{HOST}/?without=E1")
    assert problems == []


def test_a_question_keeps_its_light_in_the_address(page: Page) -> None:
    _open(page, RECORD.format(lit="on"), ("spans.js",), "/?why=W-21")
    toggle = page.get_by_role("button", name="Light the clues")
    toggle.click()
    assert page.url == f"{HOST}/?why=W-21&lit=0"
    toggle.click()
    assert page.url == f"{HOST}/?why=W-21&lit=1"


def test_the_theme_is_kept_and_there_before_the_page(page: Page) -> None:
    problems = _open(page, "", ())
    toggle = page.locator("[data-theme-toggle]")
    assert toggle.inner_text() == "Theme: auto"
    toggle.click()
    toggle.click()
    assert toggle.inner_text() == "Theme: dark"
    page.reload()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert toggle.inner_text() == "Theme: dark"
    toggle.click()
    assert page.locator("html").get_attribute("data-theme") is None
    assert problems == []


def test_chosen_files_are_listed_and_too_large_ones_named(page: Page) -> None:
    problems = _open(page, UPLOAD, ("upload.js",))
    name = "<b>big</b>.jsonl"
    page.set_input_files(
        "input[type=file]",
        [
            {"name": "small.jsonl", "mimeType": "text/plain", "buffer": b"x" * 900},
            {"name": name, "mimeType": "text/plain", "buffer": b"x" * 1500},
        ],
    )
    rows = page.locator("[data-drop-files] li").all_inner_texts()
    assert [row.split() for row in rows] == [
        ["small.jsonl900", "B"],
        [f"{name}1.5", "KB,", "over", "1.2", "KB"],
    ]
    assert name in page.locator("[data-drop-warning]").inner_text()
    page.set_input_files("input[type=file]", [])
    assert page.locator("[data-drop-warning]").is_hidden()
    assert problems == []
