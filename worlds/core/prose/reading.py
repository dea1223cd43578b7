"""What a slot may say at a place in a text: readers for every slot and facet.

A reader yields pairs of an end and new bindings. Bindings made earlier in the same match hold: a
slot that stands twice must say the same twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from worlds.core.lexicon import Kind, Measure
from worlds.core.packs.template import Slot, capitalised
from worlds.core.prose.forms import ORDINAL_FORMS, Env
from worlds.core.prose.lexis import KIND_FACETS, MARK_FACETS, NUMBER_WORDS
from worlds.core.prose.listing import read_list
from worlds.core.prose.scan import Scan

__all__ = ["ALL_FACETS", "MARKED", "Reading", "SlotReader"]

Reading = tuple[int, Env]
MARKED = {"a", "b", "item", "then", "else"}
ALL_FACETS = {"things": "thing", "jobs": "thing", "whens": "when", "occasions": "occasion"}

_NOTHING: Env = {}
_DIGITS = re.compile(r"[0-9]+")
_DAY = r"the [0-9]{1,2}(?:st|nd|rd|th)"
_DATES = re.compile(rf"{_DAY}(?: and {_DAY})? of [A-Z][a-z]+")
_WORD = re.compile(r"[A-Za-z]+")
_NUMBERS = {word: number for number, word in enumerate(NUMBER_WORDS) if number}


class SlotReader:
    """Reads slots of one form in one scanned text; `start` is where the whole match begins."""

    def __init__(self, scan: Scan, form: str, read_row: Callable[[int], Reading | None]) -> None:
        self._scan = scan
        self._text = scan.text
        self._lexis = scan.lexis
        self._read_row = read_row
        self.start = 0
        self.kinds: tuple[Kind, ...] = self._lexis.persons
        if form == "objective":
            self.kinds = self._lexis.kinds
        elif form in ORDINAL_FORMS:
            self.kinds = self._lexis.measures

    def stands(self, part: str, at: int) -> bool:
        """Whether a fixed part stands at a place; a capital may begin the whole match."""
        if self._text.startswith(part, at):
            return True
        return at == self.start and self._text.startswith(capitalised(part), at)

    def read(self, slot: Slot, at: int, env: Env) -> Iterable[Reading]:
        """Every reading of a slot at a place."""
        name, facet = slot.name, slot.facet
        if name in MARKED:
            if facet in MARK_FACETS:
                return self._marked(name, facet, at, env)
            if facet == "verb" and name in ("then", "else"):
                return self._known(f"{name}.verb", self._lexis.verbs, at, env)
            return self._kind(name, facet, at, env) if facet in KIND_FACETS else ()
        if name in self._lexis.lists:
            return self._known(name, self._lexis.lists[name], at, env)
        reader = _READERS.get(name)
        return reader(self, slot, at, env) if reader else ()

    # Marked things, their kinds, their values.

    def _marked(self, name: str, facet: str, at: int, env: Env) -> Iterator[Reading]:
        thing = self._scan.things[facet].get(at)
        if thing is None or (thing.capital and at != self.start):
            return
        kind = self._lexis.by_letter[thing.mark[0]]
        if kind not in self.kinds or env.get(f"{name}.kind", kind) is not kind:
            return
        if env.get(name, thing.mark) == thing.mark:
            yield thing.end, {name: thing.mark, f"{name}.kind": kind}

    def _kind(self, name: str, facet: str, at: int, env: Env) -> Iterator[Reading]:
        known = env.get(f"{name}.kind")
        for kind in (known,) if known is not None else self.kinds:
            part = self._lexis.facet(kind, facet)
            if self.stands(part, at):
                yield at + len(part), {} if known is not None else {f"{name}.kind": kind}

    def _value(self, slot: Slot, at: int, env: Env) -> Iterator[Reading]:
        if not slot.facet:
            name = self._scan.names.get(at)
            if name is not None and env.get("v", name[1]) == name[1]:
                yield name[0], {"v": name[1]}
            return
        if slot.facet == "n":
            yield from self._digits(slot, at, env)
            return
        for measure in self._measures(env):
            lead = self._lexis.value(measure, slot.facet, 0).partition("0")[0]
            digits = _DIGITS.match(self._text, at + len(lead)) if self.stands(lead, at) else None
            if digits is None or env.get("v", int(digits[0])) != int(digits[0]):
                continue
            said = self._lexis.value(measure, slot.facet, int(digits[0]))
            if self._text.startswith(said[len(lead) :], at + len(lead)):
                yield at + len(said), {"v": int(digits[0]), "a.kind": measure}

    def _steps(self, slot: Slot, at: int, env: Env) -> Iterator[Reading]:
        if slot.facet == "n":
            yield from self._digits(slot, at, env)
            return
        number = self._number_at(at, env.get("k"))
        if number is None:
            return
        if slot.facet == "word":
            yield at + len(NUMBER_WORDS[number]), {"k": number}
            return
        for measure in self._measures(env):
            said = self._lexis.steps(measure, slot.facet, number)
            if self.stands(said, at):
                yield at + len(said), {"k": number, "a.kind": measure}

    def _measures(self, env: Env) -> Iterable[Measure]:
        known = env.get("a.kind")
        return (known,) if known is not None else self._lexis.measures

    def _number_at(self, at: int, wanted: int | None) -> int | None:
        """The number whose word stands at a place, if it is the wanted one."""
        word = _WORD.match(self._text, at)
        number = _NUMBERS.get(word[0].lower()) if word else None
        if number is None or not self.stands(self._lexis.count(number), at):
            return None
        return number if wanted in (None, number) else None

    def _digits(self, slot: Slot, at: int, env: Env) -> Iterator[Reading]:
        digits = _DIGITS.match(self._text, at)
        if digits is not None and env.get(slot.name, int(digits[0])) == int(digits[0]):
            yield digits.end(), {slot.name: int(digits[0])}

    # Parts that were found before.

    def _literal(self, slot: Slot, at: int, _: Env) -> Iterator[Reading]:
        for end, literal in self._scan.literals.get(at, ()):
            yield end, {slot.name: literal}

    def _clause(self, _: Slot, at: int, __: Env) -> Iterator[Reading]:
        for found in self._scan.clauses.get(at, ()):
            if found.hedgeable:
                yield found.end, {"clause": found}

    def _bystander(self, _: Slot, at: int, __: Env) -> Iterator[Reading]:
        end = self._scan.bystanders.get(at)
        if end is not None:
            yield end, {}

    def _known(self, name: str, words: Mapping[str, str], at: int, env: Env) -> Iterator[Reading]:
        for said, word in words.items():
            if self.stands(said, at) and env.get(name, word) == word:
                yield at + len(said), {name: word}

    def _roster(self, _: Slot, at: int, env: Env) -> Iterator[Reading]:
        return self._known("roster", self._lexis.rosters, at, env)

    def _dates(self, _: Slot, at: int, __: Env) -> Iterator[Reading]:
        found = _DATES.match(self._text, at)
        if found is not None:
            yield found.end(), {"dates": found[0]}

    def _asked(self, _: Slot, at: int, __: Env) -> Iterator[Reading]:
        for kind in self.kinds:
            lead = self._lexis.asked(kind)
            thing = self._scan.things["mark"].get(at + len(lead))
            if thing is None or self._lexis.by_letter[thing.mark[0]] is not kind:
                continue
            if self.stands(lead, at):
                yield thing.end, {"a": thing.mark}

    # Facts of the bank.

    def _option(self, _: Slot, at: int, __: Env) -> list[Reading]:
        found = [
            (at + len(said), {"option": option})
            for said, option in self._lexis.options_from(self._text[at : at + 1]).items()
            if self._text.startswith(said, at)
        ]
        return sorted(found, key=lambda reading: -reading[0])

    def _subject(self, _: Slot, at: int, __: Env) -> Iterator[Reading]:
        for fact in self._lexis.facts:
            said = self._lexis.say(fact.subject)
            if self.stands(said, at):
                yield at + len(said), {"fact": fact.key}

    def _note(self, _: Slot, at: int, __: Env) -> Iterator[Reading]:
        for fact in self._lexis.facts:
            if self._text.startswith(fact.note, at):
                yield at + len(fact.note), {"fact": fact.key}

    # Lists.

    def _all(self, slot: Slot, at: int, env: Env) -> Iterator[Reading]:
        if slot.facet == "count":
            number = self._number_at(at, env.get("count"))
            if number is not None:
                yield at + len(NUMBER_WORDS[number]), {"count": number}
            return

        def item(i: int, place: int) -> Reading | None:
            for end, new in self._marked("x", ALL_FACETS[slot.facet], place, _NOTHING):
                return (end, new) if slot.facet != "jobs" else self._done(i, end, new)
            return None

        for end, items in read_list(self._text, at, item, self._lexis.say(" and ")):
            marks, kind = tuple(entry["x"] for entry in items), items[0]["x.kind"]
            if env.get("all", marks) == marks and env.get("a.kind", kind) is kind:
                yield end, {"all": marks, "a.kind": kind}

    def _done(self, i: int, at: int, new: Env) -> Reading | None:
        was = self._lexis.say("was ") if i == 0 else ""
        said = f" {was}{self._lexis.facet(new['x.kind'], 'done')}"
        return (at + len(said), new) if self._text.startswith(said, at) else None

    def _rows(self, _: Slot, at: int, __: Env) -> Iterator[Reading]:
        def item(_: int, place: int) -> Reading | None:
            return self._read_row(place)

        for end, items in read_list(self._text, at, item, self._lexis.say(" and ")):
            yield end, {"rows": tuple((entry["option"], entry["v"]) for entry in items)}

    # Frames.

    def _jobs(self, _: Slot, at: int, __: Env) -> Iterator[Reading]:
        first = self._job(0, at)
        if first is not None:
            yield first[0], {"kinds": (first[1]["kind"],)}
        for end, items in read_list(self._text, at, self._job, self._lexis.say(" and ")):
            yield end, {"kinds": tuple(entry["kind"] for entry in items)}

    def _job(self, i: int, at: int) -> Reading | None:
        """The longest `each watch was kept` at a place, "was" said once; a noun follows "each "."""
        was = self._lexis.say("was ") if i == 0 else ""
        best: Reading | None = None
        for kind in self._lexis.persons_by_initial.get(self._text[at + 5 : at + 6].lower(), ()):
            said = f"{self._lexis.facet(kind, 'each')}{was}{self._lexis.facet(kind, 'done')}"
            if self.stands(said, at) and (best is None or at + len(said) > best[0]):
                best = at + len(said), {"kind": kind}
        return best

    def _names(self, _: Slot, at: int, __: Env) -> Iterator[Reading]:
        def item(_: int, place: int) -> Reading | None:
            name = self._scan.names.get(place)
            return None if name is None else (name[0], {"name": name[1]})

        for end, items in read_list(self._text, at, item, self._lexis.say(" and ")):
            yield end, {"names": tuple(entry["name"] for entry in items)}

    def _measure(self, slot: Slot, at: int, env: Env) -> Iterator[Reading]:
        known = env.get("m")
        for kind in (known,) if known is not None else self._lexis.measures:
            part = self._lexis.facet(kind, slot.facet)
            if self.stands(part, at):
                yield at + len(part), {"m": kind}


_Reader = Callable[[SlotReader, Slot, int, Env], Iterable[Reading]]
_READERS: dict[str, _Reader] = {
    "v": SlotReader._value,
    "k": SlotReader._steps,
    "p": SlotReader._literal,
    "q": SlotReader._literal,
    "r": SlotReader._literal,
    "s": SlotReader._literal,
    "clause": SlotReader._clause,
    "bystander": SlotReader._bystander,
    "bystander2": SlotReader._bystander,
    "all": SlotReader._all,
    "rows": SlotReader._rows,
    "option": SlotReader._option,
    "subject": SlotReader._subject,
    "note": SlotReader._note,
    "asked": SlotReader._asked,
    "dates": SlotReader._dates,
    "jobs": SlotReader._jobs,
    "names": SlotReader._names,
    "roster": SlotReader._roster,
    "m": SlotReader._measure,
    "low": SlotReader._digits,
    "high": SlotReader._digits,
}
