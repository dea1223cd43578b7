"""`manage.py up`: one address, one sign-in, and nothing left running afterwards."""

from __future__ import annotations

import http.cookiejar
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[4]
_LINK = re.compile(r"http://127\.0\.0\.1:\d+/sign-in/[\w-]+/")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _up(var: Path, port: int) -> subprocess.Popen[str]:
    environment = {name: value for name, value in os.environ.items() if "ENIGMAFORGE" not in name}
    return subprocess.Popen(
        [sys.executable, "manage.py", "up", "--port", str(port)],
        cwd=_ROOT, env=environment | {"ENIGMAFORGE_VAR": str(var)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def _read_link(up: subprocess.Popen[str]) -> str:
    assert up.stdout is not None
    seen = ""
    for line in up.stdout:
        seen += line
        if found := _LINK.search(line):
            return found[0]
    pytest.fail(f"no address was printed:\n{seen}")


def _processes_of(var: Path) -> list[int]:
    """Return the processes that were started with this folder."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                environment = (process / "environ").read_bytes()
            except OSError:
                continue
            if f"ENIGMAFORGE_VAR={var}\0".encode() in environment:
                found.append(int(process.name))
    return found


class _Browser:
    """Keeps cookies and follows redirects."""

    def __init__(self) -> None:
        self._cookies = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self._cookies)
        )

    def get(self, url: str) -> str:
        with self._opener.open(url, timeout=10) as response:
            return str(response.read().decode())

    def press_sign_in(self, link: str) -> str:
        token = re.search(r'csrfmiddlewaretoken" value="([^"]+)"', self.get(link))
        assert token is not None
        form = urllib.parse.urlencode({"csrfmiddlewaretoken": token[1]}).encode()
        with self._opener.open(link, form, timeout=10) as response:
            return str(response.url)


@pytest.mark.slow
def test_one_command_starts_signs_in_and_stops(tmp_path: Path) -> None:
    port = _free_port()
    up = _up(tmp_path, port)
    try:
        first_link = _read_link(up)
        site = first_link.partition("/sign-in/")[0]
        browser = _Browser()
        assert browser.press_sign_in(first_link) == f"{site}/"
        assert "Jobs" in browser.get(f"{site}/jobs/")
        with pytest.raises(urllib.error.HTTPError, match="410"):
            _Browser().get(first_link)
        # The style sheets of a page are there, under hashed names.
        (style, *_) = re.findall(r'href="(/static/css/base\.\w+\.css)"', browser.get(f"{site}/"))
        assert browser.get(site + style)

        second = _up(tmp_path, port)
        assert second.communicate(timeout=30)[0] == (
            f"CommandError: port {port} cannot be used (Address already in use);"
            " choose another: make run PORT=9000\n"
        )
        assert second.returncode == 1
    finally:
        up.send_signal(signal.SIGINT)
        printed, _ = up.communicate(timeout=60)
    assert up.returncode == 0
    assert printed.endswith("Stopped.\n")
    assert "Traceback" not in printed
    assert _processes_of(tmp_path) == []

    again = _up(tmp_path, port)
    try:
        second_link = _read_link(again)
        assert second_link != first_link
        assert "Jobs" in browser.get(f"{site}/jobs/")
    finally:
        again.send_signal(signal.SIGTERM)
        again.communicate(timeout=60)
    assert again.returncode == 0


@pytest.mark.parametrize("port", ["0", "65536", "-1"])
def test_a_port_out_of_range_is_one_line(tmp_path: Path, port: str) -> None:
    up = _up(tmp_path, int(port))
    assert up.communicate(timeout=60)[0] == f"CommandError: --port {port}: expected 1 to 65535\n"
    assert up.returncode == 1
