"""Grow the evidence of a `chain` world: a walk that unit propagation can follow.

One variable after another is settled from those settled before it, inside a sliding neighbourhood:
a few roots are stated, the rest is forced, by one clue or by two together.
"""

from __future__ import annotations

from collections.abc import Sequence

from worlds.core.constraints import Constraint, Equality, Implication, Literal, Value
from worlds.core.forge.derive import Deriver
from worlds.core.forge.evidence import Evidence
from worlds.core.forge.sample import Draft
from worlds.core.levels import LevelSpec
from worlds.core.seeds import Stream

__all__ = ["grow"]

_MIX = {
    "same": 0.17,
    "inequality": 0.13,
    "implication": 0.2,
    "all_different": 0.13,
    "exactly_one": 0.12,
    "arithmetic": 0.15,
}
_TRIES = 12
_RESTARTS = 8
_LONG_LINK = 0.08


def grow(draft: Draft, spec: LevelSpec, stream: Stream) -> Evidence:
    """Clues that settle every variable in turn, in a new order."""
    order = stream.shuffled([variable.id for variable in draft.variables])
    roots = _roots(order, spec, stream)
    walk = _Walk(draft, spec, stream)
    for term in order:
        if term in roots:
            walk.state(term)
        else:
            walk.settle(term)
    persons = [pin for pin in walk.pins if isinstance(pin.value, str)]
    walk.evidence.hooks += stream.sample(persons, spec.essential_bridges)
    return walk.evidence


def _roots(order: Sequence[str], spec: LevelSpec, stream: Stream) -> set[str]:
    """The terms that are stated: as many as the level allows, and one more for every bridge.

    The first term is one of them; the others are spread over the walk, so that every
    neighbourhood has a way in.
    """
    count = spec.pins + spec.essential_bridges
    room = max(1, len(order) // count - 1)
    places = [round(i * len(order) / count) + stream.below(room) for i in range(1, count)]
    return {order[0], *(order[min(place, len(order) - 1)] for place in places)}


class _Walk:
    """The growing evidence and what it is grown from."""

    def __init__(self, draft: Draft, spec: LevelSpec, stream: Stream) -> None:
        self.evidence = Evidence(_MIX)
        self.pins: list[Equality] = []
        self._draft = draft
        self._deriver = Deriver(draft.values, draft.domain_names)
        self._neighbourhood = spec.neighbourhood
        self._stream = stream

    def state(self, term: str) -> None:
        """State a term's value outright."""
        pin = Equality(term, value=self._draft.solution[term])
        self.pins.append(pin)
        self.evidence.clues.append(pin)
        self.evidence.depth[term] = 1

    def settle(self, term: str) -> None:
        """Add clues about one term until the settled terms leave it one value.

        An implication always settles, so it closes what luck leaves open.
        """
        truth = self._draft.solution
        used = self._found(term)
        if not used:
            premise = self._deriver.true_literal(self._preferred()[0], truth, self._stream)
            used = [Implication.of(premise, Literal(term, "=", truth[term]))]
        depth = self.evidence.depth
        parents = {other for clue in used for other in clue.scope if other != term}
        depth[term] = 1 + max((depth[parent] for parent in parents), default=0)
        self.evidence.clues += used

    def _found(self, term: str) -> list[Constraint]:
        """One clue that settles the term, or two that do so only together; none if luck fails.

        The second of two must not settle the term alone, or the first would not be needed.
        """
        for _ in range(_RESTARTS):
            first: Constraint | None = None
            left = set(self._draft.values[term])
            for _ in range(_TRIES):
                shape = self.evidence.draw_shape(self._stream)
                found = self._deriver.propose(
                    shape, term, self._preferred(), self._draft.solution, self._stream
                )
                if found is None:
                    continue
                allowed = self._allowed(found, term)
                if first is None:
                    if len(allowed) == 1:
                        return [found]
                    if allowed != left:
                        first, left = found, allowed
                elif len(allowed) > 1 and len(left & allowed) == 1:
                    return [first, found]
        return []

    def _allowed(self, constraint: Constraint, term: str) -> set[Value]:
        """The values of a term that a constraint leaves when every other term is as in truth."""
        world = dict(self._draft.solution)
        allowed = set()
        for value in self._draft.values[term]:
            world[term] = value
            if constraint.holds(world):
                allowed.add(value)
        return allowed

    def _preferred(self) -> list[str]:
        """The settled terms of the neighbourhood, deep ones more likely in front.

        Now and then one from far away leads: the long links between the affairs of a record.
        """
        depth, stream = self.evidence.depth, self._stream
        settled = list(depth)
        near = settled[-self._neighbourhood :]
        keys = {other: stream.random() * (1 + depth[other]) for other in near}
        ranked = sorted(near, key=lambda other: -keys[other])
        if len(settled) > len(near) and stream.chance(_LONG_LINK):
            ranked.insert(0, stream.choice(settled[: -self._neighbourhood]))
        return ranked
