"""Derive constraints that are true of an assignment: the raw material of evidence.

`propose` speaks about one term and otherwise only about terms given as known; whether the
assignment is the true world (clues, idle distractors) or another one (false distractors) is the
caller's affair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
from worlds.core.seeds import Stream

__all__ = ["SHAPES", "Deriver"]

SHAPES = (
    "pin",
    "same",
    "inequality",
    "implication",
    "all_different",
    "exactly_one",
    "arithmetic",
)
"""What can be proposed: the six classes, with equality as a pin and as sameness."""

_MOST_STEPS = 3
_MOST_DIFFERENT = 6


class Deriver:
    """Proposes true constraints over terms with known domains.

    `values` maps each term to its domain, `domain_of` to its domain's name: terms are compared
    only when they share one.
    """

    def __init__(
        self, values: Mapping[str, tuple[Value, ...]], domain_of: Mapping[str, str]
    ) -> None:
        self._values = values
        self._domain_of = domain_of

    def propose(
        self, shape: str, term: str, known: Sequence[str], truth: Assignment, stream: Stream
    ) -> Constraint | None:
        """A constraint of this shape, true under `truth`, about `term` and some known terms.

        `known` stands in order of preference: earlier terms are taken first where the shape
        leaves a choice. None when the shape says nothing here.
        """
        peers = [k for k in known if self._domain_of[k] == self._domain_of[term] and k != term]
        match shape:
            case "pin":
                return Equality(term, value=truth[term])
            case "same":
                return self._same(term, peers, truth, stream)
            case "inequality":
                return self._inequality(term, peers, truth, stream)
            case "implication":
                return self._implication(term, known, truth, stream)
            case "all_different":
                return self._all_different(term, peers, truth, stream)
            case "exactly_one":
                return self._exactly_one(term, known, truth, stream)
            case _:
                return self._arithmetic(term, peers, truth, stream)

    def true_literal(self, term: str, truth: Assignment, stream: Stream) -> Literal:
        """A literal that is true of the term, and not of every value of its domain."""
        return self.literal(term, truth, True, stream)

    def false_literal(self, term: str, truth: Assignment, stream: Stream) -> Literal:
        """A literal that is false of the term, and true of some value of its domain."""
        return self.literal(term, truth, False, stream)

    def literal(self, term: str, truth: Assignment, wanted: bool, stream: Stream) -> Literal:
        """A literal of the wanted truth that the domain alone does not decide."""
        value, values = truth[term], self._values[term]
        ordinal = isinstance(value, int)
        ops = ("=", "!=", "<", ">") if ordinal else ("=", "!=")
        weights = (5, 1, 2, 2) if ordinal else (8, 2)
        while True:
            literal = Literal(term, stream.weighted(ops, weights), stream.choice(values))
            satisfied = literal.true_values(values)
            if not 0 < len(satisfied) < len(values) or (value in satisfied) != wanted:
                continue
            if literal.op in "<>" and len(satisfied) == 1:
                # "Lower than the second of all" only dresses up an equality.
                continue
            return literal

    def _same(
        self, term: str, peers: Sequence[str], truth: Assignment, stream: Stream
    ) -> Constraint | None:
        equal = [peer for peer in peers if truth[peer] == truth[term]]
        return _equality(term, equal[0], stream) if equal else None

    def _inequality(
        self, term: str, peers: Sequence[str], truth: Assignment, stream: Stream
    ) -> Constraint | None:
        value = truth[term]
        others = [peer for peer in peers if truth[peer] != value]
        if not others or stream.chance(0.2):
            return self._inequality_to_value(term, truth, stream)
        other = others[0]
        against = truth[other]
        if isinstance(value, int) and isinstance(against, int) and stream.chance(0.85):
            here = "<" if value < against else ">"
            there = ">" if value < against else "<"
            if stream.chance(0.5):
                return Inequality(here, term, right=other)
            return Inequality(there, other, right=term)
        return Inequality("!=", *_either_order(term, other, stream))

    def _inequality_to_value(
        self, term: str, truth: Assignment, stream: Stream
    ) -> Constraint | None:
        literal = self.true_literal(term, truth, stream)
        if literal.op == "=":
            wrong = [v for v in self._values[term] if v != truth[term]]
            return Inequality("!=", term, value=stream.choice(wrong)) if wrong else None
        return Inequality(literal.op, term, value=literal.value)

    def _implication(
        self, term: str, known: Sequence[str], truth: Assignment, stream: Stream
    ) -> Constraint | None:
        others = [k for k in known if k != term]
        if not others:
            return None
        other = others[0]
        if stream.chance(0.12):
            # Read backwards: were it so here, something known to be false would follow.
            return Implication.of(
                self.false_literal(term, truth, stream), self.false_literal(other, truth, stream)
            )
        conclusion = Literal(term, "=", truth[term])
        if stream.chance(0.12):
            conclusion = self.true_literal(term, truth, stream)
        return Implication.of(self.true_literal(other, truth, stream), conclusion)

    def _all_different(
        self, term: str, peers: Sequence[str], truth: Assignment, stream: Stream
    ) -> Constraint | None:
        chosen, seen = [term], {truth[term]}
        for peer in peers:
            if truth[peer] not in seen and len(chosen) < _MOST_DIFFERENT:
                chosen.append(peer)
                seen.add(truth[peer])
        if len(chosen) < 3:
            return None
        return AllDifferent(tuple(stream.shuffled(chosen)))

    def _exactly_one(
        self, term: str, known: Sequence[str], truth: Assignment, stream: Stream
    ) -> Constraint | None:
        others = [k for k in known if k != term]
        size = stream.weighted((2, 3, 4), (3, 5, 2))
        if len(others) < size - 1:
            return None
        others = others[: size - 1]
        if stream.chance(0.8):
            literals = [Literal(term, "=", truth[term])]
            literals += [self.false_literal(other, truth, stream) for other in others]
        else:
            literals = [self.false_literal(term, truth, stream)]
            literals.append(self.true_literal(others[0], truth, stream))
            literals += [self.false_literal(other, truth, stream) for other in others[1:]]
        return ExactlyOne(tuple(stream.shuffled(literals)))

    def _arithmetic(
        self, term: str, peers: Sequence[str], truth: Assignment, stream: Stream
    ) -> Constraint | None:
        value = truth[term]
        if not isinstance(value, int):
            return None
        for other in peers:
            against = truth[other]
            assert isinstance(against, int)
            steps = value - against
            if steps == 0 or abs(steps) > _MOST_STEPS:
                continue
            form = stream.weighted(("offset", "sum", "difference"), (5, 3, 2))
            if form == "sum":
                return Arithmetic("sum", *_either_order(term, other, stream), value + against)
            if form == "difference":
                higher, lower = (term, other) if steps > 0 else (other, term)
                return Arithmetic("difference", higher, lower, abs(steps))
            if stream.chance(0.5):
                return Arithmetic("offset", term, other, steps)
            return Arithmetic("offset", other, term, -steps)
        return None


def _equality(term: str, other: str, stream: Stream) -> Equality:
    left, right = _either_order(term, other, stream)
    return Equality(left, right=right)


def _either_order(term: str, other: str, stream: Stream) -> tuple[str, str]:
    return (term, other) if stream.chance(0.5) else (other, term)
