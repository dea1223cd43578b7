"""The script that draws figures: one file out of a package, found, collected and compressed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import brotli
from django.contrib.staticfiles import finders

from enigmaforge_site import collected
from enigmaforge_site.plotly_finder import PlotlyFinder

NAME = "plotly/plotly.min.js"


def test_the_script_is_found_under_its_address_and_nothing_else_of_its_package() -> None:
    found = finders.find(NAME)
    assert found is not None
    assert b"plotly.js v4.1.1" in Path(found).read_bytes()[:200]
    for path in ("plotly/widgetbundle.js", "plotly.min.js", "plotly/../plotly.min.js", "plotly/"):
        assert finders.find(path) is None
    assert PlotlyFinder().find(NAME, find_all=True) == [found]
    assert PlotlyFinder().find("plotly/other.js", find_all=True) == []


def test_the_script_is_collected_under_its_hash_and_compressed(
    tmp_path: Path, settings: Any
) -> None:
    settings.VAR = tmp_path
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATICFILES_FINDERS = ["enigmaforge_site.plotly_finder.PlotlyFinder"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "enigmaforge_site.static_storage.QuickManifestStorage"}
    }
    assert collected.collect_if_changed()
    manifest = json.loads((settings.STATIC_ROOT / "staticfiles.json").read_text())
    assert list(manifest["paths"]) == [NAME]
    file = settings.STATIC_ROOT / manifest["paths"][NAME]
    packed = file.with_name(f"{file.name}.br").read_bytes()
    assert brotli.decompress(packed) == file.read_bytes()
    assert len(packed) < 1_400_000
