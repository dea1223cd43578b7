"""Match a template against a text from a given place: the inverse of `saying`.

Every slot offers all its readings at a place, as pairs of an end and new bindings, and the match
tries them all: there is no longest-first guess that could hide a second reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from worlds.core.lexicon import Kind, Measure, PersonRole
from worlds.core.prose.forms import ORDINAL_FORMS, Env
from worlds.core.prose.lexis import KIND_FACETS, MARK_FACETS, NUMBER_WORDS, Lexis
from worlds.core.prose.scan import Scan, places
from worlds.core.packs.template import Element, Slot, Template, capitalised, compile_template

__all__ = ["Matcher"]

Reading = tuple[int, Env]
_NO_BINDINGS: Env = {}
_DIGITS = re.compile(r"[0-9]+")
_DATES = re.compile(
    r"the [0-9]{1,2}(?:st|nd|rd|th)(?: and the [0-9]{1,2}(?:st|nd|rd|th))? of [A-Z][a-z]+"
)
_WORD = re.compile(r"[A-Za-z]+")
_NUMBERS = {word: number for number, word in enumerate(NUMBER_WORDS) if number}
_MARKED = {"a", "b", "item", "then", "else"}


class Matcher:
    """Matches templates of one form against one scanned text."""

    def __init__(self, scan: Scan, form: str, row: str = "") -> None:
        self._scan = scan
        self._text = scan.text
        self._lexis: Lexis = scan.lexis
        kinds: tuple[Kind, ...] = (
            self._lexis.measures if form in ORDINAL_FORMS else self._lexis.persons
        )
        self._kinds = kinds if form != "objective" else self._lexis.kinds
        self._row = row
        self._start = 0

    def matches(self, template: Template) -> Iterator[tuple[int, int, Env]]:
        """Start, end and bindings of every place where the template stands."""
        loud = self._lexis.loud
        fragments = template.loud_fragments if loud else template.fragments
        if not all(fragment in self._text for fragment in fragments):
            return
        elements = template.loud if loud else template.elements
        for start in self._starts(elements[0]):
            if start and self._text[start - 1].isalnum():
                continue
            self._start = start
            for end, env in self._match(elements, 0, start, _NO_BINDINGS):
                if not (self._text[end : end + 1].isalnum() and self._text[end - 1].isalnum()):
                    yield start, end, env

    def _match(self, elements: tuple[Element, ...], i: int, at: int, env: Env) -> Iterator[Reading]:
        if i == len(elements):
            yield at, env
            return
        element = elements[i]
        if isinstance(element, str):
            if self._stands(element, at):
                yield from self._match(elements, i + 1, at + len(element), env)
            return
        for end, new in self._read(element, at, env):
            yield from self._match(elements, i + 1, end, {**env, **new} if new else env)

    def _stands(self, part: str, at: int) -> bool:
        if self._text.startswith(part, at):
            return True
        return at == self._start and self._text.startswith(capitalised(part), at)

    # Where a template may begin.

    def _starts(self, first: Element) -> Iterable[int]:
        scan = self._scan
        if isinstance(first, str):
            return places(self._text, (first,))
        if first.facet in MARK_FACETS and first.name in _MARKED:
            return sorted(scan.things[first.facet])
        if first.name in _MARKED:
            return places(self._text, {self._lexis.facet(k, first.facet) for k in self._kinds})
        return self._plain_starts(first)

    def _plain_starts(self, first: Slot) -> Iterable[int]:
        scan, say = self._scan, self._lexis.say
        match first.name:
            case "v" if not first.facet:
                return sorted(scan.names)
            case "names":
                return sorted(scan.names)
            case "p" | "q" | "r" | "s":
                return sorted(scan.literals)
            case "clause":
                return sorted(scan.clauses)
            case "bystander" | "bystander2":
                return sorted(scan.bystanders)
            case "roster":
                return places(self._text, self._lexis.rosters)
            case "all" if first.facet != "count":
                facet = {"whens": "when", "occasions": "occasion"}.get(first.facet, "thing")
                return sorted(scan.things[facet])
            case "all" | "k":
                return places(self._text, [say(word) for word in _NUMBERS])
            case "rows":
                template = compile_template(self._row)
                elements = template.loud if self._lexis.loud else template.elements
                return self._starts(elements[0])
            case "jobs":
                return places(self._text, [say("each ")])
            case "m":
                parts = {self._lexis.facet(m, first.facet) for m in self._lexis.measures}
                return places(self._text, parts)
            case "subject" | "note":
                return places(self._text, [say(getattr(f, first.name)) for f in self._lexis.facts])
        return range(len(self._text))

    # What a slot may say at a place.

    def _read(self, slot: Slot, at: int, env: Env) -> Iterable[Reading]:
        name, facet = slot.name, slot.facet
        if name in _MARKED:
            if facet in MARK_FACETS:
                return self._read_marked(name, facet, at, env)
            if facet == "verb" and name in ("then", "else"):
                return self._read_known(f"{name}.verb", self._lexis.verbs, at, env)
            if facet in KIND_FACETS:
                return self._read_kind(name, facet, at, env)
        if name in self._lexis.lists:
            return self._read_known(name, self._lexis.lists[name], at, env)
        reader = self._readers().get(name)
        return reader(facet, at, env) if reader else ()

    def _readers(self) -> dict[str, Callable[[str, int, Env], Iterable[Reading]]]:
        return {
            "v": self._read_value,
            "k": self._read_steps,
            "p": lambda _, at, env: self._read_literal("p", at),
            "q": lambda _, at, env: self._read_literal("q", at),
            "r": lambda _, at, env: self._read_literal("r", at),
            "s": lambda _, at, env: self._read_literal("s", at),
            "all": self._read_all,
            "rows": self._read_rows,
            "option": self._read_option,
            "subject": self._read_fact,
            "note": self._read_note,
            "asked": self._read_asked,
            "clause": self._read_clause,
            "bystander": self._read_bystander,
            "bystander2": self._read_bystander,
            "jobs": self._read_jobs,
            "names": self._read_names,
            "roster": self._read_roster,
            "m": self._read_measure,
            "low": lambda _, at, env: self._read_digits("low", at, env),
            "high": lambda _, at, env: self._read_digits("high", at, env),
            "dates": self._read_dates,
        }

    def _read_marked(self, name: str, facet: str, at: int, env: Env) -> Iterator[Reading]:
        thing = self._scan.things[facet].get(at)
        if thing is None or (thing.capital and at != self._start):
            return
        kind = self._lexis.by_letter[thing.mark[0]]
        if kind not in self._kinds or env.get(f"{name}.kind", kind) is not kind:
            return
        if env.get(name, thing.mark) == thing.mark:
            yield thing.end, {name: thing.mark, f"{name}.kind": kind}

    def _read_kind(self, name: str, facet: str, at: int, env: Env) -> Iterator[Reading]:
        known = env.get(f"{name}.kind")
        for kind in (known,) if known is not None else self._kinds:
            part = self._lexis.facet(kind, facet)
            if self._stands(part, at):
                yield at + len(part), {} if known is not None else {f"{name}.kind": kind}

    def _read_value(self, facet: str, at: int, env: Env) -> Iterator[Reading]:
        if not facet:
            name = self._scan.names.get(at)
            if name is not None and env.get("v", name[1]) == name[1]:
                yield name[0], {"v": name[1]}
        elif facet == "n":
            yield from self._read_digits("v", at, env)
        else:
            yield from self._read_reading(facet, at, env)

    def _read_reading(self, facet: str, at: int, env: Env) -> Iterator[Reading]:
        known = env.get("a.kind")
        for kind in (known,) if known is not None else self._lexis.measures:
            if not isinstance(kind, Measure):
                continue
            lead = self._lexis.value(kind, facet, 0).partition("0")[0]
            if not self._stands(lead, at):
                continue
            digits = _DIGITS.match(self._text, at + len(lead))
            if digits is None or env.get("v", int(digits[0])) != int(digits[0]):
                continue
            said = self._lexis.value(kind, facet, int(digits[0]))
            if self._text.startswith(said[len(lead) :], at + len(lead)):
                yield at + len(said), {"v": int(digits[0]), "a.kind": kind}

    def _read_steps(self, facet: str, at: int, env: Env) -> Iterator[Reading]:
        if facet == "n":
            yield from self._read_digits("k", at, env)
            return
        word = _WORD.match(self._text, at)
        number = _NUMBERS.get(word[0].lower()) if word else None
        if number is None or env.get("k", number) != number:
            return
        if facet == "word":
            said = self._lexis.count(number)
            if self._stands(said, at):
                yield at + len(said), {"k": number}
            return
        known = env.get("a.kind")
        for kind in (known,) if known is not None else self._lexis.measures:
            said = self._lexis.steps(kind, facet, number)
            if self._stands(said, at):
                yield at + len(said), {"k": number, "a.kind": kind}

    def _read_digits(self, name: str, at: int, env: Env) -> Iterator[Reading]:
        digits = _DIGITS.match(self._text, at)
        if digits is not None and env.get(name, int(digits[0])) == int(digits[0]):
            yield digits.end(), {name: int(digits[0])}

    def _read_literal(self, name: str, at: int) -> Iterator[Reading]:
        for end, literal in self._scan.literals.get(at, ()):
            yield end, {name: literal}

    def _read_clause(self, _: str, at: int, env: Env) -> Iterator[Reading]:
        for found in self._scan.clauses.get(at, ()):
            if found.hedgeable:
                yield found.end, {"clause": found}

    def _read_bystander(self, _: str, at: int, env: Env) -> Iterator[Reading]:
        end = self._scan.bystanders.get(at)
        if end is not None:
            yield end, {}

    def _read_known(self, name: str, words: dict[str, str], at: int, env: Env) -> Iterator[Reading]:
        for said, word in words.items():
            if self._stands(said, at) and env.get(name, word) == word:
                yield at + len(said), {name: word}

    def _read_dates(self, _: str, at: int, env: Env) -> Iterator[Reading]:
        found = _DATES.match(self._text, at)
        if found is not None:
            yield found.end(), {"dates": found[0]}

    def _read_asked(self, _: str, at: int, env: Env) -> Iterator[Reading]:
        say, facet = self._lexis.say, self._lexis.facet
        for kind in self._kinds:
            if isinstance(kind, PersonRole):
                lead = f"{say('who ')}{facet(kind, 'past')} {facet(kind, 'thing')}"
            else:
                lead = f"{say(kind.asked)} {facet(kind, 'when')}"
            if self._stands(lead, at):
                thing = self._scan.things["mark"].get(at + len(lead))
                if thing is not None and self._lexis.by_letter[thing.mark[0]] is kind:
                    yield thing.end, {"a": thing.mark}

    # Lists.

    def _read_list(
        self, item: Callable[[int, int], Reading | None], at: int
    ) -> Iterator[tuple[int, list[Env]]]:
        """Items joined as `x, y and z`; `item` reads the i-th one at a place."""
        last = self._lexis.say(" and ")
        items: list[Env] = []
        while True:
            read = item(len(items), at)
            if read is None:
                return
            at = read[0]
            items.append(read[1])
            if self._text.startswith(last, at):
                read = item(len(items), at + len(last))
                if read is not None:
                    yield read[0], [*items, read[1]]
                return
            if not self._text.startswith(", ", at):
                return
            at += 2

    def _read_all(self, facet: str, at: int, env: Env) -> Iterator[Reading]:
        if facet == "count":
            word = _WORD.match(self._text, at)
            number = _NUMBERS.get(word[0].lower()) if word else None
            if number is not None and self._stands(self._lexis.count(number), at):
                yield at + len(NUMBER_WORDS[number]), {"count": number}
            return
        mark_facet = {"whens": "when", "occasions": "occasion"}.get(facet, "thing")

        def item(i: int, place: int) -> Reading | None:
            for end, new in self._read_marked("x", mark_facet, place, _NO_BINDINGS):
                return (end, new) if facet != "jobs" else self._read_done(i, end, new)
            return None

        for end, items in self._read_list(item, at):
            marks = tuple(entry["x"] for entry in items)
            kind = items[0]["x.kind"]
            if env.get("all", marks) == marks and env.get("a.kind", kind) is kind:
                yield end, {"all": marks, "a.kind": kind}

    def _read_done(self, i: int, at: int, new: Env) -> Reading | None:
        was = self._lexis.say("was ") if i == 0 else ""
        said = f" {was}{self._lexis.facet(new['x.kind'], 'done')}"
        return (at + len(said), new) if self._text.startswith(said, at) else None

    def _read_rows(self, _: str, at: int, env: Env) -> Iterator[Reading]:
        row = compile_template(self._row)
        elements = row.loud if self._lexis.loud else row.elements

        def item(_: int, place: int) -> Reading | None:
            return next(iter(self._match(elements, 0, place, _NO_BINDINGS)), None)

        for end, items in self._read_list(item, at):
            yield end, {"rows": tuple((entry["option"], entry["v"]) for entry in items)}

    def _read_option(self, _: str, at: int, env: Env) -> list[Reading]:
        found = [
            (at + len(said), {"option": option})
            for said, option in self._lexis.options_from(self._text[at : at + 1]).items()
            if self._text.startswith(said, at)
        ]
        return sorted(found, key=lambda reading: -reading[0])

    def _read_fact(self, _: str, at: int, env: Env) -> Iterator[Reading]:
        for fact in self._lexis.facts:
            said = self._lexis.say(fact.subject)
            if self._stands(said, at):
                yield at + len(said), {"fact": fact.key}

    def _read_note(self, _: str, at: int, env: Env) -> Iterator[Reading]:
        for fact in self._lexis.facts:
            if self._text.startswith(fact.note, at):
                yield at + len(fact.note), {"fact": fact.key}

    # Frames.

    def _read_jobs(self, _: str, at: int, env: Env) -> Iterator[Reading]:
        def item(i: int, place: int) -> Reading | None:
            was = self._lexis.say("was ") if i == 0 else ""
            best: Reading | None = None
            for kind in self._lexis.persons:
                said = f"{self._lexis.facet(kind, 'each')}{was}{self._lexis.facet(kind, 'done')}"
                if self._stands(said, place) and (best is None or place + len(said) > best[0]):
                    best = place + len(said), {"kind": kind}
            return best

        for end, items in self._read_list(item, at):
            yield end, {"kinds": tuple(entry["kind"] for entry in items)}
        single = item(0, at)
        if single is not None:
            yield single[0], {"kinds": (single[1]["kind"],)}

    def _read_names(self, _: str, at: int, env: Env) -> Iterator[Reading]:
        def item(_: int, place: int) -> Reading | None:
            name = self._scan.names.get(place)
            return None if name is None else (name[0], {"name": name[1]})

        for end, items in self._read_list(item, at):
            yield end, {"names": tuple(entry["name"] for entry in items)}

    def _read_roster(self, _: str, at: int, env: Env) -> Iterator[Reading]:
        for title, key in self._lexis.rosters.items():
            if self._stands(title, at) and env.get("roster", key) == key:
                yield at + len(title), {"roster": key}

    def _read_measure(self, facet: str, at: int, env: Env) -> Iterator[Reading]:
        known = env.get("m")
        for kind in (known,) if known is not None else self._lexis.measures:
            part = self._lexis.facet(kind, facet)
            if self._stands(part, at):
                yield at + len(part), {"m": kind}
