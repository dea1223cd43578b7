"""Find everything that one paper states: clauses, reports, frames, orders and notes.

A stretch that says something may hold a shorter one that also would (an implication holds what
looks like a pin; a report holds a clause): the longer wins. Positions are code points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from worlds.core.constraints import Constraint
from worlds.core.model import UnitRole
from worlds.core.packs.model import Pack, Wording, style_of
from worlds.core.packs.template import template_of
from worlds.core.policy import Rule
from worlds.core.prose.forms import Env, build_rule
from worlds.core.prose.grammar import Grammar
from worlds.core.prose.lexis import Lexis
from worlds.core.prose.matching import Matcher
from worlds.core.prose.scan import Scan

__all__ = [
    "Closure",
    "Meaning",
    "Order",
    "OwnVoice",
    "Scale",
    "Statement",
    "extract",
    "read_frames",
]


@dataclass(frozen=True, slots=True)
class Closure:
    """A roster is closed: these names alone did jobs of these kinds (sorted keys)."""

    roster: str
    kinds: tuple[str, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """A measure shows one step from `low` to `high` on each occasion."""

    measure: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class OwnVoice:
    """Which statements count: the writer's own, not what he says others say."""


@dataclass(frozen=True, slots=True)
class Order:
    """A rule over marks, and the dates of the orders it replaces (empty: none)."""

    rule: Rule
    replaces: str = ""


Meaning = Constraint | Closure | Scale | OwnVoice | Order | str
"""What a statement says; a plain text is the mark asked about, or the key of a noted fact."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that a paper states, where, and in which role."""

    start: int
    end: int
    role: UnitRole
    meaning: Meaning


def extract(text: str, channel: str, grammar: Grammar) -> tuple[Statement, ...]:
    """What a paper states, in order of place; two readings of one stretch both appear."""
    found = [
        Statement(r.start, r.end, "distractor" if r.hedged else "clue", r.constraint)
        for r in grammar.parse(text, channel)
    ]
    if style_of(channel) == "prose":
        found += _notes(text, grammar)
    if channel == "notice":
        found += read_frames(text, grammar.pack, grammar.frames)
        found += _orders(text, channel, grammar)
    return _longest(found)


def read_frames(text: str, pack: Pack, lexis: Lexis) -> list[Statement]:
    """The closures, scales and the testimony rule of a notice; `lexis` is that of frames."""
    orders, scan = pack.orders, Scan(text, lexis)
    found = []
    for wording in orders.closures:
        for start, end, env in _matches(scan, wording):
            kinds = tuple(sorted(kind.key for kind in env["kinds"]))
            if len({kind.roster for kind in env["kinds"]} | {env["roster"]}) == 1:
                meaning = Closure(env["roster"], kinds, tuple(sorted(env["names"])))
                found.append(Statement(start, end, "frame", meaning))
    for wording in orders.scales:
        for start, end, env in _matches(scan, wording):
            scale = Scale(env["m"].key, env["low"], env["high"])
            found.append(Statement(start, end, "frame", scale))
    for wording in orders.testimonies:
        for start, end, _ in _matches(scan, wording):
            found.append(Statement(start, end, "frame", OwnVoice()))
    return found


def _orders(text: str, channel: str, grammar: Grammar) -> list[Statement]:
    orders, scan = grammar.pack.orders, grammar.scan(text, channel)
    found = [
        Statement(start, end, "objective", env["a"])
        for wording in orders.objectives
        for start, end, env in _matches(scan, wording)
    ]
    if not scan.literals:
        return found
    rules: tuple[tuple[UnitRole, tuple[Wording, ...]], ...] = (
        ("provisional", orders.provisionals),
        ("policy", orders.policies),
    )
    for role, wordings in rules:
        for wording in wordings:
            for start, end, env in _matches(scan, wording):
                meaning = Order(build_rule(env), env.get("dates", ""))
                found.append(Statement(start, end, role, meaning))
    return found


def _notes(text: str, grammar: Grammar) -> list[Statement]:
    scan = Scan(text, Lexis((), (), grammar.plain.facts))
    return [
        Statement(start, end, "bridge-note", env["fact"])
        for wording in grammar.pack.orders.notes
        for start, end, env in _matches(scan, wording)
    ]


def _matches(scan: Scan, wording: Wording) -> Iterator[tuple[int, int, Env]]:
    return Matcher(scan, wording.form).matches(template_of(wording))


def _longest(found: list[Statement]) -> tuple[Statement, ...]:
    """Statements that lie strictly inside no other, each once."""
    kept: list[Statement] = []
    for statement in sorted(found, key=lambda s: (s.start - s.end, s.start, s.role)):
        if statement in kept or any(_strictly_inside(statement, other) for other in kept):
            continue
        kept.append(statement)
    return tuple(sorted(kept, key=lambda s: (s.start, s.end, s.role)))


def _strictly_inside(inner: Statement, outer: Statement) -> bool:
    same = (inner.start, inner.end) == (outer.start, outer.end)
    return not same and outer.start <= inner.start and inner.end <= outer.end
