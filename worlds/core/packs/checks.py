"""What a pack lacks or does wrong, gap by gap.

`check` never stops at the first gap. Counts say what a whole genre needs; every other rule holds
for the smallest pack too. That each wording reads back as itself is the round trip's affair, over
every wording and lexicon entry, in the tests.
"""

from __future__ import annotations

from collections.abc import Iterator

from worlds.core.model import CHANNELS
from worlds.core.packs.check_lexicon import lexicon_findings
from worlds.core.packs.check_story import story_findings
from worlds.core.packs.check_texts import text_findings
from worlds.core.packs.findings import Finding
from worlds.core.packs.model import CLAUSE_FORMS, LITERAL_FORMS, Pack

__all__ = ["Finding", "check"]

_FREQUENT = {
    "pin_person",
    "pin_ordinal",
    "same_person",
    "implication",
    "offset_more",
    "offset_less",
    "person_is",
    "ordinal_is",
}
_NAMES, _ROLES, _ROLES_PER_ROSTER, _MEASURES, _VERBS = 24, 130, 60, 20, 4
_OPENINGS, _SHAPES = 25, 3
_HEDGES = {"prose": 12, "wire": 3, "entry": 3}
_ORDERS = {
    "frames": 4,
    "closures": 3,
    "scales": 3,
    "testimonies": 3,
    "objectives": 4,
    "provisionals": 4,
    "policies": 4,
    "notes": 4,
}
_CARRIERS_FOR_COLOUR = ("letter", "logbook", "testimony")


def check(pack: Pack) -> tuple[Finding, ...]:
    """Every gap of a pack; nothing for a pack that can be used at every level."""
    return (
        *_counts(pack),
        *lexicon_findings(pack),
        *text_findings(pack),
        *story_findings(pack),
    )


def _counts(pack: Pack) -> Iterator[Finding]:
    lexicon = pack.lexicon
    found = {
        "lexicon.toml names": (len(lexicon.names), _NAMES),
        "lexicon.toml bystanders": (len(pack.bystanders), _NAMES),
        "lexicon.toml verbs": (len(lexicon.verbs), _VERBS),
        "lexicon.toml roles": (len(lexicon.roles), _ROLES),
        "lexicon.toml measures": (len(lexicon.measures), _MEASURES),
        "lexicon.toml rosters": (len(lexicon.rosters), 2),
    }
    for roster in lexicon.rosters:
        count = sum(role.roster == roster.key for role in lexicon.roles)
        found[f"lexicon.toml roles of {roster.key}"] = (count, _ROLES_PER_ROSTER)
    found.update(_wording_counts(pack))
    found.update(_paper_counts(pack))
    for name, least in _ORDERS.items():
        found[f"orders.toml {name}"] = (len(getattr(pack.orders, name)), least)
    for where, (count, least) in found.items():
        if count < least:
            yield Finding("count", where, f"{count} where at least {least} are needed")


def _wording_counts(pack: Pack) -> dict[str, tuple[int, int]]:
    counts: dict[str, tuple[int, int]] = {}
    for form in CLAUSE_FORMS:
        for style in ("prose", "wire", "entry"):
            if form == "table" and style != "prose":
                continue
            least = (8 if form in _FREQUENT else 4) if style == "prose" else 2
            count = sum(w.form == form and w.style == style for w in pack.clauses)
            counts[f"clauses.toml {style} wordings of {form}"] = (count, least)
    for form in LITERAL_FORMS:
        count = sum(w.form == form and w.style == "prose" for w in pack.literals)
        counts[f"clauses.toml prose literals of {form}"] = (count, 8 if form in _FREQUENT else 4)
    for style, least in _HEDGES.items():
        count = sum(hedge.style == style for hedge in pack.hedges)
        counts[f"clauses.toml {style} hedges"] = (count, least)
    return counts


def _paper_counts(pack: Pack) -> dict[str, tuple[int, int]]:
    counts: dict[str, tuple[int, int]] = {}
    for channel in CHANNELS:
        lists = pack.fillers.get(channel, {})
        counts[f"documents.toml shapes of {channel}"] = (len(pack.shapes_of(channel)), _SHAPES)
        counts[f"documents.toml carriers of {channel}"] = (len(lists.get("carrier", ())), 4)
        if channel in _CARRIERS_FOR_COLOUR:
            counts[f"documents.toml openings of {channel}"] = (
                len(lists.get("opening", ())),
                _OPENINGS,
            )
    return counts
