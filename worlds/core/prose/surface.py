"""The surface of an instance: its papers and its prompt, compiled and gated.

A realization depends on the family's seed and its own number, never on the condition: `exp1` and
`imp1` share their papers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from worlds.core.bridges import BridgeFact, bank
from worlds.core.errors import GateRejected
from worlds.core.ids import InstanceId
from worlds.core.instance import Document
from worlds.core.model import World
from worlds.core.packs import Pack, pack
from worlds.core.prose.compiler import compile_record
from worlds.core.prose.conditions import write_prompt
from worlds.core.prose.gate import check_record
from worlds.core.prose.story import check_story, compile_story
from worlds.core.seeds import Stream, derive

__all__ = ["ATTEMPTS", "Surface", "story_prompt", "stream_of", "write_surface", "write_surfaces"]

ATTEMPTS = 4
"""How many surfaces are tried before the gate's last refusal stands."""


@dataclass(frozen=True, slots=True)
class Surface:
    """What a model receives, and the papers behind it (none in the formal condition)."""

    prompt: str
    documents: tuple[Document, ...]


def write_surface(
    world: World,
    instance: InstanceId,
    *,
    genre: Pack | None = None,
    facts: Sequence[BridgeFact] | None = None,
) -> Surface:
    """Write a world out under an id; raises GateRejected or Unrenderable if it cannot be.

    `genre` is the pack of the id's genre and `facts` the whole bank, unless given.
    """
    chosen = pack(instance.family.genre) if genre is None else genre
    known = bank() if facts is None else facts
    documents: tuple[Document, ...] = ()
    if instance.condition != "formal":
        documents = _gated(world, chosen, known, instance)
    return Surface(_prompt(world, chosen, instance, documents), documents)


def write_surfaces(world: World, instances: Iterable[InstanceId]) -> list[Surface]:
    """The surfaces of one world, in the order given; papers that two of them share are made once.

    All ids are of one family. Raises as `write_surface` does.
    """
    shared: dict[tuple[int, int | None], tuple[Document, ...]] = {}
    surfaces = []
    for instance in instances:
        key = (instance.realization, instance.burial)
        if instance.condition != "formal" and key in shared:
            chosen = pack(instance.family.genre)
            surface = Surface(_prompt(world, chosen, instance, shared[key]), shared[key])
        else:
            surface = write_surface(world, instance)
            if surface.documents:
                shared[key] = surface.documents
        surfaces.append(surface)
    return surfaces


def story_prompt(world: World, instance: InstanceId, documents: Sequence[Document]) -> str:
    """The prompt of a story that is told already, whoever told it."""
    return _prompt(world, pack(instance.family.genre), instance, documents)


def _prompt(world: World, chosen: Pack, instance: InstanceId, documents: Sequence[Document]) -> str:
    return write_prompt(
        world,
        chosen,
        documents,
        instance.condition,
        stream_of(instance, "prompt", 0),
        deferred=instance.deferred,
        story=instance.burial is not None,
    )


def _gated(
    world: World, chosen: Pack, facts: Sequence[BridgeFact], instance: InstanceId
) -> tuple[Document, ...]:
    """The first record or story that the gate lets through."""
    refusal = GateRejected(())
    for attempt in range(ATTEMPTS):
        try:
            return _written(world, chosen, facts, instance, attempt)
        except GateRejected as rejected:
            refusal = rejected
    raise refusal


def _written(
    world: World, chosen: Pack, facts: Sequence[BridgeFact], instance: InstanceId, attempt: int
) -> tuple[Document, ...]:
    """The record or story of one attempt; raises GateRejected."""
    if instance.burial is None:
        stream = stream_of(instance, "surface", attempt)
        documents = compile_record(world, chosen, facts, stream)
        check_record(world, chosen, facts, documents)
    else:
        stream = stream_of(instance, f"story {instance.burial}", attempt)
        documents = compile_story(world, chosen, facts, instance.burial, stream)
        check_story(world, chosen, facts, documents)
    return documents


def stream_of(instance: InstanceId, purpose: str, attempt: int) -> Stream:
    """The choices for one purpose: the same for all conditions of a realization."""
    family = instance.family
    return derive(
        family.seed,
        purpose,
        family.profile,
        family.level,
        family.genre,
        instance.realization,
        attempt,
    )
