"""Lay out one paper: colour around its units, and spans that say where each unit stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle

from worlds.core.errors import Unrenderable
from worlds.core.instance import Span
from worlds.core.packs.model import MONTHS, WEEKDAYS, Pack, Shape, style_of
from worlds.core.packs.template import Slot, capitalised, compile_template
from worlds.core.prose.variety import Deck
from worlds.core.seeds import Stream

__all__ = ["Cast", "Draft", "Paper", "Said", "Stationer"]

_LINKED = 0.4
_SMALL_TALK = 2
_PLACES = 4
_THIRD_PARTIES = ("opening", "link", "closing", "carrier")


@dataclass(frozen=True, slots=True)
class Said:
    """A unit in words; one that is `carried` stands inside a carrier, a note stands alone."""

    unit: str
    text: str
    carried: bool = True


@dataclass
class Paper:
    """A paper without its number: heading, text and spans by unit."""

    channel: str
    heading: str
    text: str
    spans: tuple[Span, ...]


@dataclass
class Draft:
    """A text in the making, with the spans of what was put in as units."""

    parts: list[str] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    length: int = 0

    def add(self, text: str, unit: str = "") -> None:
        """Append a text; a unit's text gets a span."""
        if unit:
            self.spans.append(Span(unit, self.length, self.length + len(text)))
        self.parts.append(text)
        self.length += len(text)

    def paper(self, channel: str, heading: str) -> Paper:
        """The finished paper; a telegram in capitals."""
        text = "".join(self.parts)
        loud = text.upper() if style_of(channel) == "wire" else text
        if len(loud) != len(text):
            raise Unrenderable(f"a telegram changes its length in capitals: {text!r}")
        return Paper(channel, heading, loud, tuple(self.spans))


@dataclass(frozen=True)
class Cast:
    """Who and what the colour of one paper speaks of: words by slot, for each part of it."""

    writer: Mapping[str, str]
    addressee: Mapping[str, str]
    others: Mapping[str, str]
    hedges: tuple[Mapping[str, str], ...]


class Stationer:
    """Supplies a record's papers: their layouts, their colour and the people in it."""

    def __init__(self, pack: Pack, stream: Stream) -> None:
        self._pack = pack
        self._stream = stream
        self._deck = Deck(stream)
        last = stream.below(len(MONTHS))
        self.months = (MONTHS[last - 1], MONTHS[last])
        """The two months that a record spans; its orders are given in the later one."""
        self._lists = {
            key: tuple(stream.sample(items, _PLACES)) if key == "place" else items
            for key, items in pack.lists.items()
        }

    def cast(self) -> Cast:
        """New people, one place, one day: everybody in a paper is somebody else."""
        stream, pack = self._stream, self._pack
        # Writers and addressees come round in turn, so that a record is not one family's.
        first = [self._deck.deal("person", pack.bystanders) for _ in range(2)]
        rest = [name for name in stream.shuffled(pack.bystanders) if name not in first]
        surnames = cycle([*dict.fromkeys(first), *rest])
        forenames = iter(self._different("forename", self._pack.lists.get("forename", ()), 3))
        common = {
            key: self._deck.deal(f"list {key}", items)
            for key, items in self._lists.items()
            if key != "forename"
        }
        common["weekday"] = stream.choice(WEEKDAYS)
        common["month"] = stream.choice(self.months)

        def person(second: str) -> dict[str, str]:
            words = {**common, "bystander": next(surnames), "bystander2": second}
            forename = next(forenames, None)
            return words if forename is None else {**words, "forename": forename}

        third = rest[-1]
        writer, addressee, others = (person(third) for _ in range(3))
        return Cast(writer, addressee, others, tuple(person(next(surnames)) for _ in range(3)))

    def _different(self, part: str, items: Sequence[str], count: int) -> list[str]:
        """The next `count` items of a list, no two alike even where the deck is dealt anew."""
        dealt: dict[str, None] = {}
        while len(dealt) < min(count, len(items)):
            dealt[self._deck.deal(part, items)] = None
        return list(dealt)

    def shape(self, channel: str) -> Shape:
        """The next layout of a channel."""
        shapes = self._pack.shapes_of(channel)
        if not shapes:
            raise Unrenderable(f"the pack has no {channel}")
        return self._deck.deal(f"shape {channel}", shapes)

    def lay_out(self, shape: Shape, cast: Cast, units: Sequence[Said]) -> Paper:
        """A paper of this shape that carries the units; without any it has small talk instead."""
        draft = Draft()
        talk = "" if units else self.small_talk(shape.channel, cast, shape.join)
        bare = not units and not talk
        template = compile_template(_without_units(shape.text) if bare else shape.text)
        for i, element in enumerate(template.elements):
            if isinstance(element, str):
                draft.add(element)
            elif element.name == "units":
                draft.add(talk)
                self._add_units(draft, shape, cast, units)
            else:
                # A list that ends a paper signs it, unless it is one that speaks of others.
                signs = not any(isinstance(e, Slot) for e in template.elements[i + 1 :])
                words = _words(element.name, cast, signs=signs)
                draft.add(self._colour(element, shape.channel, cast, words))
        return _tidied(draft).paper(shape.channel, self._fill(shape.heading, cast.writer))

    def sentences(self, part: str, texts: Sequence[str], cast: Cast) -> str:
        """One filled sentence of a list outside the channels; empty when the list is."""
        if not texts:
            return ""
        return self._fill(self._deck.deal(part, texts), cast.others)

    def small_talk(self, channel: str, cast: Cast, join: str = " ") -> str:
        """One or two sentences that could stand between units; empty when the channel has none.

        Without them two short papers of a corpus would now and then be alike.
        """
        links = self._pack.fillers.get(channel, {}).get("link", ())
        count = self._stream.between(1, _SMALL_TALK)
        said = [self._deck.deal(f"{channel} link", links) for _ in links[:count]]
        return join.join(self._fill(link, cast.others) for link in said)

    def _add_units(self, draft: Draft, shape: Shape, cast: Cast, units: Sequence[Said]) -> None:
        fillers = self._pack.fillers.get(shape.channel, {})
        links = fillers.get("link", ())
        for i, said in enumerate(units):
            if i:
                draft.add(shape.join)
                if links and self._stream.chance(_LINKED):
                    link = self._deck.deal(f"{shape.channel} link", links)
                    draft.add(self._fill(link, cast.others) + shape.join)
            if said.carried:
                carriers = fillers.get("carrier", ())
                self._carry(draft, self._carrier(shape.channel, carriers, said), cast, said)
            else:
                draft.add(said.text, said.unit)

    def _carrier(self, channel: str, carriers: Sequence[str], said: Said) -> str:
        """The next carrier; one that leads up with a colon waits for a unit without one."""
        carrier = ""
        for _ in range(max(1, len(carriers))):
            carrier = self._deck.deal(f"{channel} carrier", carriers)
            if ":" not in said.text or ": {clause}" not in carrier:
                break
        return carrier

    def _carry(self, draft: Draft, carrier: str, cast: Cast, said: Said) -> None:
        for element in compile_template(carrier).elements:
            if isinstance(element, str):
                draft.add(element)
            elif element.name == "Clause":
                draft.add(capitalised(said.text), said.unit)
            elif element.name == "clause":
                draft.add(said.text, said.unit)
            else:
                draft.add(self._word(element, cast.others))

    def _colour(self, slot: Slot, channel: str, cast: Cast, words: Mapping[str, str]) -> str:
        items = self._pack.fillers.get(channel, {}).get(slot.name)
        if items is None:
            return self._word(slot, cast.writer)
        text = self._deck.deal(f"{channel} {slot.name}", items)
        return self._fill(text, words)

    def _fill(self, text: str, words: Mapping[str, str]) -> str:
        elements = compile_template(text).elements
        return "".join(e if isinstance(e, str) else self._word(e, words) for e in elements)

    def _word(self, slot: Slot, words: Mapping[str, str]) -> str:
        if slot.facet or slot.name not in words:
            raise Unrenderable(f"nothing fills the slot {slot}")
        return words[slot.name]


def _words(part: str, cast: Cast, *, signs: bool) -> Mapping[str, str]:
    """The people that a part of a paper speaks of."""
    if part == "salutation":
        return cast.addressee
    if part == "signoff" or (signs and part not in _THIRD_PARTIES):
        return cast.writer
    return cast.others


def _without_units(text: str) -> str:
    """A layout without its units, and without the blank or line end before them."""
    for gone in (" {units}", "\n{units}", "{units} ", "{units}\n", "{units}"):
        if gone in text:
            return text.replace(gone, "", 1)
    return text


def _tidied(draft: Draft) -> Draft:
    """The draft without blank ends: a paper with no units may leave a space behind."""
    text = "".join(draft.parts)
    lead = len(text) - len(text.lstrip())
    spans = [Span(s.unit, s.start - lead, s.end - lead) for s in draft.spans]
    return Draft([text.strip()], spans, len(text.strip()))
