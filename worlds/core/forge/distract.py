"""Make distractors: what others say, each in the form of some clue.

A false one is true of a second world that the evidence would allow if one clue were missing: so it
is plausible, the clues together refute it, and putting it in that clue's place is a bait. An idle
one is true of the world, and nothing depends on it.

Which form a distractor has is drawn among the clues before anything is proposed. To take whatever
form comes first would favour those that often succeed, and the mix of forms would tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from worlds.core.constraints import (
    AllDifferent,
    Arithmetic,
    Assignment,
    Constraint,
    Equality,
    ExactlyOne,
    Implication,
    Inequality,
    Literal,
    Value,
)
from worlds.core.engines import Answer
from worlds.core.engines.dpll import Dpll
from worlds.core.errors import NotProved
from worlds.core.forge.derive import Deriver
from worlds.core.forge.evidence import shape_of
from worlds.core.forge.hang import table
from worlds.core.forge.sample import Draft
from worlds.core.forge.squeeze import BAN
from worlds.core.model import Bridge, DistractorKind
from worlds.core.seeds import Stream

__all__ = ["Hypothesis", "distract", "form_of"]

_TRIES = 60
_MODELS = 12


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What a distractor says, and whether the evidence refutes it."""

    constraint: Constraint
    kind: DistractorKind


def distract(
    draft: Draft,
    clues: Mapping[str, Constraint],
    bridges: Sequence[Bridge],
    engine: Dpll,
    active: Sequence[str],
    counts: tuple[int, int],
    stream: Stream,
) -> list[Hypothesis]:
    """`counts` = (false, idle) hypotheses, no two alike, no clue repeated.

    `engine` holds the evidence under `active` labels and the ban clause under BAN.
    """
    maker = _Maker(draft, clues, bridges, engine, active, stream)
    false, idle = counts
    made = [Hypothesis(maker.false(), "false") for _ in range(false)]
    made += [Hypothesis(maker.idle(), "idle") for _ in range(idle)]
    return stream.shuffled(made)


def form_of(constraint: Constraint, values: Mapping[str, Sequence[Value]]) -> tuple[object, ...]:
    """What a reader sees of a constraint before its content: its shape, sorts, signs and size."""
    match constraint:
        case Equality(left=left):
            return shape_of(constraint), _sort(left, values)
        case Inequality(op=op, left=left, right=right):
            return "inequality", _sort(left, values), op == "!=", right is None
        case Implication(rows=rows, is_table=True):
            return "table", len(rows)
        case Implication(rows=rows):
            return "implication", *(_literal_form(part, values) for row in rows for part in row)
        case AllDifferent(terms=terms):
            return "all_different", _sort(terms[0], values), len(terms)
        case ExactlyOne(literals=literals):
            return "exactly_one", len(literals), sum(_sort(x.term, values) for x in literals)
        case Arithmetic(form=form):
            return "arithmetic", form
    raise TypeError(f"a constraint of the six classes, not {constraint!r}")


def _sort(term: str, values: Mapping[str, Sequence[Value]]) -> bool:
    """Whether a term is ordinal."""
    return isinstance(values[term][0], int)


def _literal_form(literal: Literal, values: Mapping[str, Sequence[Value]]) -> tuple[bool, str]:
    return _sort(literal.term, values), literal.op


class _Maker:
    """Makes hypotheses about one world, each modelled on a clue."""

    def __init__(
        self,
        draft: Draft,
        clues: Mapping[str, Constraint],
        bridges: Sequence[Bridge],
        engine: Dpll,
        active: Sequence[str],
        stream: Stream,
    ) -> None:
        self._draft = draft
        self._bridges = {bridge.id: bridge for bridge in bridges}
        self._truth = {**draft.solution, **{bridge.id: bridge.answer for bridge in bridges}}
        self._engine = engine
        self._active = active
        self._stream = stream
        self._deriver = Deriver(draft.values, draft.domain_names)
        self._models = list(clues.values())
        self._taken = set(self._models)
        self._open = stream.shuffled(list(clues))
        self._others: dict[str, Assignment] = {}

    def false(self) -> Constraint:
        """Something false that holds in a world which one missing clue would allow.

        Every such clue is taken once. Raises NotProved when none of the forms drawn fits.
        """
        for _ in range(_MODELS):
            model = self._stream.choice(self._models)
            for label in self._open:
                other = self._other(label)
                changed = [v for v in self._draft.solution if other[v] != self._truth[v]]
                found = self._like(model, other, changed, wanted=False)
                if found is not None:
                    self._open.remove(label)
                    return found
        raise NotProved("distractor", "refuted", "no false hypothesis fits this world")

    def idle(self) -> Constraint:
        """Something true that no clue says; raises NotProved when none of the forms drawn fits."""
        everyone = list(self._draft.solution)
        for _ in range(_MODELS):
            model = self._stream.choice(self._models)
            found = self._like(model, self._truth, everyone, wanted=True)
            if found is not None:
                return found
        raise NotProved("distractor", "refuted", "no true hypothesis fits this world")

    def _other(self, label: str) -> Assignment:
        """A second world that the evidence allows without one clue; the true one if undecided."""
        known = self._others.get(label)
        if known is None:
            rest = [other for other in self._active if other != label]
            outcome = self._engine.solve([BAN], given=rest, near=self._draft.solution)
            known = self._truth
            if outcome.answer is Answer.SAT and outcome.model is not None:
                known = outcome.model
            self._others[label] = known
        return known

    def _like(
        self, model: Constraint, world: Assignment, terms: Sequence[str], *, wanted: bool
    ) -> Constraint | None:
        """A new hypothesis in the model's form, true of `world`, in truth as `wanted`."""
        values, stream = self._draft.values, self._stream
        sorts = {_sort(term, values) for term in model.scope if term in values}
        fitting = [term for term in terms if _sort(term, values) in sorts]
        form = form_of(model, values)
        for _ in range(_TRIES if fitting else 0):
            found = self._proposed(model, stream.choice(fitting), world)
            if found is None or found in self._taken or found.holds(self._truth) != wanted:
                continue
            if form_of(found, values) == form:
                self._taken.add(found)
                return found
        return None

    def _proposed(self, model: Constraint, term: str, world: Assignment) -> Constraint | None:
        """Something true of a world about a term, of the model's shape."""
        if isinstance(model, Implication) and model.is_table:
            return self._tabled(model, term, world[term])
        known = self._stream.shuffled(list(self._draft.solution))
        return self._deriver.propose(shape_of(model), term, known, world, self._stream)

    def _tabled(self, model: Implication, term: str, right: Value) -> Constraint | None:
        """A table on the model's bridge about another job, with `right` where the answer stands."""
        if term in model.scope:
            return None
        values = self._draft.values[term]
        others = self._stream.shuffled([value for value in values if value != right])
        if len(others) < len(model.rows) - 1:
            return None
        return table(term, self._bridges[model.premise.term], right, reversed(others))
