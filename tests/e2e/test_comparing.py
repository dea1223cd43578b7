"""Two solvers compared in a real browser, with the keyboard alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from grading.services.freezing import freeze_report
from tests.grading.builders import corpus_of, graded, line, lines, rows_of, wrong

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def board(page: Page, live_server: Any, settings: Any, tmp_path: Path) -> Page:
    """The leaderboard of two solvers, as a visitor opens it."""
    settings.MEDIA_ROOT = tmp_path
    corpus = corpus_of()
    rows = rows_of(corpus)
    graded(corpus, lines(rows), model="meridian")
    graded(corpus, b"".join(line(row, wrong(row)) for row in rows), model="kestrel")
    freeze_report(corpus)
    page.set_default_timeout(30_000)
    page.goto(f"{live_server.url}/leaderboard/harbour/")
    return page


def test_two_solvers_are_chosen_compared_and_followed_to_where_they_part(board: Page) -> None:
    expect.set_options(timeout=30_000)
    board.get_by_role("link", name="Compare").press("Enter")
    for model in ("meridian", "kestrel"):
        board.get_by_role("checkbox", name=model).press("Space")
    board.get_by_role("button", name="Show").press("Enter")
    section = board.get_by_role("region", name="meridian against kestrel", exact=True)
    expect(section.get_by_role("row", name="Task success")).to_contain_text("+100.0")
    section.get_by_role("link", name="Solved by meridian alone").press("Enter")
    expect(board.get_by_role("heading", level=1)).to_have_text("Solved by meridian alone")
    expect(board.locator("tbody tr")).to_have_count(4)
    board.get_by_role("link", name="Compare", exact=True).press("Enter")
    expect(board.get_by_role("link", name="Compare from kestrel")).to_be_visible()
