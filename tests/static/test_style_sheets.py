"""The style sheets keep their promises: one place for colours, contrast in both themes, small."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CSS = sorted((ROOT / "static" / "css").glob("*.css"))
JS = sorted((ROOT / "static" / "js").glob("*.js"))
TOKENS = ROOT / "static" / "css" / "tokens.css"
TEMPLATES = ROOT / "templates"
PAGES = sorted(
    path.relative_to(TEMPLATES).as_posix()
    for path in TEMPLATES.rglob("*.html")
    if '{% extends "base.html" %}' in path.read_text(encoding="utf-8")
)

_LITERAL = re.compile(
    r"#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\("
    r"|:\s*(?:white|black|red|green|blue|gr[ae]y|yellow|orange|purple|brown)\b",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_PAIR = re.compile(r"(--[\w-]+):\s*light-dark\(\s*(#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\s*\)")

ROLES = ("clue", "distractor", "frame", "bridge-note", "objective", "policy", "provisional")
TEXT_PAIRS = [
    *((ink, ground) for ink in ("ink", "ink-soft") for ground in ("desk", "paper", "paper-sunk")),
    *((ink, "paper-aged") for ink in ("ink", "ink-soft")),
    *((tone, "paper") for tone in ("accent", "accent-strong", "good", "bad", "warn")),
    *((tone, "desk") for tone in ("accent", "bad")),
    *((tone, f"{tone}-wash") for tone in ("accent", "good", "bad", "warn", "muted")),
    *(("ink", f"{tone}-wash") for tone in ("accent", "good", "bad", "warn", "muted")),
    ("accent-strong", "accent-wash"),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    *(("ink", f"role-{role}-wash") for role in ROLES),
    *((f"role-{role}", f"role-{role}-wash") for role in ROLES),
    *((f"role-{role}", "paper") for role in ROLES),
]
SHAPE_PAIRS = [
    ("rule-strong", "paper"),
    ("rule-strong", "desk"),
    ("focus", "paper"),
    ("focus", "desk"),
]


def _text(path: Path) -> str:
    return _COMMENT.sub("", path.read_text(encoding="utf-8"))


def _colours() -> dict[str, tuple[str, str]]:
    return {name[2:]: (light, dark) for name, light, dark in _PAIR.findall(_text(TOKENS))}


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("path", [p for p in CSS + JS if p != TOKENS], ids=lambda p: p.name)
def test_colour_literals_stand_in_the_tokens_only(path: Path) -> None:
    assert _LITERAL.findall(_text(path)) == []


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXT_PAIRS)
def test_text_contrast_is_at_least_aa(ink: str, ground: str, theme: int) -> None:
    colours = _colours()
    assert _contrast(colours[ink][theme], colours[ground][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("line", "ground"), SHAPE_PAIRS)
def test_borders_of_controls_and_the_focus_ring_can_be_seen(
    line: str,
    ground: str,
    theme: int,
) -> None:
    colours = _colours()
    assert _contrast(colours[line][theme], colours[ground][theme]) >= 3


def test_every_used_property_is_defined_and_every_token_is_used() -> None:
    sheets = "\n".join(_text(path) for path in CSS)
    defined = set(re.findall(r"(--[\w-]+)\s*:", sheets))
    used = set(re.findall(r"var\((--[\w-]+)", sheets))
    assert used == defined


def _loaded(template: str) -> set[str]:
    """The own style sheets and scripts that a template loads, by itself or by what it includes."""
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    # Plotly's script is not ours, and is fetched only when a figure comes into view.
    loaded = set(re.findall(r"{% static '(?!plotly/)([^']+\.(?:css|js))' %}", text))
    for other in re.findall(r'{% (?:extends|include) "([^"]+)"', text):
        loaded |= _loaded(other)
    return loaded


@pytest.mark.parametrize("page", PAGES)
def test_style_and_scripts_of_a_page_stay_under_60_kilobytes(page: str) -> None:
    loaded = _loaded(page)
    assert "css/tokens.css" in loaded
    assert sum((ROOT / "static" / name).stat().st_size for name in loaded) < 60_000


def test_every_style_sheet_and_script_is_loaded_by_some_page() -> None:
    own = {path.relative_to(ROOT / "static").as_posix() for path in CSS + JS}
    assert set().union(*(_loaded(page) for page in PAGES)) == own


@pytest.mark.parametrize("path", JS, ids=lambda p: p.name)
def test_script_is_short_and_says_first_which_attribute_it_serves(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 150
    assert lines[0].startswith("// Serves data-") or "data-" in lines[0] + lines[1]
    assert lines[0].startswith("//")


@pytest.mark.parametrize("path", CSS, ids=lambda p: p.name)
def test_style_sheet_loads_nothing_from_elsewhere(path: Path) -> None:
    assert re.findall(r"url\(|@import|!ie", _text(path)) == []
