"""Cut a world into scenes: who goes where on which day, and what is set down there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from worlds.core.bridges import BridgeFact
from worlds.core.model import Unit, World
from worlds.core.packs.model import MONTHS, WEEKDAYS, Pack
from worlds.core.prose.grammar import Grammar
from worlds.core.prose.meaning import constraints, meanings
from worlds.core.prose.notices import ORDER_ROLES, dates_said, frame_sentence, order_text
from worlds.core.prose.papers import Stationer
from worlds.core.prose.phrasing import Phraser
from worlds.core.prose.story.plan import CHANNEL, Line, ScenePlan
from worlds.core.seeds import Stream

__all__ = ["Outline", "outline_story"]

_DAYS = 28
_PLACES = 4
_CHANGES = 0.6
_SIZES, _SIZE_WEIGHTS = (2, 3, 4), (3.0, 4.0, 3.0)


@dataclass(frozen=True, slots=True)
class Outline:
    """The scenes of one story, in order, and its heading."""

    heading: str
    scenes: tuple[ScenePlan, ...]


def outline_story(
    world: World,
    pack: Pack,
    facts: Sequence[BridgeFact],
    burial: int,
    stream: Stream,
) -> Outline:
    """The scenes of a story; raises Unrenderable for a gap in the pack."""
    return _Outliner(world, pack, facts, burial, stream).outline()


class _Outliner:
    def __init__(
        self,
        world: World,
        pack: Pack,
        facts: Sequence[BridgeFact],
        burial: int,
        stream: Stream,
    ) -> None:
        self._world, self._pack, self._texts = world, pack, pack.story
        self._burial, self._stream = burial, stream
        self._constraints = constraints(world, facts)
        self._meanings = meanings(world, pack, facts)
        self._grammar = Grammar.of_world(world, pack, facts)
        self._phraser = Phraser(self._grammar, stream)
        self._stationer = Stationer(pack, stream)
        self._month = stream.choice(MONTHS)
        self._first = stream.below(len(WEEKDAYS))
        self._companion, *self._hosts = stream.shuffled(pack.bystanders)

    def outline(self) -> Outline:
        """Frame first, then the evidence in any order, the dated orders among it."""
        groups = self._groups()
        days = _days(len(groups) + 1)
        dated = self._order_scenes(days)
        orders = self._orders([days[scene] for scene in dated])
        for scene, order in zip(dated, orders, strict=True):
            groups[scene - 1].append(order)
        frames = [self._frame(unit) for unit in self._of_role("frame")]
        lines = [self._stream.shuffled(frames), *groups]
        return Outline(self._stream.choice(self._texts.title), self._scenes(lines, days))

    def _of_role(self, role: str) -> list[Unit]:
        return [unit for unit in self._world.units if unit.role == role]

    # What is said.

    def _groups(self) -> list[list[Line]]:
        """Evidence and notes, a few to a scene, in at least one scene for each order."""
        names = self._names()
        said = ("clue", "distractor", "bridge-note")
        units = [unit for unit in self._world.units if unit.role in said]
        lines = [self._line(unit, names) for unit in self._stream.shuffled(units)]
        groups: list[list[Line]] = []
        while lines:
            size = self._stream.weighted(_SIZES, _SIZE_WEIGHTS)
            if len(groups) < len(ORDER_ROLES):
                size = min(size, max(1, len(lines) // len(ORDER_ROLES)))
            groups.append(lines[:size])
            lines = lines[size:]
        while len(groups) < len(ORDER_ROLES):
            groups.append([])
        return groups

    def _names(self) -> Iterator[Mapping[str, str]]:
        """People to quote, without end; the companion stands by and is not among them."""
        while True:
            for quoted in self._stationer.cast().hedges:
                if self._companion not in quoted.values():
                    yield quoted

    def _line(self, unit: Unit, names: Iterator[Mapping[str, str]]) -> Line:
        if unit.role == "bridge-note":
            wording = self._phraser.choose(self._pack.orders.notes)
            text = self._grammar.render(wording, {"fact": self._meanings[unit.id]}, CHANNEL)
            return Line(unit.id, unit.role, text)
        hedged = unit.role == "distractor"
        text = self._phraser.clause(self._constraints[unit.id], CHANNEL, hedged)
        if hedged:
            text = self._phraser.hedge(text, CHANNEL, next(names))
        return Line(unit.id, unit.role, text)

    def _frame(self, unit: Unit) -> Line:
        meaning = self._meanings[unit.id]
        _, text = frame_sentence(meaning, self._pack, self._phraser, self._stream)
        return Line(unit.id, unit.role, text)

    def _orders(self, days: Sequence[int]) -> list[Line]:
        dates = dates_said(days[:2], self._month)
        lines = []
        for role in ORDER_ROLES:
            unit = self._of_role(role)[0]
            meaning = self._meanings[unit.id]
            text = order_text(role, meaning, dates, self._pack, self._grammar, self._phraser)
            lines.append(Line(unit.id, unit.role, text))
        return lines

    # When and where.

    def _order_scenes(self, days: Sequence[int]) -> list[int]:
        """Three scenes after the first, on three days, in order."""
        by_day = {days[scene]: scene for scene in range(1, len(days))}
        return sorted(self._stream.sample(sorted(by_day.values()), len(ORDER_ROLES)))

    def _weathers(self) -> list[str]:
        """The weathers of the month."""
        return [sky for sky, months in self._texts.season.items() if self._month in months]

    def _scenes(
        self, lines: Sequence[Sequence[Line]], days: Sequence[int]
    ) -> tuple[ScenePlan, ...]:
        stream, pack = self._stream, self._pack
        offered = pack.lists.get("place", (pack.title,))
        places = stream.sample(offered, min(_PLACES, len(offered)))
        settings = list(self._texts.settings)
        route = _walk(stream, [(p, s) for p in places for s in settings], len(days))
        stops, hosts = dict.fromkeys(route), self._hosts
        keepers = {stop: hosts[i % len(hosts)] for i, stop in enumerate(stops)}
        skies = _skies(stream, self._weathers(), days)
        writer = stream.choice(pack.orders.writers)
        return tuple(
            ScenePlan(
                number=i,
                day=days[i],
                month=self._month,
                weekday=WEEKDAYS[(self._first + days[i]) % len(WEEKDAYS)],
                place=route[i][0],
                setting=route[i][1],
                weather=skies[i],
                companion=self._companion,
                host=keepers[route[i]],
                writer=writer,
                burial=self._burial,
                lines=tuple(held),
            )
            for i, held in enumerate(lines)
        )


def _days(count: int) -> list[int]:
    """Days of one month for so many scenes, spread evenly; more than one a day if need be."""
    return [1 + (i * (_DAYS - 1)) // max(1, count - 1) for i in range(count)]


def _walk(stream: Stream, stops: list[tuple[str, str]], count: int) -> list[tuple[str, str]]:
    """A way round places and settings: a few scenes in one place, then the next place."""
    by_place: dict[str, list[str]] = {}
    for place, setting in stops:
        by_place.setdefault(place, []).append(setting)
    places, at = list(by_place), 0
    route: list[tuple[str, str]] = []
    while len(route) < count:
        place = places[at % len(places)]
        for setting in stream.shuffled(by_place[place])[: stream.between(2, 3)]:
            if not route or route[-1] != (place, setting):
                route.append((place, setting))
        at += 1
    return route[:count]


def _skies(stream: Stream, weathers: Sequence[str], days: Sequence[int]) -> list[str]:
    """One weather a day; it holds for a few days, and then it is another."""
    skies: dict[int, str] = {}
    weather = stream.choice(weathers)
    for day in days:
        if day not in skies:
            if stream.chance(_CHANGES):
                weather = stream.choice([w for w in weathers if w != weather] or weathers)
            skies[day] = weather
    return [skies[day] for day in days]
