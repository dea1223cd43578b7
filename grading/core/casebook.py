"""What is asked about the facts that replies state, the same questions over and over per world.

Which clues do they contradict, which false reports do they believe, which bridge's wrong answer
would explain them. A question about one constraint depends on the values of its scope alone, so its
answers are kept, and a corpus of replies costs a few hundred of them per world. A question about
all the clues at once goes to the DPLL engine, and only if no clue decides it alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import product
from math import prod
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from worlds.core.constraints import Constraint, Equality, Value
from worlds.core.engines import Answer as Satisfiable
from worlds.core.engines import problem_of
from worlds.core.engines.dpll import Dpll
from worlds.core.model import World

__all__ = ["Casebook"]

_Facts: TypeAlias = Mapping[str, Value]
_Known: TypeAlias = Mapping[str, Value | None]

# How many answers a question keeps, and how many ways to fill in a clue are tried out.
_MOST_KEPT = 256
_MOST_TRIED = 64


class Casebook:
    """The questions about one world, with their answers so far."""

    def __init__(self, world: World) -> None:
        self.world = world
        # What is known of each term when nothing is stated: of bridges the answer.
        self._unstated = {**dict.fromkeys(world.term_values), **world.knowledge}
        self._bits = {term: 1 << place for place, term in enumerate(world.term_values)}
        self._truth = world.truth
        self._clues = [
            self._question(unit.id, _Contradicted(world, unit.constraint))
            for unit in world.clues
            if unit.constraint is not None
        ]
        # A report that is true misleads nobody who believes it.
        self._reports = [
            self._question(unit.id, _Believed(world, unit.hypothesis))
            for unit in world.distractors
            if unit.hypothesis is not None and not unit.hypothesis.holds(self._truth)
        ]
        self._speaking_of = {
            bridge.id: {clue.label for clue in self._clues if clue.terms & self._bits[bridge.id]}
            for bridge in world.bridges
            if bridge.role == "essential"
        }

    def wrong(self, stated: _Facts) -> int:
        """The variables that are stated otherwise than they are, as a set of bits."""
        true, wrong = self.world.solution, 0
        for term, value in stated.items():
            if value != true[term]:
                wrong |= self._bits[term]
        return wrong

    def known(self, stated: _Facts) -> _Known:
        """What is known when these facts are: of every term its value, or None."""
        return {**self._unstated, **stated}

    def contradicted(self, known: _Known, wrong: int) -> tuple[str, ...]:
        """The clues that no completion of the known facts satisfies; `wrong` as given above.

        The true world satisfies a clue that speaks of no wrong fact, so that is not asked.
        """
        return tuple(
            [
                label
                for label, terms, values, answers in self._clues
                if terms & wrong and answers[values(known)]
            ]
        )

    def adopted(self, known: _Known) -> list[str]:
        """The false reports that the known facts make true; all they speak of must be known."""
        return [label for label, _, values, answers in self._reports if answers[values(known)]]

    def missed(self, stated: _Facts, contradicted: Iterable[str]) -> list[str]:
        """The bridges that, answered wrongly, leave every clue consistent with the stated facts.

        The stated facts are not all true, so with the right answers there is no such world. A
        clue that does not speak of the bridge is contradicted whatever the bridge's answer.
        """
        return [
            bridge
            for bridge, clues in self._speaking_of.items()
            if clues.issuperset(contradicted) and self._fits(stated, bridge)
        ]

    def _fits(self, stated: _Facts, bridge: str) -> bool:
        """Whether a world has these facts and meets every clue, whatever the bridge's answer."""
        labels = [unit.id for unit in self.world.clues]
        labels += [_fact(term, value) for term, value in stated.items()]
        labels += [one.id for one in self.world.bridges if one.id != bridge]
        return _engine(self).solve(labels).answer is Satisfiable.SAT

    def _question(self, label: str, answers: _Answers) -> _Question:
        scope = answers.scope
        # A clue that is false of the true world, as in a damaged row, is always asked.
        holds = answers.constraint.holds(self._truth)
        terms = sum(self._bits[term] for term in scope) if holds else -1
        # Of a single term the getter would give the bare value.
        return _Question(label, terms, itemgetter(*scope, scope[0]), answers)


class _Answers(dict[tuple[Value | None, ...], bool], ABC):
    """The answers to a question about one constraint, by the values of its scope.

    A term of which nothing is known has None among them, and the first one stands there twice.
    What is asked for and not there is worked out.
    """

    def __init__(self, world: World, constraint: Constraint) -> None:
        self.world = world
        self.constraint = constraint
        self.scope = constraint.scope  # Some constraints work theirs out each time.

    @abstractmethod
    def work_out(self, known: _Facts) -> bool:
        """The answer, given what is known of the terms of the scope."""

    def __missing__(self, values: tuple[Value | None, ...]) -> bool:
        known: dict[str, Any] = dict(zip(self.scope, values, strict=False))
        if None in values:
            known = {term: value for term, value in known.items() if value is not None}
        answer = self.work_out(known)
        if len(self) < _MOST_KEPT:
            self[values] = answer
        return answer


class _Believed(_Answers):
    """Whether all that a report speaks of is known, and so that it is true."""

    def work_out(self, known: _Facts) -> bool:
        return len(known) == len(self.scope) and self.constraint.holds(known)


class _Contradicted(_Answers):
    """Whether a clue is false of what is known, however the rest of its scope is filled in."""

    def work_out(self, known: _Facts) -> bool:
        clue = self.constraint
        if len(known) == len(self.scope):
            return not clue.holds(known)
        if not known:
            return False
        left = [term for term in self.scope if term not in known]
        domains = [self.world.term_values[term] for term in left]
        if prod(map(len, domains)) > _MOST_TRIED:
            return self._is_refuted(known)
        filled = dict(known)
        for trial in product(*domains):
            filled.update(zip(left, trial, strict=True))
            if clue.holds(filled):
                return False
        return True

    def _is_refuted(self, known: _Facts) -> bool:
        """What the engine says, where there are too many ways to try."""
        clue = self.constraint
        engine = Dpll({term: self.world.term_values[term] for term in self.scope})
        engine.add("clue", clue)
        for term, value in known.items():
            engine.add(term, Equality(term, value=value))
        return engine.solve(["clue", *known]).answer is Satisfiable.UNSAT


class _Question(NamedTuple):
    """What is asked of every reply, ready to be asked.

    `terms` are the terms of its scope as a set of bits, all of them set if the constraint is false
    of the true world; `values` takes the values of the scope out of the facts.
    """

    label: str
    terms: int
    values: Callable[[_Known], tuple[Value | None, ...]]
    answers: _Answers


@lru_cache(maxsize=64)
def _engine(casebook: Casebook) -> Dpll:
    """An engine that knows a world's clues, its bridges' answers and every possible fact."""
    world = casebook.world
    problem = problem_of(world)
    engine = Dpll(problem.domains)
    for label, constraint in problem.constraints.items():
        engine.add(label, constraint)
    for variable in world.variables:
        for value in problem.domains[variable.id]:
            engine.add(_fact(variable.id, value), Equality(variable.id, value=value))
    return engine


def _fact(term: str, value: Value) -> str:
    """The label of a fact."""
    return f"{term} = {value}"
