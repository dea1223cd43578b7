"""The whole way from a family id to a certified world.

An attempt that ends in a disagreement, an undecided query or a bad shape dies and is counted; the
next one draws from its own sub-stream. So the same id takes the same attempts everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from worlds.core.bridges import BridgeFact
from worlds.core.certify import certify
from worlds.core.constraints import CLASSES, Constraint, Equality, Value
from worlds.core.engines import Problem
from worlds.core.engines.dpll import Dpll
from worlds.core.errors import Exhausted, ForgeError, NotProved
from worlds.core.forge import case, chain
from worlds.core.forge.distract import Hypothesis, distract
from worlds.core.forge.evidence import shape_of
from worlds.core.forge.hang import hang
from worlds.core.forge.sample import Draft, sample_draft
from worlds.core.forge.squeeze import BAN, minimise
from worlds.core.forge.stage import stage_policy
from worlds.core.ids import FamilyId
from worlds.core.levels import LevelSpec, level_spec
from worlds.core.lexicon import Lexicon
from worlds.core.model import Bridge, Unit, World
from worlds.core.policy import Policy
from worlds.core.seeds import Stream, derive

__all__ = ["ATTEMPTS", "Forged", "forge", "requires_first_verb", "sample_world"]

ATTEMPTS = 60
"""How many sub-streams a family may try before it is given up."""

_ALTERNATIVES = 3
_GROWERS = {"chain": chain.grow, "case": case.grow}


@dataclass(frozen=True, slots=True)
class Forged:
    """A certified world, how many attempts it took, and why the earlier ones died."""

    world: World
    certificate: Mapping[str, Any]
    attempts: int
    deaths: Mapping[str, int]


def forge(
    family: FamilyId,
    lexicon: Lexicon,
    facts: Sequence[BridgeFact],
    certifier: Callable[[World], dict[str, Any]] = certify,
) -> Forged:
    """The certified world of a family; raises Exhausted when every attempt died."""
    spec = level_spec(family.profile, family.level)
    deaths: Counter[str] = Counter()
    for attempt in range(ATTEMPTS):
        stream = derive(family.seed, "world", family.profile, family.level, family.genre, attempt)
        try:
            world = sample_world(
                spec, lexicon, facts, stream, first_verb=requires_first_verb(family)
            )
            certificate = certifier(world)
        except ForgeError as error:
            deaths[_reason(error)] += 1
            continue
        return Forged(world, certificate, attempt + 1, dict(deaths))
    raise Exhausted(str(family), ATTEMPTS, dict(deaths))


def requires_first_verb(family: FamilyId) -> bool:
    """Whether the action required has the first verb of its pair: a fair coin, tossed by the id.

    The id alone decides, whatever attempt succeeds: so a corpus can be put together half and half.
    """
    path = ("verb", family.profile, family.level, family.genre)
    return derive(family.seed, *path).chance(0.5)


def sample_world(
    spec: LevelSpec,
    lexicon: Lexicon,
    facts: Sequence[BridgeFact],
    stream: Stream,
    *,
    first_verb: bool = True,
) -> World:
    """One attempt at a world of this level, not yet certified; raises ForgeError if it dies.

    The action that it requires has the first verb of a pair, or the second.
    """
    draft = sample_draft(spec, lexicon, stream)
    bridges = _sample_bridges(spec, facts, stream)
    evidence = _GROWERS[spec.profile](draft, spec, stream)
    grown = {f"E{i}": clue for i, clue in enumerate(evidence.clues, start=1)}
    problem = Problem(draft.values, grown)
    clues = hang(draft, minimise(problem, evidence.hooks, draft.solution, stream), bridges, stream)
    _check_shape(clues, spec)
    engine = Dpll({**draft.values, **{b.id: b.options for b in bridges}})
    pinned = {b.id: Equality(b.id, value=b.answer) for b in bridges}
    for label, constraint in {**clues, **pinned}.items():
        engine.add(label, constraint)
    engine.ban(BAN, draft.solution)
    active = [*clues, *pinned]
    _check_walk(engine, active, draft, spec)
    first, second = stream.choice(lexicon.verbs)
    verbs = (first, second) if first_verb else (second, first)
    policy, apparent = stage_policy(draft, evidence.depth, clues, engine, active, verbs, stream)
    counts = (spec.false_distractors, spec.idle_distractors)
    hypotheses = distract(draft, clues, bridges, engine, active, counts, stream)
    units = _units(draft, clues, hypotheses, bridges, stream)
    return _world(draft, bridges, units, apparent, policy)


def _sample_bridges(
    spec: LevelSpec, facts: Sequence[BridgeFact], stream: Stream
) -> tuple[Bridge, ...]:
    """Facts of different topics that share no option, each with three of its alternatives."""
    count = spec.essential_bridges + spec.confirmatory_bridges
    bridges: list[Bridge] = []
    topics: set[str] = set()
    printed: set[str] = set()
    for fact in stream.shuffled(facts):
        options = {fact.answer, *fact.alternatives}
        if len(bridges) == count:
            break
        if fact.topic in topics or options & printed:
            continue
        topics.add(fact.topic)
        printed |= options
        bridges.append(
            Bridge(
                id=f"K{len(bridges)}",
                question=fact.question,
                answer=fact.answer,
                alternatives=tuple(sorted(stream.sample(fact.alternatives, _ALTERNATIVES))),
                role="essential" if len(bridges) < spec.essential_bridges else "confirmatory",
                source=fact.source,
            )
        )
    return tuple(bridges)


def _units(
    draft: Draft,
    clues: Mapping[str, Constraint],
    hypotheses: Sequence[Hypothesis],
    bridges: Sequence[Bridge],
    stream: Stream,
) -> tuple[Unit, ...]:
    """Number the evidence units; clues and distractors are mixed, so numbers tell nothing.

    Frame units follow in the order of the domains, with the testimony rule last.
    """
    mixed: list[tuple[Constraint, Hypothesis | None]] = [(c, None) for c in clues.values()]
    mixed += [(h.constraint, h) for h in hypotheses]
    units = []
    for i, (constraint, hypothesis) in enumerate(stream.shuffled(mixed), start=1):
        turns_on = next((term for term in constraint.scope if term.startswith("K")), None)
        unit = Unit(f"E{i}", "clue", constraint=constraint, bridge=turns_on)
        if hypothesis is not None:
            unit = Unit(
                f"E{i}",
                "distractor",
                hypothesis=constraint,
                kind=hypothesis.kind,
                bridge=turns_on,
            )
        units.append(unit)
    count = len(units)
    for _ in range(len(draft.domains) + 1):
        count += 1
        units.append(Unit(f"E{count}", "frame"))
    for bridge in bridges:
        if bridge.role == "confirmatory":
            count += 1
            units.append(Unit(f"E{count}", "bridge-note", bridge=bridge.id))
    units.append(Unit(f"E{count + 1}", "objective"))
    units.append(Unit(f"E{count + 2}", "provisional"))
    units.append(Unit(f"E{count + 3}", "policy"))
    return tuple(units)


def _world(
    draft: Draft,
    bridges: tuple[Bridge, ...],
    units: tuple[Unit, ...],
    apparent: str,
    policy: Policy,
) -> World:
    solution: dict[str, Value] = dict(draft.solution)
    return World(draft.domains, draft.variables, bridges, units, apparent, policy, solution)


def _check_shape(clues: Mapping[str, Constraint], spec: LevelSpec) -> None:
    """The level's size and variety, from the clues alone."""
    pins = sum(shape_of(clue) == "pin" for clue in clues.values())
    if pins > spec.pins:
        raise NotProved("shape", "refuted", "too many facts stated directly")
    if abs(len(clues) - spec.variables) > spec.slack:
        raise NotProved("shape", "refuted", "too many or too few clues")
    if spec.variables >= 20 and {c.kind for c in clues.values()} != set(CLASSES):
        raise NotProved("shape", "refuted", "a constraint class is missing")


def _check_walk(engine: Dpll, active: Sequence[str], draft: Draft, spec: LevelSpec) -> None:
    """The level's difficulty: how far unit propagation comes, and in how many rounds."""
    round_of = engine.propagate(active).round_of
    rounds = [round_of[term] for term in draft.solution if term in round_of]
    if max(rounds, default=0) < spec.depth:
        raise NotProved("inference", "refuted", "the chain is too short")
    low, high = spec.propagated
    if not low * len(draft.solution) <= len(rounds) <= high * len(draft.solution):
        raise NotProved("inference", "refuted", "unit propagation finds too many or too few facts")


def _reason(error: ForgeError) -> str:
    """A death's cause without the details of the attempt, so that equal causes are counted."""
    if isinstance(error, NotProved):
        return error.detail or f"{error.certificate} is {error.verdict}"
    return type(error).__name__
