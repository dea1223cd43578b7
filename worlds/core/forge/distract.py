"""Make distractors: what others say, in the same shapes as the clues.

A false one is true of a second world that the evidence would allow if one clue were missing: so it
is plausible, the clues together refute it, and putting it in that clue's place is a bait. An idle
one is true of the world, and nothing depends on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from worlds.core.constraints import Assignment, Constraint, Value
from worlds.core.engines import Answer
from worlds.core.engines.dpll import Dpll
from worlds.core.errors import NotProved
from worlds.core.forge.derive import SHAPES, Deriver
from worlds.core.forge.evidence import shape_of
from worlds.core.forge.sample import Draft
from worlds.core.forge.squeeze import BAN
from worlds.core.model import DistractorKind
from worlds.core.seeds import Stream

__all__ = ["Hypothesis", "distract"]

_TRIES = 40


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What a distractor says, and whether the evidence refutes it."""

    constraint: Constraint
    kind: DistractorKind


def distract(
    draft: Draft,
    clues: Mapping[str, Constraint],
    engine: Dpll,
    active: Sequence[str],
    counts: tuple[int, int],
    stream: Stream,
) -> list[Hypothesis]:
    """`counts` = (false, idle) hypotheses, no two alike, no clue repeated.

    `engine` holds the evidence under `active` labels and the ban clause under BAN.
    """
    deriver = Deriver(draft.values, draft.domain_names)
    taken = set(clues.values())
    made: list[Hypothesis] = []
    weights = _shape_weights(clues)
    for label in stream.shuffled(list(clues)):
        if len(made) == counts[0]:
            break
        rest = [other for other in active if other != label]
        outcome = engine.solve([BAN], given=rest, near=draft.solution)
        if outcome.answer is not Answer.SAT or outcome.model is None:
            continue
        found = _false(draft, deriver, outcome.model, taken, weights, stream)
        if found is not None:
            taken.add(found)
            made.append(Hypothesis(found, "false"))
    while len(made) < sum(counts):
        found = _idle(draft, deriver, taken, weights, stream)
        if found is None or len(made) < counts[0]:
            raise NotProved("distractor", "refuted", "no hypothesis fits this world")
        taken.add(found)
        made.append(Hypothesis(found, "idle"))
    return stream.shuffled(made)


def _shape_weights(clues: Mapping[str, Constraint]) -> list[int]:
    """How often each shape occurs among the clues, so that distractors look alike."""
    counts = dict.fromkeys(SHAPES, 1)
    for clue in clues.values():
        counts[shape_of(clue)] += 1
    return list(counts.values())


def _false(
    draft: Draft,
    deriver: Deriver,
    other: Assignment,
    taken: set[Constraint],
    weights: Sequence[int],
    stream: Stream,
) -> Constraint | None:
    """Something true of the other world and false of the true one."""
    changed = [v.id for v in draft.variables if other[v.id] != draft.solution[v.id]]
    return _first(draft, deriver, other, changed, taken, weights, stream, wanted=False)


def _idle(
    draft: Draft,
    deriver: Deriver,
    taken: set[Constraint],
    weights: Sequence[int],
    stream: Stream,
) -> Constraint | None:
    """Something true of the true world that no clue says."""
    terms = [variable.id for variable in draft.variables]
    return _first(draft, deriver, draft.solution, terms, taken, weights, stream, wanted=True)


def _first(
    draft: Draft,
    deriver: Deriver,
    world: Mapping[str, Value],
    terms: Sequence[str],
    taken: set[Constraint],
    weights: Sequence[int],
    stream: Stream,
    *,
    wanted: bool,
) -> Constraint | None:
    """A new proposal, true of `world`, whose truth in the draft's solution is as wanted."""
    everyone = [variable.id for variable in draft.variables]
    for _ in range(_TRIES):
        term = stream.choice(terms)
        shape = stream.weighted(SHAPES, weights)
        found = deriver.propose(shape, term, stream.shuffled(everyone), world, stream)
        if found is not None and found not in taken and found.holds(draft.solution) == wanted:
            return found
    return None
