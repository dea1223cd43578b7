"""What holds for every template: nothing inline, nothing from another host, blocks named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "templates"
TEMPLATES = sorted(ROOT.rglob("*.html"))
PAGES = [path for path in TEMPLATES if not path.name.startswith("_") and path.name != "base.html"]


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _text(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    return re.sub(r"{% comment %}.*?{% endcomment %}|{#.*?#}", "", text, flags=re.DOTALL)


@pytest.mark.parametrize("path", TEMPLATES, ids=_name)
def test_template_holds_no_inline_style_or_script(path: Path) -> None:
    inline = r"<style\b|\sstyle\s*=|<script\b(?![^>]*\ssrc=)|\son[a-z]+\s*=|hx-on|javascript:|\"js:"
    assert re.findall(inline, _text(path), re.IGNORECASE) == []


@pytest.mark.parametrize("path", TEMPLATES, ids=_name)
def test_template_holds_no_colour(path: Path) -> None:
    paints = re.findall(r"\b(?:fill|stroke|color|bgcolor)=\"([^\"]*)\"", _text(path))
    assert set(paints) <= {"none", "currentColor"}


@pytest.mark.parametrize("path", TEMPLATES, ids=_name)
def test_template_loads_nothing_from_another_host(path: Path) -> None:
    assert re.findall(r"(?:src|<link[^>]*href)=\"(?:https?:)?//", _text(path)) == []


@pytest.mark.parametrize("path", TEMPLATES, ids=_name)
def test_every_block_is_closed_by_its_name(path: Path) -> None:
    tags = re.findall(r"{%-?\s*(block|endblock)\b\s*(\w*)\s*-?%}", _text(path))
    stack: list[str] = []
    for tag, name in tags:
        if tag == "block":
            stack.append(name)
        else:
            assert name == stack.pop()
    assert stack == []


@pytest.mark.parametrize("path", TEMPLATES, ids=_name)
def test_template_marks_nothing_as_safe(path: Path) -> None:
    assert re.findall(r"\|\s*safe\b|autoescape off", _text(path)) == []


@pytest.mark.parametrize("path", PAGES, ids=_name)
def test_page_has_a_title_and_one_main_heading(path: Path) -> None:
    text = _text(path)
    assert '{% extends "base.html" %}' in text
    assert "{% block title %}" in text
    assert len(re.findall(r"<h1\b", text)) == 1
