"""Grow the evidence of a `case` world: weak clues until no other world is left.

Counterexample-guided: as long as the engine finds a second world, a true clue is added that this
world breaks, about a variable on which it differs and its neighbours in a fixed line. Few facts are
stated, so that elimination and case analysis have to do what chaining does elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from worlds.core.constraints import Constraint, Equality, Value
from worlds.core.engines import Answer
from worlds.core.engines.dpll import Dpll
from worlds.core.errors import NotProved
from worlds.core.forge.derive import Deriver
from worlds.core.forge.evidence import Evidence, shape_of
from worlds.core.forge.sample import Draft
from worlds.core.levels import LevelSpec
from worlds.core.seeds import Stream

__all__ = ["grow"]

_MIX = {
    "pin": 0.06,
    "same": 0.1,
    "inequality": 0.18,
    "implication": 0.22,
    "all_different": 0.12,
    "exactly_one": 0.18,
    "arithmetic": 0.14,
}
_TRIES = 400
_PATIENCE = 30
_MOST_CLUES_PER_TERM = 4
_BAN = "ban"


def grow(draft: Draft, spec: LevelSpec, stream: Stream) -> Evidence:
    """Clues that together leave one world; the first few are pins for bridges to hang on."""
    order = stream.shuffled([variable.id for variable in draft.variables])
    siege = _Siege(order, draft, spec, stream)
    persons = [term for term in order if isinstance(draft.solution[term], str)]
    for term in persons[: spec.essential_bridges]:
        siege.evidence.hooks.append(siege.state(term))
    while (other := siege.other_world()) is not None:
        if len(siege.evidence.clues) > _MOST_CLUES_PER_TERM * len(order):
            raise NotProved("uniqueness", "refuted", "too many weak clues leave a second world")
        siege.exclude(other)
    siege.evidence.depth = dict.fromkeys(order, 1)
    return siege.evidence


class _Siege:
    """The growing evidence, the engine that looks for other worlds, and the fixed line."""

    def __init__(self, order: Sequence[str], draft: Draft, spec: LevelSpec, stream: Stream) -> None:
        self.evidence = Evidence(_MIX)
        self._order = order
        self._place = {term: place for place, term in enumerate(order)}
        self._draft = draft
        self._most_pins = spec.pins + spec.essential_bridges
        self._neighbourhood = spec.neighbourhood
        self._stream = stream
        self._deriver = Deriver(draft.values, draft.domain_names)
        self._engine = Dpll(draft.values)
        self._engine.ban(_BAN, draft.solution)
        self._labels = [_BAN]

    def state(self, term: str) -> Constraint:
        """State a term's value outright."""
        pin = Equality(term, value=self._draft.solution[term])
        self._add(pin)
        return pin

    def other_world(self) -> Mapping[str, Value] | None:
        """A world that the evidence allows beside the true one; None when there is none."""
        outcome = self._engine.solve(self._labels)
        if outcome.answer is Answer.UNKNOWN:
            raise NotProved("uniqueness", "unknown", "while the evidence grows")
        return outcome.model

    def exclude(self, other: Mapping[str, Value]) -> None:
        """Add a true clue that the other world breaks."""
        truth = self._draft.solution
        changed = [term for term in self._order if other[term] != truth[term]]
        for attempt in range(_TRIES):
            term = self._stream.choice(changed)
            shape = self.evidence.draw_shape(self._stream, patient=attempt < _PATIENCE)
            if shape == "pin" and self._pins() >= self._most_pins:
                continue
            near = self._near(term)
            found = self._deriver.propose(shape, term, near, truth, self._stream)
            if found is not None and not found.holds(other):
                self._add(found)
                return
        raise NotProved("uniqueness", "refuted", "no clue excludes a second world")

    def _pins(self) -> int:
        return sum(shape_of(clue) == "pin" for clue in self.evidence.clues)

    def _add(self, constraint: Constraint) -> None:
        self.evidence.clues.append(constraint)
        label = f"C{len(self._labels)}"
        self._labels.append(label)
        self._engine.add(label, constraint)

    def _near(self, term: str) -> list[str]:
        """The terms of the neighbourhood around a place in the line, in random order."""
        size = self._neighbourhood
        start = max(0, min(self._place[term] - size // 2, len(self._order) - size))
        near = self._order[start : start + size]
        return self._stream.shuffled([other for other in near if other != term])
