"""What a page may ask of a world: why a fact is so, and what there would be without a clue.

Neither is stored. A reason is searched for when somebody asks; a second world is the witness of the
clue's ablation, laid beside the true one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from worlds.core.certify.reasons import minimal_reason
from worlds.core.constraints import Value
from worlds.core.model import World
from worlds.services.evidence import Statement, action_in_words, statements_of

__all__ = ["BothWorlds", "Reason", "SideBySide", "reason_of", "world_without"]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a fact is as it is: units and bridges of which none can be spared."""

    mark: str
    value: Value
    statements: tuple[Statement, ...]

    @property
    def units(self) -> tuple[str, ...]:
        """The ids of what forces the fact."""
        return tuple(statement.id for statement in self.statements)


@dataclass(frozen=True, slots=True)
class BothWorlds:
    """One fact, or one bridge's answer, in the true world and in a second one."""

    mark: str
    role: str
    true: Value
    other: Value

    @property
    def differs(self) -> bool:
        """Whether the two worlds disagree here."""
        return self.true != self.other


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The true world and one of those that fit the record without a clue."""

    clue: Statement
    models: int
    load_bits: float
    differing: tuple[BothWorlds, ...]
    same: tuple[BothWorlds, ...]
    action: str
    other_action: str


def reason_of(world: World, mark: str) -> Reason | None:
    """A smallest set of evidence that forces the fact of a mark; None if no fact has the mark.

    Costs a few milliseconds at 42 variables; found when somebody asks, and not stored.
    """
    for variable in world.variables:
        if variable.mark == mark:
            forcing = minimal_reason(world, variable.id)
            return Reason(mark, world.solution[variable.id], statements_of(world, forcing))
    return None


def world_without(world: World, certificate: Mapping[str, Any], clue: str) -> SideBySide | None:
    """Both worlds of a clue's ablation; None if the record has no such clue."""
    proof = next((each for each in certificate["ablations"] if each["unit"] == clue), None)
    if proof is None:
        return None
    truth = world.truth
    other = {**truth, **proof["witness"]}
    roles = {variable.id: variable.role for variable in world.variables}
    roles |= {bridge.id: bridge.question for bridge in world.bridges}
    rows = [
        BothWorlds(world.mark_of(term), roles[term], truth[term], other[term])
        for term in world.term_values
    ]
    return SideBySide(
        clue=statements_of(world, [clue])[0],
        models=proof["models_without"],
        load_bits=proof["load_bits"],
        differing=tuple(row for row in rows if row.differs),
        same=tuple(row for row in rows if not row.differs),
        action=action_in_words(world.action),
        other_action=action_in_words(world.action_on(other)),
    )
