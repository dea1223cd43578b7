"""The seeded narrator: one teller, one companion, a month of going about, all from one stream.

The teller speaks for himself throughout, so that whatever stands outside a report is stated in the
writer's own voice, as the frame requires; orders are copied out under their dates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from worlds.core.packs.model import Pack
from worlds.core.packs.template import Slot, capitalised, compile_template
from worlds.core.prose.papers import Stationer
from worlds.core.prose.story.plan import GAPS, Line, ScenePlan
from worlds.core.prose.story.stock import Stock
from worlds.core.prose.variety import Deck
from worlds.core.seeds import Stream

__all__ = ["SeededNarrator"]

_PARAGRAPH = (3, 6)
# How many sentences a paper that is read gives away, and the room that it needs.
_READ, _READING = (2, 4), 3
# How often a turn of the story is of each kind.
_TURNS = ("setting", "beat", "weather", "anecdote", "thread", "reading")
_TURN_WEIGHTS = (4.0, 4.0, 1.6, 2.0, 2.2, 2.4)
_LEADS = {"frame": "frame", "objective": "asked", "provisional": "order", "policy": "order"}
# Every other line stands alone: whoever keeps a book does not introduce each entry.
_CARRIED = 0.5


class SeededNarrator:
    """Tells scenes in the sentences of a genre; the same stream gives the same bytes."""

    name = "seeded"

    def __init__(self, pack: Pack, stream: Stream) -> None:
        self._pack = pack
        self._stream = stream

    def narrate(self, plans: Sequence[ScenePlan]) -> tuple[str, ...]:
        """The text of each scene."""
        telling = _Telling(self._pack, self._stream, plans)
        return tuple(telling.scene(i) for i in range(len(plans)))


class _Telling:
    """One story while it is told."""

    def __init__(self, pack: Pack, stream: Stream, plans: Sequence[ScenePlan]) -> None:
        self._pack, self._texts, self._stream, self._plans = pack, pack.story, stream, plans
        known = {plan.host for plan in plans} | {plan.companion for plan in plans}
        strangers = [person for person in pack.bystanders if person not in known]
        self._stock = Stock(pack, stream, strangers or pack.bystanders)
        self._stationer = Stationer(pack, stream)
        self._skies = Deck(stream)
        self._threads = dict.fromkeys(stream.shuffled(sorted(self._texts.thread)), 0)
        self._spun_here: set[str] = set()
        self._last = ""
        self._line_last = True

    def scene(self, at: int) -> str:
        """The text of one scene; scenes are told in their order."""
        plan, texts, stock = self._plans[at], self._texts, self._stock
        words = self._words(plan)
        self._spun_here = set()
        page = _Page(self._stream)
        if at == 0:
            page.add(stock.one(texts.opening, words))
            page.turn()
        else:
            same = plan.place == self._plans[at - 1].place
            page.add(stock.one(texts.stay if same else texts.arrival, words))
        if plan.burial:
            page.add(stock.one(texts.entry[plan.setting], words))
        framed = False
        for line in plan.lines:
            for turn in self._gap(at, words):
                page.add(turn)
            page.add(self._set_down(line, words, again=framed and line.role == "frame"))
            framed = framed or line.role == "frame"
        if at and plan.burial > 1:
            page.add(" ".join(stock.deal(texts.parting, words) or ()))
        if at == len(self._plans) - 1:
            page.turn()
            page.add(stock.one(texts.ending, words))
        return page.text()

    def _words(self, plan: ScenePlan) -> dict[str, str]:
        """Who and what a sentence of this scene may speak of."""
        return {
            "companion": plan.companion,
            "host": plan.host,
            "keeper": self._stock.fill(self._texts.keeper[plan.setting][0], {"host": plan.host}),
            "place": plan.place,
            "weekday": plan.weekday,
            "month": plan.month,
            "date": plan.date,
            "sky": self._skies.deal(plan.weather, self._texts.sky[plan.weather]),
            "writer": plan.writer[:1].lower() + plan.writer[1:],
        }

    # The story between the clauses.

    def _gap(self, at: int, words: Mapping[str, str]) -> Iterator[str]:
        """As many sentences as the burial asks for; what belongs together is one text."""
        low, high = GAPS[self._plans[at].burial]
        wanted, told = self._stream.between(low, high), 0
        while told < wanted:
            sentences = self._turn(at, words, wanted - told)
            told += len(sentences)
            self._line_last = False
            yield " ".join(sentences)

    def _turn(self, at: int, words: Mapping[str, str], room: int) -> list[str]:
        """The next sentences: something new of any kind, else something in other words."""
        for again in (False, True):
            kinds = dict(zip(_TURNS, _TURN_WEIGHTS, strict=True))
            if room < _READING or self._last == "reading":
                del kinds["reading"]
            while kinds:
                kind = self._stream.weighted(tuple(kinds), tuple(kinds.values()))
                del kinds[kind]
                told = self._kind(kind, at, words, room, again=again)
                if told:
                    self._last = kind
                    return told
        self._stock.begin_again()
        return self._turn(at, words, max(room, _READING))

    def _kind(
        self, kind: str, at: int, words: Mapping[str, str], room: int, *, again: bool
    ) -> list[str] | None:
        plan, texts = self._plans[at], self._texts
        if kind == "thread":
            return self._episode(at, words, room)
        if kind == "reading":
            return self._reading(words, again=again)
        offered = {
            "setting": texts.settings[plan.setting],
            "weather": texts.weather[plan.weather],
            "anecdote": texts.anecdote,
            "beat": texts.beat,
        }[kind]
        return self._stock.deal(offered, words, most=room, again=again)

    def _episode(self, at: int, words: Mapping[str, str], room: int) -> list[str] | None:
        """The next of a thread, at most one of each in a scene, spread over the whole story."""
        for thread, told in self._threads.items():
            episodes = self._texts.thread[thread]
            due = told * len(self._plans) <= at * len(episodes)
            if told == len(episodes) or not due or thread in self._spun_here:
                continue
            dealt = self._stock.deal(episodes[told : told + 1], words, most=room)
            if dealt:
                self._spun_here.add(thread)
                # The thread that was spun last comes last.
                del self._threads[thread]
                self._threads[thread] = told + 1
                return dealt
        return None

    def _reading(self, words: Mapping[str, str], *, again: bool) -> list[str] | None:
        """A paper that somebody lets the teller see, between quotation marks."""
        leads = self._texts.reading
        left = {channel: self._stock.left(texts) for channel, texts in leads.items()}
        if not again and not any(left.values()):
            return None
        weights = [1 if again else left[channel] for channel in leads]
        channel = self._stream.weighted(tuple(leads), weights)
        cast = {
            **self._stationer.cast().others,
            "month": words["month"],
            "bystander": self._stock.stranger(),
            "bystander2": self._stock.stranger(),
        }
        count = self._stream.between(*_READ)
        read = [
            *self._stock.some(self._read_from(channel, "opening", cast), cast, count - 1),
            *self._stock.some(self._read_from(channel, "closing", cast), cast, 1),
        ]
        lead = self._stock.deal(leads[channel], words, again=again) if read else None
        if not lead:
            return None
        read[0] = f"“{read[0]}"
        read[-1] = f"{read[-1]}”"
        return [*lead, *read]

    def _read_from(self, channel: str, part: str, cast: Mapping[str, str]) -> list[str]:
        """What the papers of a channel say in one part, as far as it can be quoted here."""
        return [
            text
            for text in self._pack.fillers.get(channel, {}).get(part, ())
            if all(slot.name in cast for slot in compile_template(text).slots)
            and not {"“", "”"} & set(text)
        ]

    # The clauses.

    def _set_down(self, line: Line, words: Mapping[str, str], *, again: bool) -> str:
        """A line with what leads to it."""
        bare, self._line_last = self._line_last, True
        if line.role == "bridge-note":
            return f"{self._stock.one(self._texts.note, words)} {line.text}"
        if line.role in _LEADS:
            if again and bare:
                # Nothing has been told since the last one.
                return line.text
            lead = "further" if again else _LEADS[line.role]
            return f"{self._stock.one(getattr(self._texts, lead), words)} {line.text}"
        said = {**words, "clause": line.text, "Clause": capitalised(line.text)}
        carried = self._stream.chance(_CARRIED) and self._carrier(line, said)
        return carried or f"{said['Clause']}."

    def _carrier(self, line: Line, said: Mapping[str, str]) -> str | None:
        """A line in a sentence of the book-keeping, each once in a story."""
        offered = [
            text
            for text in self._texts.carrier
            # Two colons in one sentence read like a form.
            if ":" not in line.text or not _leads_up(text)
        ]
        dealt = self._stock.deal(offered, said)
        return " ".join(dealt) if dealt else None


def _leads_up(carrier: str) -> bool:
    """Whether a carrier puts its clause after a lead, not at the start of a sentence."""
    return Slot("clause") in compile_template(carrier).slots


class _Page:
    """Sentences, or a few that belong together, gathered into paragraphs."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._paragraphs: list[list[str]] = [[]]
        self._room = stream.between(*_PARAGRAPH)

    def add(self, text: str) -> None:
        """One text more, unless it is empty; a full paragraph makes way for the next."""
        if not text:
            return
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
