"""An instance and its certificate by keyboard alone, in a real browser."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings as site_settings
from django.test import Client
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from enigmaforge_site.jobs import services as jobs
from enigmaforge_site.jobs import tasks as job_tasks
from enigmaforge_site.jobs.models import Job
from tests.worlds.builders import fill, order
from worlds.models import Instance

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Site:
    """Where the pages of one instance are."""

    address: str
    row: Instance

    @property
    def instance(self) -> str:
        return f"{self.address}/corpora/harbour/{self.row.sample_id}/"

    @property
    def other(self) -> str:
        return self.row.sample_id.replace("-imp1", "-imp2")

    @property
    def clue(self) -> str:
        units = self.row.family.truth["units"]
        return str(next(unit["id"] for unit in units if unit["role"] == "clue"))

    @property
    def mark(self) -> str:
        return str(self.row.family.truth["variables"][-1]["mark"])


@pytest.fixture
def site(live_server: LiveServer, client: Client, page: Page) -> Site:
    """A corpus on a server, and a browser that is signed in there."""
    from enigmaforge_site.signin import services

    corpus = fill(order(families=1))
    client.force_login(services.ensure_owner())
    name = site_settings.SESSION_COOKIE_NAME
    cookie = {"name": name, "value": client.cookies[name].value, "url": live_server.url}
    page.context.add_cookies([cookie])
    row = corpus.instances.with_truth().get(sample_id__endswith="-imp1")
    return Site(live_server.url, row)


def _press(where: Locator, key: str = "Enter") -> None:
    """Reach something with the keyboard and press a key on it."""
    where.focus()
    expect(where).to_be_focused()
    where.page.keyboard.press(key)


def test_clues_are_lit_stepped_through_and_thought_away(page: Page, site: Site) -> None:
    page.goto(site.instance)
    root = page.locator("[data-spans]")
    expect(page.locator(".unit").first).to_be_hidden()
    page.keyboard.press("l")
    expect(page.locator(".unit").first).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    current = root.get_attribute("data-current")
    first = page.locator(".clue-span").first
    expect(first).to_be_focused()
    assert current == first.get_attribute("data-unit")
    expect(page.locator(f"#unit-{current}[data-linked][data-current]")).to_be_visible()

    page.goto(f"{site.instance}?lit=1#unit-{site.clue}")
    expect(root).to_have_attribute("data-current", site.clue)
    page.keyboard.press("Enter")
    expect(page.locator(f"#unit-{site.clue} details")).to_have_attribute("open", "")
    page.keyboard.press("m")
    expect(page).to_have_url(f"{site.instance}?lit=1&without={site.clue}#asked")
    expect(page.get_by_role("heading", name=f"What if {site.clue} were missing?")).to_be_visible()
    expect(page.get_by_text("≠ differs").first).to_be_visible()
    expect(page.locator(f'[data-unit~="{site.clue}"][data-missing] s').first).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys on this page")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_a_fact_is_asked_about_and_a_second_surface_shown(page: Page, site: Site) -> None:
    page.goto(site.instance)
    page.get_by_label("Why is").select_option(site.mark)
    _press(page.get_by_role("button", name="as it is?"))
    expect(page.get_by_role("heading", name=f"Why is {site.mark}")).to_be_visible()
    forcing = page.locator(".clue-span[data-forcing][data-label]")
    listed = page.locator(".asked__units > li")
    assert forcing.count() == listed.locator("a[href^='#span-']").count() > 0
    _press(listed.locator("a[href^='#span-']").first)
    expect(forcing.filter(has=page.locator(":scope[data-current]"))).to_have_count(1)

    page.get_by_label("Beside it").select_option(site.other)
    _press(page.get_by_role("button", name="Show"))
    expect(page.locator(".record")).to_have_count(2)
    expect(page.get_by_role("heading", name=f"Why is {site.mark}")).to_be_visible()
    page.locator(".clue-span[data-label]").first.focus()
    unit = page.locator(".clue-span[data-label]").first.get_attribute("data-label")
    for record in page.locator(".record").all():
        expect(record.locator(f'[data-unit~="{unit}"][data-linked]').first).to_be_visible()


def test_an_engine_is_asked_again_and_another_cancelled(page: Page, site: Site) -> None:
    page.goto(site.instance)
    _press(page.get_by_role("link", name="The certificate", exact=True).first)
    expect(page.get_by_role("heading", name="One world, three engines")).to_be_visible()
    _press(page.get_by_role("link", name="Worlds without it"))
    expect(page.locator("th[aria-sort]")).to_have_text("Worlds without it")
    expect(page.locator("th[aria-sort]")).to_have_attribute("aria-sort", "ascending")

    _press(page.get_by_role("button", name="Ask Oracle again"))
    expect(page.get_by_text("Oracle is asked again.")).to_be_visible()
    job_tasks.run_now(Job.objects.latest("pk").pk)
    again = page.locator("#recheck-oracle")
    expect(again.get_by_text("proved")).to_be_visible()
    expect(again.get_by_text("1 world")).to_be_visible()

    _press(page.get_by_role("button", name="Ask z3 again"))
    expect(page.get_by_text("z3 is asked again.")).to_be_visible()
    running = jobs.claim(Job.objects.latest("pk").pk)
    assert running is not None
    _press(page.get_by_role("button", name="Cancel z3"))
    expect(page.get_by_text("It is being stopped.")).to_be_visible()
    with jobs.recorded_failure(running):
        jobs.progress(running, 0)
    expect(page.locator("#recheck-z3").get_by_text("unknown")).to_be_visible()

    _press(page.locator("#ablation-" + site.clue).get_by_role("link", name=site.clue, exact=True))
    expect(page).to_have_url(f"{site.instance}?lit=1#unit-{site.clue}")
    expect(page.locator("[data-spans]")).to_have_attribute("data-current", site.clue)


def test_everything_can_be_asked_without_javascript(
    browser: Browser, page: Page, site: Site
) -> None:
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies(page.context.cookies())  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(site.instance)
    expect(page.get_by_role("button", name="Copy prompt")).to_be_hidden()
    page.get_by_role("button", name="Light the clues").click()
    expect(page.locator(".unit").first).to_be_visible()
    page.get_by_label("Why is").select_option(site.mark)
    page.get_by_role("button", name="as it is?").click()
    expect(page.locator(".clue-span[data-forcing]").first).to_be_visible()
    page.get_by_label("Beside it").select_option(site.other)
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".record")).to_have_count(2)
    card = page.locator(f"#unit-{site.clue}")
    card.locator("summary").click()
    card.get_by_role("link", name="What if it were missing?").click()
    expect(page.get_by_text("≠ differs").first).to_be_visible()
    expect(page.locator(".record")).to_have_count(2)
    page.get_by_role("link", name="The certificate", exact=True).click()
    page.get_by_role("link", name="Differs in").click()
    expect(page.locator("th[aria-sort]")).to_have_text("Differs in")
    page.get_by_role("button", name="Ask DPLL again").click()
    expect(page.get_by_text("DPLL is asked again.")).to_be_visible()
    context.close()


def test_paper_gets_the_record_alone_until_the_truth_is_lit(page: Page, site: Site) -> None:
    page.emulate_media(media="print")
    page.goto(site.instance)
    expect(page.locator(".document").first).to_be_visible()
    for hidden in (".site-header", ".instance__toolbar", ".instance__side", "#solution"):
        expect(page.locator(hidden)).to_be_hidden()
    page.goto(f"{site.instance}?lit=1")
    expect(page.locator(".unit").first).to_be_visible()
    expect(page.locator("#solution")).to_be_visible()
    page.goto(f"{site.instance}certificate/")
    expect(page.locator(".witness > span").first).to_be_visible()
    expect(page.get_by_role("button", name="Ask z3 again")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_whatever_is_asked_the_page_is_accessible_and_fits_a_phone(
    page: Page, site: Site, scheme: str
) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": 390, "height": 844})
    formal = site.row.sample_id.replace("-imp1", "-frm1")
    for query in (f"lit=1&why={site.mark}&beside={formal}", f"without={site.clue}&why="):
        page.goto(f"{site.instance}?{query}")
        expect(page.locator("#asked")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        found = [
            f"{each['id']}: {each['nodes'][0]['html'][:160]}"
            for each in Axe().run(page).response["violations"]
            if each["impact"] in ("serious", "critical")
        ]
        assert found == []
