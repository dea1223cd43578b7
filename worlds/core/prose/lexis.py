"""The words in play in one record: its kinds by letter, its names, and how each kind inflects.

Facets of a kind (`past`, `subject`, …) are fixed strings; facets of a marked thing (`thing`,
`when`, …) are a lead-in and the mark. A loud lexis says all of it in capitals, as telegrams do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from worlds.core.bridges import BridgeFact
from worlds.core.errors import Unrenderable
from worlds.core.lexicon import Kind, Lexicon, Measure, PersonRole, Roster

__all__ = [
    "KIND_FACETS",
    "MARK_FACETS",
    "NUMBER_WORDS",
    "VALUE_FACETS",
    "Lexis",
    "step_value",
]

NUMBER_WORDS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
)
MARK_FACETS = {"thing", "mark", "when", "occasion"}
VALUE_FACETS = {"at", "step"}
_PERSON_FACETS = ("past", "done", "noun")
_MEASURE_FACETS = (
    "subject",
    "verb",
    "more",
    "less",
    "step",
    "steps",
    "whole",
    "occasions",
    "event",
)
KIND_FACETS = {*_PERSON_FACETS, *_MEASURE_FACETS, "each"}
_LEADING_PREPOSITION = re.compile(r"^(?:at|on|in) ")


class Lexis:
    """What a text can speak of: `kinds` in use, `names` that fill slots, facts of the bank.

    Where marks are read, no two kinds in play share a letter: a mark must say what it marks.
    """

    def __init__(
        self,
        kinds: Iterable[Kind],
        names: Iterable[str],
        facts: Sequence[BridgeFact] = (),
        *,
        bystanders: Iterable[str] = (),
        verbs: Iterable[str] = (),
        rosters: Iterable[Roster] = (),
        lists: Mapping[str, Sequence[str]] | None = None,
        loud: bool = False,
    ) -> None:
        self.loud = loud
        self.kinds = tuple(kinds)
        self.persons = tuple(kind for kind in self.kinds if isinstance(kind, PersonRole))
        self.measures = tuple(kind for kind in self.kinds if isinstance(kind, Measure))
        self.persons_by_initial: dict[str, list[PersonRole]] = {}
        for role in self.persons:
            self.persons_by_initial.setdefault(role.noun[0], []).append(role)
        self.by_letter = {kind.letter: kind for kind in self.kinds}
        self.names = {self.say(name): name for name in names}
        self.bystanders = {self.say(name): name for name in bystanders}
        self.verbs = {self.say(verb): verb for verb in verbs}
        self.rosters = {self.say(roster.title): roster.key for roster in rosters}
        self.lists = {
            key: {self.say(item): item for item in items} for key, items in (lists or {}).items()
        }
        self.facts = tuple(facts)
        self._options: dict[str, dict[str, str]] | None = None
        self._facets: dict[tuple[str, str], str] = {}

    @classmethod
    def of_frames(cls, lexicon: Lexicon) -> Lexis:
        """Every kind and name of a genre: a frame is what says which of them are in play."""
        kinds: tuple[Kind, ...] = (*lexicon.roles, *lexicon.measures)
        return cls(kinds, lexicon.names, rosters=lexicon.rosters)

    def say(self, text: str) -> str:
        """The text in this lexis's voice."""
        return text.upper() if self.loud else text

    def kind_of(self, mark: str) -> Kind:
        """The kind of a mark; raises Unrenderable when none of its letter is in play."""
        kind = self.by_letter.get(mark.partition("-")[0])
        if kind is None:
            raise Unrenderable(f"no kind in play has the letter of {mark}")
        return kind

    def facet(self, kind: Kind, facet: str) -> str:
        """A fixed form of a kind: `past`, `subject`; or the lead-in of `thing`, `when`."""
        key = (kind.key, facet)
        found = self._facets.get(key)
        if found is None:
            found = self._facets[key] = self.say(_facet(kind, facet))
        return found

    def options_from(self, letter: str) -> Mapping[str, str]:
        """Every option of a bridge that begins with this letter, as said, with what it is."""
        if self._options is None:
            self._options = {}
            for fact in self.facts:
                for option in (fact.answer, *fact.alternatives):
                    said = self.say(option)
                    self._options.setdefault(said[0], {})[said] = option
        return self._options.get(letter, {})

    def value(self, measure: Measure, facet: str, number: int) -> str:
        """A reading in words: `at step 3` (`at`) or `step 3` (`step`)."""
        text = measure.value if facet == "at" else step_value(measure)
        return self.say(text.format(n=number, s="" if number == 1 else "s"))

    def steps(self, measure: Measure, facet: str, count: int) -> str:
        """A distance in words: `two steps`, `two steps higher` (`more`), `… lower` (`less`)."""
        noun = measure.step if count == 1 else measure.steps
        words = f"{_number_word(count)} {noun}"
        if facet != "steps":
            words += " " + (measure.more if facet == "more" else measure.less)
        return self.say(words)

    def asked(self, kind: Kind) -> str:
        """The lead-in of a question about a mark: `who kept watch `."""
        if isinstance(kind, Measure):
            return f"{self.say(kind.asked)} {self.facet(kind, 'when')}"
        return f"{self.say('who ')}{self.facet(kind, 'past')} {self.facet(kind, 'thing')}"

    def count(self, number: int) -> str:
        """A small number in words."""
        return self.say(_number_word(number))


def step_value(measure: Measure) -> str:
    """A measure's value without its leading preposition: `step {n}`."""
    return _LEADING_PREPOSITION.sub("", measure.value)


def _number_word(number: int) -> str:
    if not 0 < number < len(NUMBER_WORDS):
        raise Unrenderable(f"no word for the number {number}")
    return NUMBER_WORDS[number]


def _facet(kind: Kind, facet: str) -> str:
    match facet:
        case "mark":
            return ""
        case "thing" if isinstance(kind, PersonRole):
            return f"{kind.noun} "
        case "each" if isinstance(kind, PersonRole):
            return f"each {kind.noun} "
        case "when" if isinstance(kind, Measure):
            return f"{kind.preposition} {kind.occasion} "
        case "occasion" if isinstance(kind, Measure):
            return f"{kind.occasion} "
        case "event" if isinstance(kind, Measure):
            return kind.occasion
    allowed = _PERSON_FACETS if isinstance(kind, PersonRole) else _MEASURE_FACETS
    if facet in allowed:
        return str(getattr(kind, facet))
    raise Unrenderable(f"{kind.key} has no facet {facet!r}")
