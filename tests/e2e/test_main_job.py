"""The main job, as one person does it: start, sign in, forge, read, upload, look at the board.

Everything is real: `manage.py up` in a folder of its own, with its web server, worker and queue,
and a browser. The starter corpus is forged beforehand and small, so that the worker has time.
"""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.grading.builders import answer, line
from tests.processes import manage, start
from worlds.core.codec import decode_instance

MODEL = "meridian-2"
_MILLISECONDS = 30_000


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def sign_in_link(tmp_path: Path) -> Iterator[str]:
    """Start the site; the one address that it prints."""
    manage(tmp_path, "migrate", "--verbosity", "0")
    manage(tmp_path, "forge_corpus", "starter", "--families", "1", "--levels", "L00")
    port = str(_free_port())
    site = start(tmp_path, "manage.py", "up", "--port", port, stdout=subprocess.PIPE)
    assert site.stdout is not None
    try:
        for told in site.stdout:
            if found := re.search(r"http://127\.0\.0\.1:\S+/sign-in/\S+", told):
                yield found[0]
                break
        else:
            pytest.fail("up ended without an address")
    finally:
        site.send_signal(signal.SIGINT)
        assert site.wait(30) == 0


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """What the browser complains of while the test runs, such as a breach of the page's policy."""
    said: list[str] = []
    page.on("console", lambda m: said.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    return said


def _replies(page: Page, ids: list[str], corpus: str) -> bytes:
    """The replies of a model that is right in everything but one fact of the first instance."""
    rows = []
    for number, sample_id in enumerate(ids):
        text = page.request.get(f"{corpus}{sample_id}/instance.json").text()
        world = decode_instance(text).world
        first = world.variables[0]
        other = next(v for v in world.term_values[first.id] if v != world.solution[first.id])
        entries = answer(world, **({first.id: other} if number == 0 else {}))
        rows.append(line(sample_id, "I have it. " + json.dumps({"answer": entries})))
    return b"".join(rows)


def _open_section(page: Page, name: str) -> None:
    page.get_by_role("navigation", name="Main").get_by_role("link", name=name).click()


def _forge(page: Page) -> tuple[str, list[str]]:
    """Forge a small corpus in the browser; its address and the ids of its instances."""
    _open_section(page, "Corpora")
    page.get_by_role("link", name="Forge a corpus").click()
    page.get_by_label("Name").fill("harbour")
    page.get_by_label("Families").fill("2")
    for level in ("L01", "L02", "L03", "L04", "L05"):
        page.get_by_label(level).uncheck()
    page.get_by_role("button", name="Forge it").click()
    page.get_by_role("link", name="Open the result").click()
    expect(page.get_by_text("all proved")).to_be_visible()
    return page.url, page.locator("#instance-rows tbody th a").all_inner_texts()


def _light_the_clues(page: Page, sample_id: str) -> None:
    """Open an instance as its reader sees it, then light it beside its evidence units."""
    page.get_by_role("link", name=sample_id).click()
    unit = page.locator(".unit").first
    expect(unit).to_be_hidden()
    page.get_by_role("button", name="Light the clues").click()
    expect(unit).to_be_visible()
    expect(page.locator("mark.clue-span").first).to_be_visible()


def _upload(page: Page, content: bytes) -> None:
    _open_section(page, "Upload")
    page.get_by_label("Corpus").select_option("harbour")
    page.get_by_label("Model").fill(MODEL)
    page.get_by_label("Files").set_input_files(
        {"name": "replies.jsonl", "mimeType": "application/jsonl", "buffer": content}
    )
    page.get_by_role("button", name="Upload and grade").click()
    page.get_by_role("link", name="Open the result").click()


def _read_the_record_that_is_wrong(page: Page, sample_id: str) -> None:
    page.get_by_label("Outcome").select_option("world right, action wrong")
    expect(page.get_by_text("No record fits")).to_be_visible()
    page.get_by_label("Outcome").select_option("")
    page.get_by_role("link", name=sample_id, exact=True).click()
    expect(page.get_by_role("heading", name="Clues that the reply contradicts")).to_be_visible()
    expect(page.locator(".reply__graded")).to_contain_text('{"answer"')
    expect(page.locator('.table [data-outcome="wrong"]')).not_to_have_count(0)


@pytest.mark.slow
def test_one_person_does_the_whole_main_job(
    page: Page, sign_in_link: str, complaints: list[str]
) -> None:
    page.set_default_timeout(_MILLISECONDS)
    expect.set_options(timeout=_MILLISECONDS)
    page.goto(sign_in_link)
    page.get_by_role("button", name="Sign in").click()

    corpus, ids = _forge(page)
    assert len(ids) == 10
    _light_the_clues(page, next(each for each in ids if each.endswith("-imp1")))

    _upload(page, _replies(page, ids, corpus))
    expect(page.get_by_role("heading", name="Scores")).to_be_visible()
    _read_the_record_that_is_wrong(page, ids[0])

    _open_section(page, "Leaderboard")
    page.get_by_role("link", name="harbour").click()
    row = page.get_by_role("region", name="Leaderboard").get_by_role("row", name=MODEL)
    expect(row).to_contain_text("100.0")
    expect(row).to_contain_text("10/10")
    for _ in range(20):
        # The controls of the new corpus may still be running; the page reads frozen reports.
        if page.get_by_text("11 of 11 exact").is_visible():
            break
        page.wait_for_timeout(500)
        page.reload()
    expect(page.get_by_text("11 of 11 exact")).to_be_visible()
    assert complaints == []
