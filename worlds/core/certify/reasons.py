"""Reasons: which clues force a value, for whoever asks on a page.

A reason for a fact is a set of clues (and bridges whose answers they need) that leaves the fact no
other value, and of which none can be spared. There are many; the smallest of a few tries is kept.
In each, one clue after the other is taken away if the rest still forces the fact: first from afar
to near, then in seeded orders. So a reason depends on the world alone.

Reasons are found when somebody asks, and are no part of the certificate: those of all facts take
more than half as long as certifying the world.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from worlds.core.constraints import Inequality
from worlds.core.engines import problem_of
from worlds.core.engines.dpll import Dpll
from worlds.core.errors import NotProved
from worlds.core.model import World
from worlds.core.seeds import derive

__all__ = ["TRIES", "Reasons", "minimal_reason"]

TRIES = 3
"""How many orders of removal are tried."""


def minimal_reason(world: World, term: str, *, tries: int = TRIES) -> tuple[str, ...]:
    """What forces the true value of one variable; see `Reasons.minimal`."""
    return Reasons(world).minimal(term, tries=tries)


class Reasons:
    """A world's evidence in one engine, to be asked for the reasons of many facts."""

    def __init__(self, world: World) -> None:
        problem = problem_of(world)
        self._world = world
        self._scopes = {label: each.scope for label, each in problem.constraints.items()}
        self._engine = Dpll(problem.domains)
        for label, constraint in problem.constraints.items():
            self._engine.add(label, constraint)

    def minimal(self, term: str, *, tries: int = TRIES) -> tuple[str, ...]:
        """The ids of the clues, and of the bridges that they need, in the order of the world.

        Raises KeyError for a term that is no variable, and NotProved if the evidence does not force
        the value or the engine does not decide it.
        """
        truth = self._world.solution[term]
        denial = f"not {term}"
        if not self._engine.knows(denial):
            self._engine.add(denial, Inequality("!=", term, value=truth))
        best: tuple[str, ...] | None = None
        for order in self._orders(term, tries):
            # Guided removal would be faster, but depend on what the engine has learned before.
            core = self._engine.core(order, given=[denial], near=self._world.truth, guided=False)
            if core is None:
                raise NotProved("reason", "unknown", f"the evidence is not known to force {term}")
            if best is None or len(core) < len(best):
                best = core
        return tuple(label for label in self._scopes if label in (best or ()))

    def _orders(self, term: str, tries: int) -> Iterable[Sequence[str]]:
        """Orders of the evidence, whose last part is the first to go."""
        distance = _distances(term, self._scopes)
        yield sorted(self._scopes, key=distance.__getitem__)
        for attempt in range(1, tries):
            yield derive(0, "reason", term, attempt).shuffled(list(self._scopes))


def _distances(term: str, scopes: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """How many clues away from a term each clue lies; what has no link to it lies farthest."""
    distance = dict.fromkeys(scopes, len(scopes))
    reached, fresh, steps = {term}, {term}, 0
    while fresh:
        near = [c for c, scope in scopes.items() if distance[c] > steps and fresh & set(scope)]
        distance.update((clue, steps) for clue in near)
        fresh = {other for clue in near for other in scopes[clue]} - reached
        reached |= fresh
        steps += 1
    return distance
