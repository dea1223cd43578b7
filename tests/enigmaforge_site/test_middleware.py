"""What holds for every request."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
}


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/no-such-page/", "/?x=%00"])
def test_every_answer_carries_the_security_headers(client: Client, path: str) -> None:
    response = client.get(path)
    assert set(response["Content-Security-Policy"].split("; ")) == POLICY
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"
    assert response["X-Frame-Options"] == "DENY"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in response["Permissions-Policy"]
    assert "HX-Request" in response["Vary"]


@pytest.mark.parametrize("path", ["/?q=%00", "/jobs/%00/", "/?q=a%00b&q=c", "/%00"])
def test_a_nul_character_is_refused(client: Client, path: str) -> None:
    assert client.get(path).status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/?q=%ff%fe", "/?" + "q=1&" * 5000, "/%ff/", "/?q=%u0000"])
def test_junk_in_the_address_is_no_server_error(client: Client, path: str) -> None:
    assert client.get(path).status_code in {200, 404}


def test_a_body_over_the_limit_is_refused_unread(client: Client, settings: Any) -> None:
    settings.UPLOAD_LIMIT_MB = 1
    response = client.post("/", data=b"x" * 2_000_001, content_type="application/octet-stream")
    assert response.status_code == 413
    assert "At most 1 MB are accepted" in response.content.decode()


@pytest.mark.parametrize("length", ["-1", "1e3", "x", "٣", "9" * 5000])
def test_a_length_that_is_no_number_is_refused(client: Client, length: str) -> None:
    assert client.get("/", CONTENT_LENGTH=length).status_code == 400
