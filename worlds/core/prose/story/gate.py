"""The gate of a story: the papers' gate over one document, with the dates read from its text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from worlds.core.bridges import BridgeFact
from worlds.core.errors import GateRejected
from worlds.core.instance import Document
from worlds.core.model import World
from worlds.core.packs.model import Pack
from worlds.core.prose.extract import Order, extract
from worlds.core.prose.gate import Gate
from worlds.core.prose.notices import DATE_SAID, ORDER_ROLES, dates_said

__all__ = ["StoryGate", "check_story"]

_OF_PAPERS = ("papers", "dates")
"""Rules that go by papers and their headings; a story has its own for dates."""


def check_story(
    world: World, pack: Pack, facts: Sequence[BridgeFact], documents: Sequence[Document]
) -> None:
    """Raise GateRejected with every finding, unless the story says exactly what the world is."""
    found = tuple(StoryGate(world, pack, facts).findings(documents))
    if found:
        raise GateRejected(found)


class StoryGate:
    """Reads a story against one world; every finding is one sentence."""

    def __init__(self, world: World, pack: Pack, facts: Sequence[BridgeFact]) -> None:
        self.papers = Gate(world, pack, facts)

    def findings(self, documents: Sequence[Document]) -> Iterator[str]:
        """What is wrong with a story; nothing when it may pass."""
        if len(documents) != 1:
            yield f"a story is one document, not {len(documents)}"
            return
        for breach in self.papers.findings(documents):
            if breach.rule not in _OF_PAPERS:
                yield str(breach)
        yield from self._date_findings(documents[0])

    def _date_findings(self, document: Document) -> Iterator[str]:
        """One date stands before each order, they ascend, and the last order retires the rest."""
        statements = extract(document.text, document.channel, self.papers.grammar)
        orders = [s for s in statements if s.role in ORDER_ROLES]
        if tuple(s.role for s in orders) != ORDER_ROLES:
            yield "orders do not stand in order of date"
            return
        dates = [
            found
            for found in DATE_SAID.finditer(document.text)
            if not any(s.start <= found.start() < s.end for s in statements)
        ]
        places = [0, *(order.end for order in orders)]
        held = [
            [d for d in dates if start <= d.start() < order.start]
            for start, order in zip(places, orders, strict=False)
        ]
        if [len(one) for one in held] != [1, 1, 1] or len(dates) != len(orders):
            yield "an order does not stand under one date of its own"
            return
        days, months = [int(one[0][1]) for one in held], {one[0][2] for one in held}
        if days != sorted(set(days)) or len(months) != 1:
            yield f"the orders' dates {days} do not ascend within one month"
            return
        retired, meaning = dates_said(days[:-1], months.pop()), orders[-1].meaning
        if isinstance(meaning, Order) and meaning.replaces != retired:
            yield f"the order in force retires {meaning.replaces!r}, not {retired!r}"
