"""Static files are collected when they changed, and only then."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from enigmaforge_site import collected


def test_collecting_is_repeated_only_after_a_change(tmp_path: Path, settings: Any) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.css").write_text("a { color: red }")
    settings.VAR = tmp_path
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATICFILES_DIRS = [source]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    }
    assert collected.collect_if_changed()
    assert not collected.collect_if_changed()
    (source / "a.css").write_text("a { color: blue }")
    os.utime(source / "a.css", ns=(1, 1))
    assert collected.collect_if_changed()
    manifest = json.loads((tmp_path / "static" / "staticfiles.json").read_text())
    (collected_name,) = manifest["paths"].values()
    assert "blue" in (tmp_path / "static" / collected_name).read_text()
    assert len(list((tmp_path / "static").glob("a.*.css"))) == 1
