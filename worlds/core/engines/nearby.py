"""Models close to wanted values, which is where second models are.

A wish gives every term a wanted value. With the trail as it is, its completion gives every open
term the value wanted of it, or its first live one. Most clauses hold of the wanted values anyway,
so only those that a moved term touches are looked at, and no propagation is needed to see whether
the completion is a model.
"""

from __future__ import annotations

from collections.abc import Sequence

from worlds.core.engines.trail import LEARNED, Entry, Trail

__all__ = ["Wish"]


class Wish:
    """Wanted variables, one per term, over the clauses of a trail."""

    def __init__(self, trail: Trail, wanted: Sequence[int]) -> None:
        self.wanted = list(wanted)
        self.completion = list(wanted)
        self._trail = trail
        self._violations: list[Entry] = []
        self._scanned = 0
        size = len(trail.value) // 2
        # Like the trail's `value`: 1 for what is wanted, -1 for its negation.
        self._want = [-1] * (size + 1) + [1] * size
        for variable in wanted:
            self._want[variable], self._want[-variable] = 1, -1

    def refresh(self) -> None:
        """Note which clauses the wanted values violate, of the labels added since the last time."""
        want = self._want
        labels = list(self._trail.entries)
        for label in labels[self._scanned :]:
            for entry in self._trail.entries[label]:
                if all(want[literal] < 0 for literal in entry[2]):
                    self._violations.append(entry)
        self._scanned = len(labels)

    def next_decision(self, aside: Sequence[int]) -> int:
        """A literal to decide for, or 0 if `completion` is a model.

        If the completion violates a clause, one of the clause's open literals. A term of `aside` is
        moved from its wanted value before anything else.
        """
        value, live, wanted = self._trail.value, self._trail.live, self.wanted
        if aside and all(value[wanted[term]] >= 0 for term in aside):
            for term in aside:
                if live[term] > 1:
                    return -wanted[term]
        self.completion = list(wanted)
        moved = []
        for term, variable in enumerate(wanted):
            if value[variable] < 0:
                for other in self._trail.variables[term]:
                    if value[other] >= 0:
                        self.completion[term] = other
                        moved.append((variable, other))
                        break
        violated = self._violated(moved)
        return 0 if violated is None else next(each for each in violated if value[each] == 0)

    def _violated(self, moved: Sequence[tuple[int, int]]) -> list[int] | None:
        """A clause violated by the wanted values once the moved terms go from old to new."""
        want, off = self._want, self._trail.off | LEARNED
        for old, new in moved:
            want[old] = want[-new] = -1
            want[-old] = want[new] = 1
        try:
            for old, new in moved:
                for literal in (new, -old):
                    for entry in self._trail.implied[literal]:
                        if want[entry[0]] < 0 and not entry[1] & off:
                            return entry[2]
                    for entry in self._trail.occurs[literal]:
                        if not entry[1] & off and all(want[other] < 0 for other in entry[2]):
                            return entry[2]
            for entry in self._violations:
                if not entry[1] & off and all(want[other] < 0 for other in entry[2]):
                    return entry[2]
            return None
        finally:
            for old, new in moved:
                want[old] = want[-new] = 1
                want[-old] = want[new] = -1
