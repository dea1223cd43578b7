"""Match a template against a text from a given place: the inverse of `saying`.

Every slot offers all its readings at a place, as pairs of an end and new bindings, and the match
tries them all: there is no longest-first guess that could hide a second reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from worlds.core.packs.template import Element, Slot, Template, compile_template
from worlds.core.prose.forms import Env
from worlds.core.prose.lexis import MARK_FACETS, NUMBER_WORDS
from worlds.core.prose.reading import ALL_FACETS, MARKED, Reading, SlotReader
from worlds.core.prose.scan import Scan, places

__all__ = ["Matcher", "may_stand"]

_NOTHING: Env = {}
_LITERALS = {"p", "q", "r", "s"}


def may_stand(template: Template, scan: Scan) -> bool:
    """Whether a text holds every fixed part of a template: the cheap first question."""
    fragments = template.loud_fragments if scan.lexis.loud else template.fragments
    return all(fragment in scan.text for fragment in fragments)


class Matcher:
    """Matches templates of one form against one scanned text; `row` is a table's inner wording."""

    def __init__(self, scan: Scan, form: str, row: str = "") -> None:
        self._scan = scan
        self._row = self._elements(compile_template(row)) if row else ()
        self._reader = SlotReader(scan, form, self._read_row)

    def matches(self, template: Template) -> Iterator[tuple[int, int, Env]]:
        """Start, end and bindings of every place where the template stands."""
        if not may_stand(template, self._scan):
            return
        text, elements = self._scan.text, self._elements(template)
        for start in self._starts(elements[0]):
            if start and text[start - 1].isalnum():
                continue
            self._reader.start = start
            for end, env in self._match(elements, 0, start, _NOTHING):
                if not (text[end : end + 1].isalnum() and text[end - 1].isalnum()):
                    yield start, end, env

    def _elements(self, template: Template) -> tuple[Element, ...]:
        return template.loud if self._scan.lexis.loud else template.elements

    def _match(self, elements: tuple[Element, ...], i: int, at: int, env: Env) -> Iterator[Reading]:
        if i == len(elements):
            yield at, env
            return
        element = elements[i]
        if isinstance(element, str):
            if self._reader.stands(element, at):
                yield from self._match(elements, i + 1, at + len(element), env)
            return
        for end, new in self._reader.read(element, at, env):
            yield from self._match(elements, i + 1, end, {**env, **new} if new else env)

    def _read_row(self, at: int) -> Reading | None:
        """One row of a table, the first way it reads."""
        return next(self._match(self._row, 0, at, _NOTHING), None)

    def _starts(self, first: Element) -> Iterable[int]:
        """Every place where a template may begin, by its first element."""
        scan, lexis = self._scan, self._scan.lexis
        if isinstance(first, str):
            return places(scan.text, (first,))
        if first.name in MARKED:
            if first.facet in MARK_FACETS:
                return sorted(scan.things[first.facet])
            facets = {lexis.facet(kind, first.facet) for kind in self._reader.kinds}
            return places(scan.text, facets)
        if first.name == "rows":
            return self._starts(self._row[0])
        if first.name == "m":
            return places(scan.text, {lexis.facet(m, first.facet) for m in lexis.measures})
        return self._plain_starts(first)

    def _plain_starts(self, first: Slot) -> Iterable[int]:
        scan, lexis = self._scan, self._scan.lexis
        name, facet = first.name, first.facet
        if name in _LITERALS:
            return sorted(scan.literals)
        if name == "clause":
            return sorted(scan.clauses)
        if name == "names" or (name == "v" and not facet):
            return sorted(scan.names)
        if name in ("bystander", "bystander2"):
            return sorted(scan.bystanders)
        if name == "all" and facet != "count":
            return sorted(scan.things[ALL_FACETS[facet]])
        if name in ("all", "k"):
            return places(scan.text, [lexis.say(word) for word in NUMBER_WORDS[1:]])
        if name == "jobs":
            return places(scan.text, [lexis.say("each ")])
        if name == "roster":
            return places(scan.text, lexis.rosters)
        # The rest rarely begins a wording: every place is tried.
        return range(len(scan.text))
