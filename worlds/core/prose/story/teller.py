"""The seeded narrator: one teller, one companion, a month of going about, all from one stream.

The teller speaks for himself throughout, so that whatever stands outside a report is stated in the
writer's own voice, as the frame requires; orders are copied out under their dates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from worlds.core.packs.model import Pack
from worlds.core.packs.template import Slot, capitalised, compile_template
from worlds.core.prose.papers import Stationer
from worlds.core.prose.story.plan import GAPS, Line, ScenePlan
from worlds.core.prose.story.texts import StoryTexts
from worlds.core.prose.variety import Deck
from worlds.core.seeds import Stream

__all__ = ["SeededNarrator"]

_PARAGRAPH = (4, 7)
_READING = (3, 5)
# How often a turn of the story is of each kind; readings need room for more than one sentence.
_TURNS = ("setting", "beat", "weather", "anecdote", "letter", "daybook")
_TURN_WEIGHTS = (4.0, 5.0, 2.0, 1.2, 1.2, 0.8)
_READINGS = ("letter", "daybook")
_LONG = ("anecdote", *_READINGS)
_LEADS = {"frame": "frame", "objective": "asked", "provisional": "order", "policy": "order"}


class SeededNarrator:
    """Tells scenes in the sentences of a genre; the same stream gives the same bytes."""

    name = "seeded"

    def __init__(self, pack: Pack, texts: StoryTexts, stream: Stream) -> None:
        self._pack = pack
        self._texts = texts
        self._stream = stream
        self._deck = Deck(stream)
        self._stationer = Stationer(pack, stream)
        self._told_here: set[str] = set()
        self._last = ""

    def narrate(self, plans: Sequence[ScenePlan]) -> tuple[str, ...]:
        """The text of each scene."""
        return tuple(self._scene(plans, i) for i in range(len(plans)))

    def _scene(self, plans: Sequence[ScenePlan], at: int) -> str:
        plan = plans[at]
        words = self._words(plan)
        self._told_here = set()
        page = _Page(self._stream)
        if at == 0:
            page.add(self._fill(self._stream.choice(self._texts.opening), words))
            page.turn()
        else:
            coming = "stay" if plan.place == plans[at - 1].place else "arrival"
            page.add(self._told(coming, getattr(self._texts, coming), words))
        if plan.burial:
            page.add(self._told(f"entry {plan.setting}", self._texts.entry[plan.setting], words))
        framed = False
        for line in plan.lines:
            for turn in self._gap(plan, words):
                page.add(turn)
            page.add(self._set_down(line, words, again=framed and line.role == "frame"))
            framed = framed or line.role == "frame"
        if at and plan.burial > 1:
            page.add(self._told("parting", self._texts.parting, words))
        if at == len(plans) - 1:
            page.turn()
            page.add(self._told("ending", self._texts.ending, words))
        return page.text()

    # Who and what a sentence may speak of.

    def _words(self, plan: ScenePlan) -> dict[str, str]:
        return {
            "companion": plan.companion,
            "host": plan.host,
            "keeper": self._fill(self._texts.keeper[plan.setting][0], {"host": plan.host}),
            "place": plan.place,
            "weekday": plan.weekday,
            "month": plan.month,
            "date": plan.date,
            "sky": self._stream.choice(self._texts.sky[plan.weather]),
            "writer": plan.writer[:1].lower() + plan.writer[1:],
        }

    def _fill(self, text: str, words: dict[str, str]) -> str:
        """A text with its slots filled; what the scene does not settle is dealt anew."""
        parts = []
        for element in compile_template(text).elements:
            if isinstance(element, Slot):
                parts.append(words.get(element.name) or self._dealt(element.name, words))
            else:
                parts.append(element)
        return capitalised("".join(parts))

    def _dealt(self, name: str, words: dict[str, str]) -> str:
        if name == "local":
            known = (words["companion"], words["host"])
            others = [person for person in self._pack.bystanders if person not in known]
            return self._stream.choice(others)
        items = self._texts.words.get(name) or self._pack.lists.get(name, ())
        return self._deck.deal(f"word {name}", items)

    def _told(self, name: str, texts: Sequence[str], words: dict[str, str]) -> str:
        return self._fill(self._deck.deal(name, texts), words)

    # The story between the clauses.

    def _gap(self, plan: ScenePlan, words: dict[str, str]) -> Iterable[str]:
        """As many sentences as the burial asks for; what belongs together is one text."""
        low, high = GAPS[plan.burial]
        wanted, told = self._stream.between(low, high), 0
        while told < wanted:
            sentences = self._turn(plan, words, wanted - told)
            told += len(sentences)
            yield " ".join(sentences)

    def _turn(self, plan: ScenePlan, words: dict[str, str], room: int) -> list[str]:
        """The next sentence or reading; nothing is told twice in one scene but by a letter."""
        kind = self._stream.weighted(_TURNS, _TURN_WEIGHTS)
        if kind in _LONG and (room < _READING[0] or kind == self._last):
            kind = "beat"
        self._last = kind
        name, texts = {
            "setting": (plan.setting, self._texts.settings[plan.setting]),
            "weather": (plan.weather, self._texts.weather[plan.weather]),
            "anecdote": (kind, self._texts.anecdote),
        }.get(kind, ("beat", self._texts.beat))
        fresh = [text for text in texts if text not in self._told_here]
        if kind in _READINGS or not fresh:
            return self._reading(kind if kind in _READINGS else "letter", words)
        text = self._deck.deal(name, texts)
        while text in self._told_here:
            text = self._deck.deal(name, texts)
        self._told_here.add(text)
        return _sentences(self._fill(text, words))

    def _reading(self, kind: str, words: dict[str, str]) -> list[str]:
        """A letter or a daybook that somebody lets the teller see, between quotation marks."""
        channel = "letter" if kind == "letter" else "logbook"
        lead = self._told(kind, getattr(self._texts, kind), words)
        cast = dict(self._stationer.cast().others)
        fillers = self._pack.fillers.get(channel, {})
        offered = [
            text
            for key in ("opening", "closing")
            for text in fillers.get(key, ())
            if all(slot.name in cast for slot in compile_template(text).slots)
        ]
        if not offered:
            return [lead]
        count = self._stream.between(*_READING) - 1
        read = [self._fill(self._deck.deal(f"{channel} read", offered), cast) for _ in range(count)]
        read[0], read[-1] = "“" + read[0], read[-1] + "”"
        return [lead, *read]

    # The clauses.

    def _set_down(self, line: Line, words: dict[str, str], *, again: bool) -> str:
        """A line with what leads to it."""
        if line.role == "bridge-note":
            return f"{self._told('note', self._texts.note, words)} {line.text}"
        if line.role in _LEADS:
            if again and not self._told_here:
                # Nothing has been told since the last one.
                return line.text
            lead = "further" if again else _LEADS[line.role]
            return f"{self._told(lead, getattr(self._texts, lead), words)} {line.text}"
        carrier = self._deck.deal("carrier", self._texts.carrier)
        return self._fill(carrier, {**words, "clause": line.text, "Clause": capitalised(line.text)})


def _sentences(text: str) -> list[str]:
    """An anecdote as its sentences; each begins with a capital after a full stop."""
    return re.split(r"(?<=[.?!]) (?=[A-Z])", text)


class _Page:
    """Sentences, or a few that belong together, gathered into paragraphs."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._paragraphs: list[list[str]] = [[]]
        self._room = stream.between(*_PARAGRAPH)

    def add(self, text: str) -> None:
        """One text more; a full paragraph makes way for the next."""
        if len(self._paragraphs[-1]) >= self._room:
            self.turn()
        self._paragraphs[-1].append(text)

    def turn(self) -> None:
        """Begin a paragraph, unless one has just begun."""
        if self._paragraphs[-1]:
            self._paragraphs.append([])
            self._room = self._stream.between(*_PARAGRAPH)

    def text(self) -> str:
        """The paragraphs, parted by line ends."""
        return "\n".join(" ".join(paragraph) for paragraph in self._paragraphs if paragraph)
