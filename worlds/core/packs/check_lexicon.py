"""The rules of a lexicon: names that cannot be confused, kinds that say what they mark."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

from worlds.core.bridges import bank
from worlds.core.packs.findings import Finding
from worlds.core.packs.model import Pack
from worlds.core.packs.vocabulary import lower_words, operative_words

__all__ = ["lexicon_findings"]

_SURNAME = re.compile(r"[A-Z][a-z]+")
_SYLLABLE = re.compile(r"[^aeiouy]*[aeiouy]+[^aeiouy]?")
_NOUN = re.compile(r"[a-z]+(?:[ '-][a-z]+)*")
_LETTER = re.compile(r"[A-HJ-NPR-Z]")
_GENRE = re.compile(r"[a-z]{1,16}")
_ROLES_PER_LETTER = 4
_PARTICLES = {
    *("apart", "aside", "away", "back", "down", "in", "off", "on", "out", "over", "round", "up"),
}
"""Adverbs that "it" must not follow: "whoever took down it" is not English."""


def lexicon_findings(pack: Pack) -> Iterator[Finding]:
    """What is wrong with the lexicon."""
    yield from _name_findings(pack)
    yield from _role_findings(pack)
    yield from _measure_findings(pack)
    yield from _verb_findings(pack)
    if not _GENRE.fullmatch(pack.genre):
        yield Finding("genre", "lexicon.toml genre", f"{pack.genre!r} is not 1–16 small letters")


def _name_findings(pack: Pack) -> Iterator[Finding]:
    where = "lexicon.toml names and bystanders"
    everybody = (*pack.lexicon.names, *pack.bystanders)
    words = lower_words(pack) | {w for verb in pack.lexicon.verbs for w in verb}
    labelled = {option.casefold() for fact in bank() for option in fact.options}
    for name in everybody:
        folded = name.casefold()
        if not _SURNAME.fullmatch(name):
            yield Finding("names", where, f"{name!r} is not one capital and small letters")
        if folded in words:
            yield Finding("names", where, f"{name} is a word that the pack uses")
        if folded in labelled:
            yield Finding("names", where, f"{name} is an option of the knowledge bank")
        if name in pack.lists.get("forename", ()):
            yield Finding("names", where, f"{name} is a forename as well")
    for one, other in combinations(everybody, 2):
        first, second = one.casefold(), other.casefold()
        if first in second or second in first:
            yield Finding("names", where, f"{one} and {other}: one holds the other")
        elif first[:4] == second[:4] or _syllable(first) == _syllable(second):
            yield Finding("names", where, f"{one} and {other} begin alike")


def _syllable(name: str) -> str:
    found = _SYLLABLE.match(name)
    return found[0] if found else name


def _role_findings(pack: Pack) -> Iterator[Finding]:
    roles, where = pack.lexicon.roles, "lexicon.toml roles"
    rosters = {roster.key for roster in pack.lexicon.rosters}
    for role in roles:
        if role.roster not in rosters:
            yield Finding("roles", where, f"{role.key} belongs to an unknown roster {role.roster}")
        for part in ("noun", "plural", "past", "done", "agent"):
            if not _NOUN.fullmatch(getattr(role, part)):
                yield Finding(
                    "roles", where, f"{role.key} has an odd {part}: {getattr(role, part)!r}"
                )
        if role.past.split()[-1] in _PARTICLES:
            what = f"{role.key}: {role.past!r} cannot be followed by it; choose a verb of one word"
            yield Finding("roles", where, what)
        if not _LETTER.fullmatch(role.letter):
            yield Finding("roles", where, f"{role.key} has the letter {role.letter!r}")
    for part in ("key", "noun", "plural"):
        yield from _twice((getattr(role, part) for role in roles), f"{where} {part}")
    letters = Counter(role.letter for role in roles)
    for letter, count in sorted(letters.items()):
        if count < _ROLES_PER_LETTER:
            what = f"letter {letter} has {count} where at least {_ROLES_PER_LETTER} are needed"
            yield Finding("count", where, what)


def _measure_findings(pack: Pack) -> Iterator[Finding]:
    where = "lexicon.toml measures"
    measures = pack.lexicon.measures
    for measure in measures:
        if "{n}" not in measure.value:
            yield Finding("measures", where, f"{measure.key} has a value without {{n}}")
        if not _LETTER.fullmatch(measure.letter):
            yield Finding("measures", where, f"{measure.key} has the letter {measure.letter!r}")
        if measure.more == measure.less or measure.step == measure.steps:
            yield Finding("measures", where, f"{measure.key} does not tell more from less")
    yield from _twice((measure.key for measure in measures), f"{where} key")
    yield from _twice((measure.subject for measure in measures), f"{where} subject")
    keys = {role.key for role in pack.lexicon.roles} | {r.key for r in pack.lexicon.rosters}
    for measure in measures:
        if measure.key in keys:
            yield Finding("measures", where, f"{measure.key} is the key of a role or roster too")


def _verb_findings(pack: Pack) -> Iterator[Finding]:
    verbs = [verb for pair in pack.lexicon.verbs for verb in pair]
    yield from _twice(verbs, "lexicon.toml verbs")
    used = operative_words(pack)
    for verb in verbs:
        if not re.fullmatch(r"[a-z]+", verb):
            yield Finding("verbs", "lexicon.toml verbs", f"{verb!r} is not one word")
        if verb in used:
            yield Finding("verbs", "lexicon.toml verbs", f"a role uses {verb!r}")


def _twice(items: Iterable[str], where: str) -> Iterator[Finding]:
    for item, count in Counter(items).items():
        if count > 1:
            yield Finding("twice", where, f"{item!r} stands {count} times")
