"""The main flows by the keyboard alone, in a real browser.

Nothing is clicked and nothing is filled in: Tab reaches a control, and keys use it. At each stop on
the way the focus must be visible, and what the page swaps must not take it away.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from enigmaforge_site.jobs import services as jobs
from enigmaforge_site.jobs import tasks as job_tasks
from enigmaforge_site.jobs.models import Job
from grading.models import Participant
from tests.grading.builders import answer, line, rows_of, wrong
from tests.site import forget_reviews, furnish
from worlds.models import Corpus, Instance, ReviewEntry
from worlds.services import world_of

pytestmark = pytest.mark.slow

_MOST_STOPS = 400
_MILLISECONDS = 30_000
# Whether the element has the focus, and what is wrong with how the focus shows where it is.
_LOOK = """(wanted) => {
  const at = document.activeElement;
  if (at === document.body || at === document.documentElement) return [false, ""];
  const style = getComputedStyle(at);
  const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  const box = at.getBoundingClientRect();
  const seen = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  const fault = !outlined ? "no outline" : !seen ? "out of sight" : "";
  return [at === wanted, fault && `${fault}: ${at.outerHTML.slice(0, 200)}`];
}"""


@dataclass(frozen=True)
class Keyboard:
    """A reader who has no mouse."""

    page: Page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def go_to(self, target: Locator) -> Locator:
        """Press Tab until the target has the focus; each stop on the way shows that it has it."""
        expect(target).to_be_visible()
        for _ in range(_MOST_STOPS):
            reached, fault = target.evaluate(_LOOK)
            assert fault == ""
            if reached:
                return target
            self.press("Tab")
        raise AssertionError(f"Tab never reached {target}")

    def use(self, target: Locator, key: str = "Enter") -> None:
        self.go_to(target)
        self.press(key)

    def write(self, target: Locator, text: str) -> None:
        """Replace what stands in a field."""
        self.go_to(target)
        self.press("Control+a")
        self.page.keyboard.type(text)

    def choose(self, select: Locator, value: str) -> None:
        """Step down a list until the value is chosen."""
        self.go_to(select)
        self.press("Home")
        for _ in range(_MOST_STOPS):
            if select.input_value() == value:
                return
            self.press("ArrowDown")
        raise AssertionError(f"no choice {value!r} in {select}")

    def keeps_focus(self, within: Locator | None = None) -> None:
        """Whatever was swapped, the reader is still somewhere: in that part, if one is named."""
        self.page.wait_for_load_state("networkidle")
        place = within or self.page.locator("body")
        expect(place.locator(":focus").or_(place.and_(self.page.locator(":focus")))).to_have_count(
            1
        )
        assert self.page.evaluate("document.activeElement !== document.body")


@pytest.fixture
def known(
    live_server: LiveServer, settings: Any, tmp_path: Path, owner: User, page: Page
) -> dict[str, Any]:
    """A furnished site; what stands in it."""
    settings.MEDIA_ROOT = tmp_path
    page.set_default_timeout(_MILLISECONDS)
    expect.set_options(timeout=_MILLISECONDS)
    return furnish(owner, families=2, levels=("L00",))


@pytest.fixture
def reader(
    known: dict[str, Any], live_server: LiveServer, owner: User, client: Client, page: Page
) -> Keyboard:
    """Somebody who is signed in, at the start page."""
    client.force_login(owner)
    name = site_settings.SESSION_COOKIE_NAME
    page.context.add_cookies(
        [{"name": name, "value": client.cookies[name].value, "url": live_server.url}]
    )
    page.goto(live_server.url)
    return Keyboard(page)


def _section(keys: Keyboard, name: str) -> None:
    """Open a section of the site by the main navigation."""
    main = keys.page.get_by_role("navigation", name="Main")
    keys.use(main.get_by_role("link", name=name, exact=True))


def test_a_corpus_is_ordered_and_its_job_paused_and_cancelled(
    known: dict[str, Any], live_server: LiveServer, page: Page
) -> None:
    from enigmaforge_site.signin import services

    keys = Keyboard(page)
    secret = services.issue(services.ensure_owner(), valid_for=timedelta(hours=1))
    page.goto(live_server.url + reverse("sign_in_confirm", args=(secret,)))
    keys.use(page.get_by_role("button", name="Sign in"))
    expect(page.get_by_role("button", name=re.compile("Sign out"))).to_be_visible()

    keys.use(page.get_by_role("link", name="Skip to the content"))
    expect(page.locator("#main")).to_be_focused()
    keys.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")

    _section(keys, "Corpora")
    keys.use(page.get_by_role("link", name="Forge a corpus"))
    keys.write(page.get_by_label("Name"), "lantern")
    keys.write(page.get_by_label("Families"), "2")
    for level in ("L01", "L02", "L03", "L04", "L05"):
        keys.use(page.get_by_label(level), "Space")
    expect(page.locator("#estimate")).to_contain_text("10 instances")
    keys.keeps_focus()
    keys.use(page.get_by_role("button", name="Forge it"))
    expect(page.get_by_role("heading", name="Forge the corpus lantern")).to_be_visible()

    job = jobs.claim(Job.objects.latest("pk").pk)
    assert job is not None
    jobs.progress(job, 0, "L00 hotel, family 1", total=2)
    keys.go_to(page.get_by_role("button", name="Pause"))
    with page.expect_response(lambda answer: "/jobs/" in answer.url):
        pass  # The page has asked how far the job is, and was swapped.
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
    keys.press("Enter")
    expect(page.get_by_text("it pauses after this step")).to_be_visible()
    keys.use(page.get_by_role("button", name="Cancel"))
    expect(page.get_by_text("it stops after this step")).to_be_visible()
    with jobs.recorded_failure(job):
        jobs.progress(job, 1)
    expect(page.get_by_role("button", name="Go on from here")).to_be_visible()
    _section(keys, "Jobs")
    keys.use(page.get_by_role("link", name="Forge the corpus lantern"))
    expect(page.get_by_role("heading", name="Forge the corpus lantern")).to_be_visible()


def test_a_list_is_filtered_and_an_instance_read(reader: Keyboard, known: dict[str, Any]) -> None:
    page = reader.page
    _section(reader, "Corpora")
    reader.use(page.get_by_role("link", name="harbour"))
    reader.choose(page.get_by_label("Condition", exact=True), "implicit")
    expect(page).to_have_url(re.compile("condition=implicit"))
    reader.keeps_focus()
    reader.use(page.get_by_role("link", name=known["sample_id"], exact=True))
    expect(page.locator(".record")).to_be_visible()
    page.wait_for_load_state()  # Before that the page's own keys are not there.

    reader.press("l")
    expect(page.locator(".unit").first).to_be_visible()
    reader.press("j", "j", "k")
    span = page.locator(".clue-span").first
    expect(span).to_be_focused()
    assert span.evaluate(_LOOK) == [True, ""]

    mark = page.get_by_label("Why is").locator("option").last.inner_text()
    reader.choose(page.get_by_label("Why is"), mark)
    reader.use(page.get_by_role("button", name="as it is?"))
    expect(page.get_by_role("heading", name=f"Why is {mark}")).to_be_visible()
    other = page.get_by_label("Beside it").locator("option").nth(1).get_attribute("value")
    assert other is not None
    reader.choose(page.get_by_label("Beside it"), other)
    reader.use(page.get_by_role("button", name="Show"))
    expect(page.locator(".record")).to_have_count(2)
    card = page.locator(".unit:has([data-missing-link])").first
    reader.use(card.locator("summary"))
    reader.use(card.get_by_role("link", name="What if it were missing?"))
    expect(page.get_by_role("heading", name=re.compile("were missing"))).to_be_visible()


def test_a_certificate_is_sorted_and_an_engine_asked_again(
    reader: Keyboard, known: dict[str, Any]
) -> None:
    page = reader.page
    page.goto(f"{page.url}corpora/harbour/{known['sample_id']}/")
    reader.use(page.get_by_role("link", name="The certificate", exact=True).first)
    reader.use(page.get_by_role("link", name="Worlds without it"))
    expect(page.locator("th[aria-sort]")).to_have_attribute("aria-sort", "ascending")
    again = page.locator("#recheck-oracle")
    reader.use(page.get_by_role("button", name="Ask Oracle again"))
    expect(again.get_by_text("Oracle is asked again.")).to_be_visible()
    reader.keeps_focus(again)
    job_tasks.run_now(Job.objects.latest("pk").pk)
    expect(again.get_by_text("1 world")).to_be_visible()
    reader.keeps_focus(again)


def test_replies_are_uploaded_and_a_record_read(
    reader: Keyboard, run_jobs: Callable[[], int]
) -> None:
    page = reader.page
    rows = rows_of(Corpus.objects.get())
    replies = b"".join(line(row, wrong(row)) for row in rows)
    _section(reader, "Upload")
    reader.choose(page.get_by_label("Corpus"), "harbour")
    reader.write(page.get_by_label("Model"), "sable")
    reader.go_to(page.get_by_label("Files")).set_input_files(
        {"name": "replies.jsonl", "mimeType": "application/jsonl", "buffer": replies}
    )
    reader.use(page.get_by_role("button", name="Upload and grade"))
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Upload replies")
    run_jobs()
    reader.use(page.get_by_role("link", name="Open the result"))
    reader.choose(page.get_by_label("Condition", exact=True), "implicit")
    expect(page).to_have_url(re.compile("condition=implicit"))
    reader.keeps_focus()
    reader.use(page.locator("#record-rows tbody a").first)
    expect(page.get_by_role("heading", name="Fact by fact")).to_be_visible()


def test_a_board_is_sorted_filtered_and_its_solvers_compared(reader: Keyboard) -> None:
    page = reader.page
    _section(reader, "Leaderboard")
    reader.use(page.get_by_role("link", name="harbour"))
    board = page.get_by_role("region", name="Leaderboard")
    reader.use(board.get_by_role("link", name="Fact F1"))
    expect(board.locator("th[aria-sort]")).to_contain_text("Fact F1")
    reader.write(page.get_by_label("Name", exact=True), "kestrel")
    reader.press("Enter")
    expect(board.get_by_role("row", name="meridian")).to_have_count(0)

    reader.use(page.get_by_role("link", name="Figures", exact=True))
    reader.choose(page.get_by_label("Condition of F1 and map"), "implicit")
    reader.use(page.get_by_role("button", name="Show"))
    expect(page).to_have_url(re.compile("condition=implicit"))
    reader.use(page.get_by_role("link", name="Compare", exact=True).first)
    for model in ("kestrel", "meridian"):
        reader.use(page.get_by_role("checkbox", name=model), "Space")
    reader.use(page.get_by_role("button", name="Show"))
    pair = page.get_by_role("region", name="kestrel against meridian", exact=True)
    expect(pair).to_be_visible()
    reader.use(page.get_by_role("link", name="Leaderboard", exact=True).last)
    reader.use(page.get_by_role("link", name="meridian").first)
    reader.use(page.get_by_role("link", name="Dashboard"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("meridian")


def test_a_distractor_is_decided(reader: Keyboard) -> None:
    page = reader.page
    try:
        _section(reader, "Review")
        reader.use(page.get_by_role("link", name="Start with the next one"))
        reader.use(page.get_by_role("button", name="Approve"))
        expect(page.get_by_text(re.compile("^Approved: "))).to_be_visible()
        assert ReviewEntry.objects.get().said == "approve"
    finally:
        forget_reviews()


def test_a_person_solves_an_instance(
    reader: Keyboard, known: dict[str, Any], run_jobs: Callable[[], int]
) -> None:
    page = reader.page
    Participant.objects.all().delete()
    row = Instance.objects.get(sample_id=known["sample_id"])
    _section(reader, "Solve")
    reader.use(page.get_by_role("link", name="harbour"))
    reader.use(page.get_by_label("I have read this and agree"), "Space")
    reader.use(page.get_by_role("button", name="Take part"))
    reader.use(page.get_by_role("link", name=row.sample_id, exact=True))
    reader.use(page.get_by_role("button", name="Open the record"))
    for number, entry in enumerate(answer(world_of(row.family)), start=1):
        if page.get_by_label(f"Mark, row {number}", exact=True).count() == 0:
            reader.use(page.get_by_role("button", name="More rows"))
        for name, part in zip(("Mark", "Word", "Value"), entry, strict=True):
            reader.write(page.get_by_label(f"{name}, row {number}", exact=True), str(part))
    reader.use(page.get_by_role("button", name="Hand in"))
    expect(page.get_by_role("button", name="Hand in")).to_have_count(0)
    run_jobs()
    page.reload()
    expect(page.get_by_text("solved", exact=True)).to_be_visible()


def test_help_is_read_and_the_theme_turned(reader: Keyboard) -> None:
    page = reader.page
    theme = page.get_by_role("button", name=re.compile("Theme"))
    reader.use(theme, "Space")
    expect(theme).to_have_text("Theme: light")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    _section(reader, "Help")
    reader.use(page.get_by_role("main").get_by_role("link", name="What the scores mean"))
    expect(page.get_by_role("heading", level=1)).to_have_text("What the scores mean")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
