"""The evidence while it grows: clues so far, and which shapes are still rare among them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from worlds.core.constraints import Constraint, Equality
from worlds.core.seeds import Stream

__all__ = ["Evidence", "shape_of"]


@dataclass(slots=True)
class Evidence:
    """The clues found so far, and for each settled term how far it lies from a root.

    `mix` is the share of the clues that each shape should have; `hooks` are the pins that are kept
    as long as possible, because a bridge may hang on them.
    """

    mix: Mapping[str, float]
    clues: list[Constraint] = field(default_factory=list)
    hooks: list[Constraint] = field(default_factory=list)
    depth: dict[str, int] = field(default_factory=dict)

    def draw_shape(self, stream: Stream, *, patient: bool = True) -> str:
        """A shape of the mix, the likelier the further its share is behind.

        Whoever is no longer `patient` gets any shape, as likely as the mix says.
        """
        if not patient:
            return stream.weighted(list(self.mix), list(self.mix.values()))
        counts = dict.fromkeys(self.mix, 0)
        for clue in self.clues:
            shape = shape_of(clue)
            if shape in counts:
                counts[shape] += 1
        wanted = len(self.clues) + 3
        weights = [max(0.1, share * wanted - counts[s]) ** 2 for s, share in self.mix.items()]
        return stream.weighted(list(self.mix), weights)


def shape_of(constraint: Constraint) -> str:
    """The shape that proposes such a constraint: its class, or `pin` or `same` for an equality."""
    if isinstance(constraint, Equality):
        return "pin" if constraint.is_pin else "same"
    return constraint.kind
