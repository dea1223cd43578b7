"""Measure every page of a site of 100,000 instances: `python -m tests.page_times`.

There are 30 solvers as well, with 18,000 records. For each page: the queries it takes, the time
until its last byte, and the time until Chromium has loaded it, both also as multiples of the
sign-in page on the same machine; the best of several. The site is made in a folder of its own,
which takes some minutes and 3 GB, and goes with it.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import django
from playwright.sync_api import BrowserContext, sync_playwright

from tests.processes import environment, manage, start

REPEATS = 7
FAMILIES, COPIES, SOLVERS = 120, 999, 30
LEVELS = ("L00", "L01", "L02", "L03", "L04", "L05")
_TIMES = """() => {
  const [seen] = performance.getEntriesByType("navigation");
  return [seen.responseEnd - seen.requestStart, seen.loadEventEnd - seen.startTime];
}"""


@dataclass(frozen=True, slots=True)
class Timed:
    """Milliseconds until the last byte, and until the page is loaded."""

    bytes: float
    loaded: float


def main() -> None:
    """Make the site, measure it, print a table."""
    with tempfile.TemporaryDirectory(prefix="enigmaforge-pages-") as folder:
        os.environ.update(environment(Path(folder), ENIGMAFORGE_STATIC_MANIFEST="0"))
        django.setup()
        manage(Path(folder), "migrate", "--verbosity", "0")
        cookie, pages, queries = _furnished()
        with _served(Path(folder)) as site, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
            context = browser.new_context()
            base = _timed(context, f"{site}/sign-in/")
            context.add_cookies([{**cookie, "url": site}])
            _say(f"The sign-in page: {base.bytes:.1f} ms, loaded after {base.loaded:.0f} ms.\n")
            _say("| page | queries | last byte, ms | × | loaded, ms | × |")
            _say("| --- | ---: | ---: | ---: | ---: | ---: |")
            for name, url in pages.items():
                took = _timed(context, site + url)
                first = f"{took.bytes:.1f} | {took.bytes / base.bytes:.1f}"
                then = f"{took.loaded:.0f} | {took.loaded / base.loaded:.1f}"
                _say(f"| {name} | {queries[name]} | {first} | {then} |")
            browser.close()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _furnished() -> tuple[dict[str, Any], dict[str, str], dict[str, int]]:
    """Fill the site; the owner's cookie, the pages by name and how many queries each takes."""
    from django.conf import settings
    from django.test import Client

    from enigmaforge_site.signin.services import ensure_owner
    from grading.models import Submission
    from tests.grading.builders import corpus_of
    from tests.pages import pages_of, queries_of
    from tests.scale import multiply_corpus, multiply_submission
    from tests.site import furnish

    owner, client = ensure_owner(), Client(HTTP_HOST="127.0.0.1")
    client.force_login(owner)
    known = furnish(owner, families=FAMILIES, levels=LEVELS)
    for submission in Submission.objects.of_models():
        multiply_submission(submission, SOLVERS // 2 - 1)
    sea = corpus_of("sea", families=20, levels=LEVELS[:4])
    multiply_corpus(sea, COPIES)
    pages = pages_of(client, known) | {
        "the large corpus": "/corpora/sea/",
        "its page 3000": "/corpora/sea/?page=3000",
        "its page 500, filtered": "/corpora/sea/?genre=maritime&condition=implicit&page=500",
        "its last instance": sea.instances.in_condition("implicit").latest("pk").get_absolute_url(),
        "its review": "/review/?corpus=sea",
    }
    name = settings.SESSION_COOKIE_NAME
    cookie: dict[str, Any] = {"name": name, "value": client.cookies[name].value}
    return cookie, pages, queries_of(client, pages)


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """The site on a free port, until the end of the block."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    server = start(
        folder, "manage.py", "runserver", "--noreload", "--insecure", address,
        settings={"ENIGMAFORGE_STATIC_MANIFEST": "0"},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        _await(f"http://{address}/sign-in/")
        yield f"http://{address}"
    finally:
        server.terminate()
        server.wait()


def _await(url: str) -> None:
    """Return when the address answers."""
    while True:
        try:
            urlopen(url).close()  # noqa: S310 - our own server
        except OSError:
            time.sleep(0.1)
        else:
            return


def _timed(context: BrowserContext, url: str) -> Timed:
    """The best of several visits, each in a window of its own."""
    took = []
    for _ in range(REPEATS):
        page = context.new_page()
        page.goto(url, wait_until="load")
        took.append(Timed(*page.evaluate(_TIMES)))
        page.close()
    return Timed(min(each.bytes for each in took), min(each.loaded for each in took))


if __name__ == "__main__":
    main()
