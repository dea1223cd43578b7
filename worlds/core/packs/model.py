"""What a genre pack holds: a lexicon, wordings, papers, orders and a story. Values only.

A pack is data. Every text of a record stands in one, with open slots in braces; nothing here knows
how a slot is filled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from worlds.core.lexicon import Lexicon
from worlds.core.packs.story import StoryTexts

__all__ = [
    "CLAUSE_FORMS",
    "LITERAL_FORMS",
    "MONTHS",
    "STYLES",
    "STYLE_OF",
    "WEEKDAYS",
    "FrameShape",
    "Orders",
    "Pack",
    "Shape",
    "Wording",
    "fits",
    "style_of",
]

STYLES = ("prose", "wire", "entry")
STYLE_OF = {"telegram": "wire", "ledger": "entry"}
"""The style of a channel's clauses; every channel not named here is prose."""

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
CLAUSE_FORMS = (
    "pin_person",
    "pin_ordinal",
    "same_person",
    "same_ordinal",
    "not_person",
    "not_ordinal",
    "differ_person",
    "differ_ordinal",
    "less_value",
    "more_value",
    "less",
    "more",
    "implication",
    "table",
    "all_different_person",
    "all_different_ordinal",
    "exactly_one_2",
    "exactly_one_3",
    "exactly_one_4",
    "offset_more",
    "offset_less",
    "sum",
    "difference",
)
LITERAL_FORMS = (
    "person_is",
    "person_not",
    "ordinal_is",
    "ordinal_not",
    "ordinal_less",
    "ordinal_more",
)


@dataclass(frozen=True, slots=True)
class Wording:
    """One way to say one form; `row` is the inner wording of a table.

    `channels` narrows a style further (empty: every channel of the style). `literals` counts the
    conditions of an order. A wording that is not `hedgeable` cannot follow a hedge.
    """

    form: str
    text: str
    style: str = "prose"
    channels: tuple[str, ...] = ()
    hedgeable: bool = True
    row: str = ""
    literals: int = 0


@dataclass(frozen=True, slots=True)
class Shape:
    """How a paper of a channel is laid out; `text` has `{units}` once, `join` stands between."""

    channel: str
    heading: str
    text: str
    join: str = " "


@dataclass(frozen=True, slots=True)
class FrameShape:
    """The notice that closes the domains and says what counts; `text2` splits it over two."""

    heading: str
    text: str
    heading2: str = ""
    text2: str = ""

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """Heading and text of each notice."""
        first = ((self.heading, self.text),)
        return (*first, (self.heading2, self.text2)) if self.text2 else first


@dataclass(frozen=True, slots=True)
class Orders:
    """What stands once in a record: its frame, what is asked, the rules and the notes."""

    frames: tuple[FrameShape, ...]
    closures: tuple[Wording, ...]
    scales: tuple[Wording, ...]
    testimonies: tuple[Wording, ...]
    objectives: tuple[Wording, ...]
    provisionals: tuple[Wording, ...]
    policies: tuple[Wording, ...]
    notes: tuple[Wording, ...]
    writers: tuple[str, ...]
    openings: tuple[str, ...] = ()
    closings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pack:
    """One genre: what its records speak of, and every text they are made of.

    `lists` are the free lists of the lexicon under their singular ("place"); `fillers` maps a
    channel to its lists (salutation, opening, carrier, …).
    """

    title: str
    lexicon: Lexicon
    bystanders: tuple[str, ...]
    lists: Mapping[str, tuple[str, ...]]
    literals: tuple[Wording, ...]
    clauses: tuple[Wording, ...]
    hedges: tuple[Wording, ...]
    shapes: tuple[Shape, ...]
    fillers: Mapping[str, Mapping[str, tuple[str, ...]]]
    orders: Orders
    story: StoryTexts

    @property
    def genre(self) -> str:
        """The genre's name, as ids spell it."""
        return self.lexicon.genre

    def shapes_of(self, channel: str) -> tuple[Shape, ...]:
        """The layouts of a channel."""
        return tuple(shape for shape in self.shapes if shape.channel == channel)

    def clauses_of(self, form: str, channel: str) -> tuple[Wording, ...]:
        """The wordings of a clause form that fit a channel."""
        return tuple(w for w in self.clauses if w.form == form and fits(w, channel))

    def literals_of(self, form: str, channel: str) -> tuple[Wording, ...]:
        """The wordings of a literal in a channel; prose ones where its style has none."""
        own = tuple(w for w in self.literals if w.form == form and fits(w, channel))
        if own or style_of(channel) == "prose":
            return own
        return tuple(w for w in self.literals if w.form == form and w.style == "prose")

    def hedges_of(self, channel: str) -> tuple[Wording, ...]:
        """The hedges that fit a channel."""
        return tuple(w for w in self.hedges if fits(w, channel))


def style_of(channel: str) -> str:
    """The style in which a channel's clauses are written."""
    return STYLE_OF.get(channel, "prose")


def fits(wording: Wording, channel: str) -> bool:
    """Whether a wording may stand in a paper of this channel."""
    if wording.style != style_of(channel):
        return False
    return not wording.channels or channel in wording.channels
