"""Where names, marks and marked things stand in one text: the atoms that templates match on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from worlds.core.constraints import Constraint, Literal
from worlds.core.packs.template import capitalised
from worlds.core.prose.lexis import MARK_FACETS, Lexis

__all__ = ["MARK", "Found", "Scan", "Thing", "places"]

MARK = re.compile(r"(?<![A-Za-z0-9-])([A-Z])-([0-9]+)(?![0-9-])")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Thing:
    """A marked thing in a text, from some start to `end`; `capital` if its first letter is."""

    end: int
    mark: str
    capital: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A clause in a text: its end, its form and what it says."""

    end: int
    form: str
    constraint: Constraint
    hedgeable: bool


@dataclass
class Scan:
    """One text with everything found in it so far; `literals` and `clauses` go by start."""

    text: str
    lexis: Lexis
    things: dict[str, dict[int, Thing]] = field(init=False)
    names: dict[int, tuple[int, str]] = field(init=False)
    bystanders: dict[int, int] = field(init=False)
    literals: dict[int, list[tuple[int, Literal]]] = field(default_factory=dict)
    clauses: dict[int, list[Found]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.names, self.bystanders = {}, {}
        for word in _WORD.finditer(self.text):
            name = self.lexis.names.get(word[0])
            if name is not None:
                self.names[word.start()] = word.end(), name
            elif word[0] in self.lexis.bystanders:
                self.bystanders[word.start()] = word.end()
        self.things = {facet: {} for facet in sorted(MARK_FACETS)}
        for found in MARK.finditer(self.text):
            self._add_mark(found[0], found.start(), found.end())

    def _add_mark(self, mark: str, start: int, end: int) -> None:
        kind = self.lexis.by_letter.get(mark[0])
        if kind is None:
            return
        facets = ("mark", "thing") if kind in self.lexis.persons else ("mark", "when", "occasion")
        for facet in facets:
            lead = self.lexis.facet(kind, facet)
            at = start - len(lead)
            if at < 0:
                continue
            before = self.text[at:start]
            if before == lead:
                self.things[facet][at] = Thing(end, mark)
            elif before == capitalised(lead):
                self.things[facet][at] = Thing(end, mark, capital=True)


def places(text: str, parts: Iterable[str]) -> list[int]:
    """Every place where one of the parts stands, in order."""
    return sorted({at for part in parts for at in _occurrences(text, part)})


def _occurrences(text: str, part: str) -> Iterator[int]:
    """Every place where a part stands, as it is or with its first letter as a capital."""
    for form in dict.fromkeys((part, capitalised(part))):
        at = text.find(form)
        while at >= 0:
            yield at
            at = text.find(form, at + 1)
