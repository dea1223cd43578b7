"""Strengthen the evidence until one world survives, then drop what is not needed.

Growing settles one variable after another from those settled before it, inside a sliding
neighbourhood, so that unit propagation can walk the same way: a few roots are stated or hang on a
bridge, the rest is forced. Minimising then asks the engine of every clue whether it is needed,
directly stated facts first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from worlds.core.constraints import Constraint, Equality, Implication, Literal, Value
from worlds.core.engines import Answer, Problem
from worlds.core.engines.dpll import Dpll
from worlds.core.errors import NotProved
from worlds.core.forge.derive import Deriver
from worlds.core.forge.sample import Draft
from worlds.core.levels import LevelSpec
from worlds.core.model import Bridge
from worlds.core.seeds import Stream

__all__ = ["BAN", "Evidence", "grow", "minimise"]

BAN = "ban"
"""The label of the clause that excludes the true world."""

_MIX = {
    "same": 0.17,
    "inequality": 0.13,
    "implication": 0.2,
    "all_different": 0.13,
    "exactly_one": 0.12,
    "arithmetic": 0.15,
}
"""The share of the clues that each shape should have; pins and tables make up the rest."""

_SHAPES = tuple(_MIX)
_TRIES = 12
_RESTARTS = 8
_LONG_LINK = 0.08


@dataclass(slots=True)
class Evidence:
    """The clues found so far, in the order in which they settle their terms."""

    clues: list[Constraint] = field(default_factory=list)
    depth: dict[str, int] = field(default_factory=dict)

    def lacking(self) -> list[float]:
        """A weight for each shape: larger the further its share is behind the mix."""
        counts = dict.fromkeys(_MIX, 0)
        for clue in self.clues:
            shape = "same" if isinstance(clue, Equality) and not clue.is_pin else clue.kind
            if shape in counts:
                counts[shape] += 1
        wanted = len(self.clues) + 3
        return [max(0.1, share * wanted - counts[s]) ** 2 for s, share in _MIX.items()]


def grow(draft: Draft, spec: LevelSpec, bridges: Sequence[Bridge], stream: Stream) -> Evidence:
    """Clues that settle every variable in turn; essential bridges each carry one table."""
    deriver = Deriver(draft.values, draft.domain_names)
    order = stream.shuffled([variable.id for variable in draft.variables])
    roots = _roots(order, draft, spec, bridges, stream)
    evidence = Evidence()
    for term in order:
        if term in roots:
            evidence.clues.append(roots[term])
            evidence.depth[term] = 1
        else:
            _settle(term, deriver, draft, spec, evidence, stream)
    return evidence


def minimise(problem: Problem, solution: dict[str, Value], stream: Stream) -> list[str]:
    """The labels of the clues that stay when every clue that is not needed is dropped.

    Directly stated facts are tried first, then the rest in seeded order. Raises NotProved when
    the engine does not decide, or when the evidence has a second world to begin with.
    """
    engine = Dpll(problem.domains)
    for label, constraint in problem.constraints.items():
        engine.add(label, constraint)
    engine.ban(BAN, solution)
    active = dict.fromkeys([*problem.constraints, BAN])
    if engine.solve(active).answer is not Answer.UNSAT:
        raise NotProved("uniqueness", "refuted", "the derived evidence leaves a second world")
    clues = [label for label in problem.constraints if label.startswith("E")]
    for label in _pins_first(clues, problem, stream):
        del active[label]
        answer = engine.solve(active).answer
        if answer is Answer.UNKNOWN:
            raise NotProved("ablation", "unknown", f"clue {label}")
        if answer is Answer.SAT:
            active[label] = None
    return [label for label in clues if label in active]


def _pins_first(clues: Sequence[str], problem: Problem, stream: Stream) -> list[str]:
    shuffled = stream.shuffled(clues)
    return sorted(shuffled, key=lambda label: not _is_pin(problem.constraints[label]))


def _is_pin(constraint: Constraint) -> bool:
    return isinstance(constraint, Equality) and constraint.is_pin


def _roots(
    order: Sequence[str],
    draft: Draft,
    spec: LevelSpec,
    bridges: Sequence[Bridge],
    stream: Stream,
) -> dict[str, Constraint]:
    """The clues that settle a term by themselves: pins, and tables that need a bridge.

    The first term is one of them; the others are spread over the walk, so that every
    neighbourhood has a way in.
    """
    essential = [bridge for bridge in bridges if bridge.role == "essential"]
    count = spec.pins + len(essential)
    places = [round(i * len(order) / count) for i in range(count)]
    for place in range(1, count):
        room = max(1, len(order) // count - 1)
        places[place] = min(len(order) - 1, places[place] + stream.below(room))
    names = [d.name for d in draft.domains if not d.is_ordinal]
    tabled: dict[str, Bridge] = {}
    for bridge in essential:
        fitting = [
            order[place]
            for place in dict.fromkeys(places)
            if order[place] not in tabled
            and draft.domain_names[order[place]] in names
            and len(draft.values[order[place]]) >= len(bridge.options)
        ]
        if not fitting:
            raise NotProved("bridge", "refuted", "no root can hang on it")
        tabled[stream.choice(fitting)] = bridge
    return {
        order[place]: _table(order[place], tabled[order[place]], draft, stream)
        if order[place] in tabled
        else Equality(order[place], value=draft.solution[order[place]])
        for place in places
    }


def _table(term: str, bridge: Bridge, draft: Draft, stream: Stream) -> Implication:
    """One implication per option of the bridge, each to another value of the term."""
    wrong = [value for value in draft.values[term] if value != draft.solution[term]]
    others = iter(stream.shuffled(wrong))
    rows = []
    for option in bridge.options:
        value = draft.solution[term] if option == bridge.answer else next(others)
        rows.append((Literal(bridge.id, "=", option), Literal(term, "=", value)))
    return Implication(tuple(rows), is_table=True)


def _settle(
    term: str,
    deriver: Deriver,
    draft: Draft,
    spec: LevelSpec,
    evidence: Evidence,
    stream: Stream,
) -> None:
    """Add clues about one term until the settled terms leave it one value.

    An implication always settles, so it closes what luck leaves open.
    """
    used = _pair(term, deriver, draft, spec, evidence, stream)
    if not used:
        premise = deriver.true_literal(
            _preferred(term, evidence, spec, stream)[0], draft.solution, stream
        )
        used = [Implication.of(premise, Literal(term, "=", draft.solution[term]))]
    parents = {other for clue in used for other in clue.scope if other != term}
    evidence.depth[term] = 1 + max((evidence.depth[parent] for parent in parents), default=0)
    evidence.clues += used


def _pair(
    term: str,
    deriver: Deriver,
    draft: Draft,
    spec: LevelSpec,
    evidence: Evidence,
    stream: Stream,
) -> list[Constraint]:
    """One clue that settles the term, or two that do so only together; none if luck fails.

    The second of two must not settle the term alone, or the first would not be needed.
    """
    weights = evidence.lacking()
    for _ in range(_RESTARTS):
        first: Constraint | None = None
        left = set(draft.values[term])
        for _ in range(_TRIES):
            shape = stream.weighted(_SHAPES, weights)
            known = _preferred(term, evidence, spec, stream)
            found = deriver.propose(shape, term, known, draft.solution, stream)
            if found is None:
                continue
            allowed = _allowed(found, term, draft)
            if first is None:
                if len(allowed) == 1:
                    return [found]
                if allowed != left:
                    first, left = found, allowed
            elif len(allowed) > 1 and len(left & allowed) == 1:
                return [first, found]
    return []


def _allowed(constraint: Constraint, term: str, draft: Draft) -> set[Value]:
    """The values of a term that a constraint leaves when every other term is as in truth."""
    world = dict(draft.solution)
    allowed = set()
    for value in draft.values[term]:
        world[term] = value
        if constraint.holds(world):
            allowed.add(value)
    return allowed


def _preferred(term: str, evidence: Evidence, spec: LevelSpec, stream: Stream) -> list[str]:
    """The settled terms of the neighbourhood, deep ones more likely in front.

    Now and then one from far away leads: the long links between the affairs of a record.
    """
    settled = list(evidence.depth)
    near = settled[-spec.neighbourhood :]
    keys = {other: stream.random() * (1 + evidence.depth[other]) for other in near}
    ranked = sorted(near, key=lambda other: -keys[other])
    if len(settled) > len(near) and stream.chance(_LONG_LINK):
        ranked.insert(0, stream.choice(settled[: -spec.neighbourhood]))
    return ranked
