"""What a record must state, unit by unit: the world's side of the round trip."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from worlds.core.bridges import BridgeFact
from worlds.core.constraints import Constraint
from worlds.core.errors import Unrenderable
from worlds.core.lexicon import Kind, Measure, PersonRole
from worlds.core.model import Bridge, Domain, Unit, World
from worlds.core.packs.model import Pack
from worlds.core.prose.extract import Closure, Meaning, Order, OwnVoice, Scale
from worlds.core.prose.grammar import kinds_of
from worlds.core.prose.normal import normal, on_marks, renamed, renamed_rule

__all__ = ["constraints", "fact_of", "frame_meanings", "meanings", "naming"]


def fact_of(bridge: Bridge, facts: Sequence[BridgeFact]) -> BridgeFact:
    """The bank's fact behind a bridge, found by its question."""
    for fact in facts:
        if fact.question == bridge.question:
            return fact
    raise Unrenderable(f"the bank has no fact that answers {bridge.question!r}")


def naming(world: World, facts: Sequence[BridgeFact]) -> Callable[[str], str]:
    """A naming of a world's terms for prose: marks, and keys of the bank."""
    keys = {bridge.id: fact_of(bridge, facts).key for bridge in world.bridges}
    return on_marks(world, keys.__getitem__)


def constraints(world: World, facts: Sequence[BridgeFact]) -> dict[str, Constraint]:
    """What each clue and distractor of a world says, in normal form over marks and bank keys."""
    name = naming(world, facts)
    carried = {unit.id: unit.constraint or unit.hypothesis for unit in world.units}
    return {key: normal(renamed(said, name)) for key, said in carried.items() if said is not None}


def meanings(world: World, pack: Pack, facts: Sequence[BridgeFact]) -> dict[str, Meaning]:
    """What each unit of a world says, over marks and bank keys; an order without its dates."""
    name = naming(world, facts)
    frames = iter(frame_meanings(world, pack))
    return {unit.id: _meaning(unit, world, name, frames) for unit in world.units}


def _meaning(
    unit: Unit, world: World, name: Callable[[str], str], frames: Iterator[Meaning]
) -> Meaning:
    constraint = unit.constraint or unit.hypothesis
    if constraint is not None:
        return normal(renamed(constraint, name))
    match unit.role:
        case "frame":
            return next(frames)
        case "bridge-note":
            assert unit.bridge is not None
            return name(unit.bridge)
        case "objective":
            return name(world.apparent)
        case "provisional":
            return Order(renamed_rule(world.policy.provisional, name))
        case "policy":
            return Order(renamed_rule(world.policy.rule, name))
    raise Unrenderable(f"unit {unit.id} of role {unit.role} says nothing")


def frame_meanings(world: World, pack: Pack) -> tuple[Meaning, ...]:
    """What the frame says: every domain in turn, then which statements count."""
    kinds = kinds_of(world, pack)
    return (*(_domain_meaning(domain, world, kinds) for domain in world.domains), OwnVoice())


def _domain_meaning(domain: Domain, world: World, in_play: Sequence[Kind]) -> Meaning:
    letters = {v.mark[0] for v in world.variables if v.domain == domain.name}
    kinds = [kind for kind in in_play if kind.letter in letters]
    measures = [kind for kind in kinds if isinstance(kind, Measure)]
    roles = [kind for kind in kinds if isinstance(kind, PersonRole)]
    if len(measures) == 1 and not roles:
        low, high = domain.values[0], domain.values[-1]
        assert isinstance(low, int)
        assert isinstance(high, int)
        return Scale(measures[0].key, low, high)
    rosters = {role.roster for role in roles}
    if len(rosters) != 1 or measures:
        raise Unrenderable(f"domain {domain.name} is neither one roster nor one scale")
    return Closure(
        rosters.pop(),
        tuple(sorted(role.key for role in roles)),
        tuple(sorted(str(value) for value in domain.values)),
    )
