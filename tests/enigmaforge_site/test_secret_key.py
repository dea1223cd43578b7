"""The secret key is made once, privately, and never guessed."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from enigmaforge_site.secret_key import load_or_make_key


def test_the_first_start_makes_a_key_only_the_owner_can_read(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "secret_key"
    key = load_or_make_key(path)
    assert len(key) >= 50
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_or_make_key(path) == key


def test_first_starts_at_once_agree_on_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(load_or_make_key, [tmp_path / "secret_key"] * 32))
    assert len(keys) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


def test_a_truncated_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("short", encoding="ascii")
    with pytest.raises(ImproperlyConfigured, match="holds 5 characters; expected"):
        load_or_make_key(tmp_path / "secret_key")
