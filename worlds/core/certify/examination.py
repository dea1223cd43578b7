"""One world on the bench: its evidence loaded once into every engine.

What certificates share: the labels, the engines, the exact counts, and the rules for believing an
engine. An undecided query is never a pass, two engines that differ end the examination, and a model
counts as a witness only after every constraint has been asked whether it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from worlds.core.constraints import Assignment, Constraint, Value
from worlds.core.engines import Answer, Outcome, problem_of, z3_check
from worlds.core.engines.dpll import Dpll
from worlds.core.engines.enumeration import Enumeration
from worlds.core.engines.oracle import Census, Oracle
from worlds.core.errors import EnginesDisagree, NotProved
from worlds.core.model import World

__all__ = ["BAN", "ENGINES", "Engines", "Examination", "hypothesis_label"]

BAN = "another world"
"""The label of the clause that excludes the solution."""


@dataclass(frozen=True, slots=True)
class Engines:
    """The three engines of an examination; a test may plant a faulty one."""

    dpll: type[Dpll] = Dpll
    oracle: type[Oracle] = Oracle
    z3: Callable[..., Outcome] = z3_check.check


ENGINES = Engines()


def hypothesis_label(unit: str) -> str:
    """The label under which a distractor's hypothesis stands."""
    return f"hypothesis {unit}"


class Examination:
    """A world's evidence in all engines; raises NotProved if it cannot be counted."""

    def __init__(self, world: World, engines: Engines = ENGINES) -> None:
        problem = problem_of(world)
        self.world = world
        self.engines = engines
        self.truth = world.truth
        self.constraints: Mapping[str, Constraint] = problem.constraints
        self.clues = tuple(unit.id for unit in world.clues)
        self.bridges = tuple(bridge.id for bridge in world.bridges)
        self.evidence = (*self.clues, *self.bridges)
        self.hypotheses = {
            unit.id: unit.hypothesis for unit in world.distractors if unit.hypothesis is not None
        }
        self.dpll = engines.dpll(problem.domains)
        for label, constraint in problem.constraints.items():
            self.dpll.add(label, constraint)
        for unit, hypothesis in self.hypotheses.items():
            self.dpll.add(hypothesis_label(unit), hypothesis)
        self.dpll.ban(BAN, world.solution)
        self.oracle = engines.oracle(problem.domains)
        self.census = self._count()

    def _count(self) -> Census:
        census = self.oracle.census(self.constraints, self.hypotheses)
        if census is None:
            raise NotProved("uniqueness", "unknown", "the elimination is wider than its budget")
        domains: dict[str, tuple[Value, ...]] = dict(self.world.term_values)
        domains.update({bridge.id: (bridge.answer,) for bridge in self.world.bridges})
        self.enumerated = Enumeration.fits(domains)
        if self.enumerated:
            clues = {clue: self.constraints[clue] for clue in self.clues}
            tried = Enumeration(domains).count_without(clues)
            for clue in self.clues:
                if tried[clue] != census.without[clue]:
                    raise EnginesDisagree(
                        f"the models without {clue}",
                        {"elimination": census.without[clue], "enumeration": tried[clue]},
                    )
        return census

    def without(self, *labels: str) -> list[str]:
        """The evidence but for some labels."""
        return [label for label in self.evidence if label not in labels]

    def satisfiable(self, certificate: str, query: str, outcome: Outcome, models: int) -> bool:
        """Whether a query has a model, as DPLL's outcome and the oracle's count both say."""
        if outcome.answer is Answer.UNKNOWN:
            raise NotProved(certificate, "unknown", query)
        if (outcome.answer is Answer.SAT) != (models > 0):
            raise EnginesDisagree(query, {"dpll": str(outcome.answer), "oracle": models})
        return models > 0

    def witness(
        self, query: str, outcome: Outcome, holding: Iterable[Constraint]
    ) -> tuple[Assignment, dict[str, Value]]:
        """The model of an outcome and what it changes in the solution, checked by `holds`."""
        model = outcome.model
        if model is None or not all(constraint.holds(model) for constraint in holding):
            raise EnginesDisagree(query, {"dpll": str(outcome.answer), "constraints": "no model"})
        changed = {v: model[v] for v, value in self.world.solution.items() if model[v] != value}
        return model, changed
