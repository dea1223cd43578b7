"""Damage a paper in the ways that matter, to see the gate refuse it.

Every mutation rewrites the text of one unit and moves its span with it, so that a refusal is about
what the text says, not about where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from worlds.core.instance import Document, Span
from worlds.core.packs.template import capitalised
from worlds.core.prose.grammar import Grammar
from worlds.core.prose.lexis import NUMBER_WORDS, Lexis
from worlds.core.prose.scan import MARK

__all__ = ["Mutation", "mutations"]

_NUMBER = re.compile(r"(?<![\w-])[0-9]+(?![\w-])")
_NOT = re.compile(r"\b(?:not|never) ", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Mutation:
    """A damaged paper: which unit was damaged, and how."""

    how: str
    unit: str
    document: Document


def mutations(document: Document, grammar: Grammar) -> Iterator[Mutation]:
    """Every damaged version of a paper, one change to one unit at a time.

    Operands swapped, a `not` dropped, one more or less, another name or mark, more for less, a
    hedge removed or put before.
    """
    lexis = grammar.lexis(document.channel)
    for span in document.spans:
        clause = document.clause(span)
        edits = [
            *_swapped(clause, lexis),
            *_negations_dropped(clause),
            *_off_by_one(clause, lexis),
            *_renamed(clause, lexis, grammar.pack.lexicon.names),
            *_turned(clause, lexis),
            *_hedges(document, span, grammar),
        ]
        for how, text in edits:
            if text != clause:
                yield Mutation(how, span.unit, _with_clause(document, span, text))


def _swapped(clause: str, lexis: Lexis) -> Iterator[tuple[str, str]]:
    """Two marks of one letter, or two names, change places."""
    marks = [found[0] for found in MARK.finditer(clause)]
    names = [word for word in _WORD.findall(clause) if word in lexis.names]
    for pool in (marks, names):
        for one, other in combinations(dict.fromkeys(pool), 2):
            if pool is names or one[0] == other[0]:
                turned = {one: other, other: one}
                pattern = rf"(?<!\w)(?:{re.escape(one)}|{re.escape(other)})(?!\w)"
                parts = re.split(f"({pattern})", clause)
                yield "operands swapped", "".join(str(turned.get(part, part)) for part in parts)


def _negations_dropped(clause: str) -> Iterator[tuple[str, str]]:
    for found in _NOT.finditer(clause):
        yield "not dropped", clause[: found.start()] + clause[found.end() :]


def _off_by_one(clause: str, lexis: Lexis) -> Iterator[tuple[str, str]]:
    for found in _NUMBER.finditer(clause):
        for number in (int(found[0]) - 1, int(found[0]) + 1):
            yield "off by one", _put(clause, found.start(), found.end(), str(number))
    for found in MARK.finditer(clause):
        mark = f"{found[1]}-{int(found[2]) + 1}"
        yield "another mark", _put(clause, found.start(), found.end(), mark)
    words = {lexis.say(word): number for number, word in enumerate(NUMBER_WORDS) if number}
    for found in _WORD.finditer(clause):
        count = words.get(found[0], 0)
        if count > 1:
            other = lexis.say(NUMBER_WORDS[count + 1])
            yield "off by one in words", _put(clause, found.start(), found.end(), other)


def _renamed(clause: str, lexis: Lexis, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Another name in play stands in a name's place (any of the genre's if all stand there)."""
    everybody = [*sorted(lexis.names), *(lexis.say(name) for name in names)]
    for found in _WORD.finditer(clause):
        if found[0] in lexis.names:
            other = next(name for name in everybody if name not in clause)
            yield "another name", _put(clause, found.start(), found.end(), other)
            stranger = min(lexis.bystanders)
            yield "a bystander's name", _put(clause, found.start(), found.end(), stranger)


def _turned(clause: str, lexis: Lexis) -> Iterator[tuple[str, str]]:
    """More becomes less, and less more."""
    for measure in lexis.measures:
        more, less = lexis.facet(measure, "more"), lexis.facet(measure, "less")
        for here, there in ((more, less), (less, more)):
            for found in re.finditer(rf"\b{re.escape(here)}\b", clause):
                yield "turned round", _put(clause, found.start(), found.end(), there)


def _hedges(document: Document, span: Span, grammar: Grammar) -> Iterator[tuple[str, str]]:
    """A report becomes a statement of the writer's own, and the other way round."""
    clause = document.clause(span)
    readings = grammar.parse(clause, document.channel)
    whole = [r for r in readings if (r.start, r.end) == (0, len(clause))]
    if any(reading.hedged for reading in whole):
        inner = [r for r in readings if not r.hedged and r.end == len(clause)]
        for reading in inner:
            yield "hedge removed", capitalised(clause[reading.start :])
    elif whole:
        lexis = grammar.lexis(document.channel)
        yield "hedge put before", lexis.say("They say that ") + clause[:1].lower() + clause[1:]


def _put(clause: str, start: int, end: int, text: str) -> str:
    return clause[:start] + text + clause[end:]


def _with_clause(document: Document, span: Span, clause: str) -> Document:
    """The paper with another text in a span; that span and all later ones move along."""
    moved = len(clause) - (span.end - span.start)
    spans = tuple(
        replace(
            other,
            start=other.start + (moved if other.start >= span.end else 0),
            end=other.end + (moved if other.end >= span.end else 0),
        )
        for other in document.spans
    )
    text = document.text[: span.start] + clause + document.text[span.end :]
    return replace(document, text=text, spans=spans)
