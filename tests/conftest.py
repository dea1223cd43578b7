"""The environment of every test: a fresh folder for files, no collected static files, a browser.

The variables are set here, before Django reads its settings, so that `pytest` alone is enough.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django
import pytest

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

_VAR = tempfile.mkdtemp(prefix="enigmaforge-tests-")
atexit.register(shutil.rmtree, _VAR, ignore_errors=True)

os.environ["DJANGO_SETTINGS_MODULE"] = "enigmaforge_site.settings"
os.environ["ENIGMAFORGE_VAR"] = _VAR
# The live server finds static files where they lie, under their plain names.
os.environ["ENIGMAFORGE_STATIC_MANIFEST"] = "0"
# Playwright runs an event loop in the thread of the test, which Django takes for async code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

CHROMIUM = Path("/usr/bin/chromium")
_IN_CI = os.environ.get("CI", "").lower() == "true"


def pytest_configure(config: pytest.Config) -> None:
    """Start Django before any test module is imported; make the marker for browser tests known."""
    django.setup()
    config.addinivalue_line("markers", "browser: drives Debian's Chromium")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that use a page, and skip them where there is no browser."""
    skip = pytest.mark.skip(reason="no Chromium; install it with: apt-get install chromium")
    for item in items:
        if {"page", "context", "browser"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.browser)
            if not CHROMIUM.exists() and not _IN_CI:
                item.add_marker(skip)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a skipped test is a failure: everything it may need is there."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if _IN_CI and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say why the run failed when skipped tests are the reason."""
    skipped = terminalreporter.stats.get("skipped", [])
    if _IN_CI and skipped:
        terminalreporter.write_line(f"{len(skipped)} skipped: in CI nothing may be", red=True)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Start Debian's Chromium, without the services that look for the network."""
    return {
        "executable_path": str(CHROMIUM),
        "args": [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ],
    }


@pytest.fixture
def owner(db: None) -> User:
    """Return the person who runs the workbench."""
    from enigmaforge_site.signin import services

    return services.ensure_owner()


@pytest.fixture
def owner_client(client: Client, owner: User) -> Client:
    """Return a client that is signed in as the owner."""
    client.force_login(owner)
    return client


@pytest.fixture
def run_jobs(db: None) -> Callable[[], int]:
    """Return a function that does every waiting job in this process and says how many it did."""
    from enigmaforge_site.jobs import tasks
    from enigmaforge_site.jobs.models import Job, State

    def run() -> int:
        did = 0
        while job := Job.objects.filter(state=State.QUEUED).order_by("pk").first():
            tasks.run_now(job.pk)
            did += 1
        return did

    return run
