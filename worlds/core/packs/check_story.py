"""The rules of a story's sentences: enough of them, known slots, and nothing that says anything.

What a story tells between its clauses may name no mark, name, marked thing or action, and use no
word that could take a clause back: the seeded narrator keeps the rules of every other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from worlds.core.packs.check_colour import Colour, slot_findings, slots_of
from worlds.core.packs.check_voice import TAKES_BACK, carrier_findings
from worlds.core.packs.findings import Finding
from worlds.core.packs.model import MONTHS, Pack, style_of
from worlds.core.packs.story import STORY

__all__ = ["story_findings"]

_LEAST = {
    "title": 4,
    "opening": 3,
    "frame": 3,
    "further": 6,
    "asked": 3,
    "order": 3,
    "note": 4,
    "carrier": 30,
    "arrival": 10,
    "stay": 10,
    "parting": 12,
    "beat": 80,
    "anecdote": 30,
    "ending": 3,
}
_LEAST_IN_GROUP = {
    "season": 3,
    "sky": 4,
    "weather": 10,
    "keeper": 1,
    "entry": 5,
    "settings": 18,
    "reading": 8,
    "thread": 6,
}
_LEAST_GROUPS = {"weather": 5, "settings": 5, "reading": 3, "thread": 6}
_SKIES_A_MONTH = 2
_WORDS = {"companion", "local", "host", "keeper", "place", "weekday", "month", "sky"}
_ORDERS = ("asked", "order")
_PHRASES = ("title", "words", "season", "sky", "keeper")
"""Lists whose texts are no sentences."""
_FEW_WORDS = {
    "title": set(),
    "season": set(),
    "sky": set(),
    "keeper": {"host"},
    "words": set(),
}
# A preposition far more often than a noun that marks are given to.
_PREPOSITIONS = {"round"}
_CLAUSE_FIRST = re.compile(r"(?:^|[.?!…] )\{[Cc]lause\}")


def story_findings(pack: Pack) -> Iterator[Finding]:
    """What is missing in a story or wrong with it."""
    yield from _counts(pack)
    yield from _season_findings(pack)
    colour = Colour(pack, _occasions(pack), pack.story.words)
    told: Counter[str] = Counter()
    for key, texts in pack.story.lists():
        kind = key.partition(".")[0]
        for text in texts:
            where = f"{STORY} {key} {text!r}"
            yield from slot_findings(text, where, _known(pack, kind), once=_once(kind))
            if kind == "carrier":
                yield from _carrier_findings(where, text)
            if kind == "season":
                continue
            yield from colour.findings(where, text)
            yield from _sentence_findings(kind, where, text)
            told[text] += kind not in ("keeper", "words", "sky")
    for text, count in told.items():
        if count > 1:
            yield Finding("twice", f"{STORY} {text!r}", f"stands {count} times")


def _counts(pack: Pack) -> Iterator[Finding]:
    story = pack.story
    found = {f"{STORY} {key}": (len(getattr(story, key)), least) for key, least in _LEAST.items()}
    for key, least in _LEAST_GROUPS.items():
        found[f"{STORY} {key} lists"] = (len(getattr(story, key)), least)
    for group, least in _LEAST_IN_GROUP.items():
        for key, texts in getattr(story, group).items():
            found[f"{STORY} {group}.{key}"] = (len(texts), least)
    for where, (count, least) in found.items():
        if count < least:
            yield Finding("count", where, f"{count} where at least {least} are needed")


def _season_findings(pack: Pack) -> Iterator[Finding]:
    """Every month has its weathers, and every paper that is read its colour."""
    story = pack.story
    for weather, months in story.season.items():
        for month in months:
            if month not in MONTHS:
                yield Finding("story", f"{STORY} season.{weather}", f"{month!r} is no month")
    for month in MONTHS:
        if sum(month in months for months in story.season.values()) < _SKIES_A_MONTH:
            what = f"{month} has fewer than {_SKIES_A_MONTH} weathers"
            yield Finding("story", f"{STORY} season", what)
    for channel in story.reading:
        lists = pack.fillers.get(channel, {})
        if style_of(channel) != "prose" or not (lists.get("opening") or lists.get("closing")):
            what = "is no channel of prose with openings or closings"
            yield Finding("story", f"{STORY} reading.{channel}", what)


def _occasions(pack: Pack) -> set[str]:
    found = {m.occasion for m in pack.lexicon.measures}
    return (found | {m.occasions for m in pack.lexicon.measures}) - _PREPOSITIONS


def _known(pack: Pack, kind: str) -> set[str]:
    if kind in _FEW_WORDS:
        return _FEW_WORDS[kind]
    known = {*_WORDS, *pack.story.words, *pack.lists}
    if kind == "carrier":
        known |= {"clause", "Clause"}
    if kind in _ORDERS:
        known |= {"date", "writer"}
    return known


def _once(kind: str) -> tuple[str, ...]:
    return ("date", "writer") if kind in _ORDERS else ()


def _carrier_findings(where: str, text: str) -> Iterator[Finding]:
    yield from carrier_findings(where, text)
    units = [slot.name for slot in slots_of(text) if slot.name.lower() == "clause"]
    if len(units) != 1:
        yield Finding("story", where, "holds not exactly one {clause} or {Clause}")
    elif (units[0] == "Clause") != bool(_CLAUSE_FIRST.search(text)):
        yield Finding("story", where, "a sentence begins with {Clause}, and only there")


def _sentence_findings(kind: str, where: str, text: str) -> Iterator[Finding]:
    found = TAKES_BACK.search(re.sub(r"\{[^{}]*\}", "", text))
    if found and kind != "title":
        yield Finding("voice", where, f"could take a clause back: {found[0]!r}")
    if kind in _PHRASES:
        return
    if not text.endswith((".", "!", "?")):
        yield Finding("lint", where, "does not end a sentence")
    if not re.match(r"[A-Z{]", text):
        yield Finding("lint", where, "does not begin with a capital")
    if {"“", "”"} & set(text):
        yield Finding("story", where, "holds quotation marks, in which papers are read")
