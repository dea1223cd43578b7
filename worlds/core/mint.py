"""From an id to an instance: the one function behind every command, page and task.

A family is forged once and written out in each of its surfaces; the same id gives the same bytes
in any process.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from worlds.core.bridges import BridgeFact, bank, clear_of
from worlds.core.errors import BadInput
from worlds.core.fingerprint import fingerprint
from worlds.core.forge.pipeline import Forged, forge, requires_first_verb
from worlds.core.ids import FamilyId, InstanceId
from worlds.core.instance import Instance
from worlds.core.levels import level_spec
from worlds.core.packs import pack
from worlds.core.prose.story import SeededNarrator
from worlds.core.prose.surface import write_surfaces
from worlds.core.seeds import derive_seed
from worlds.core.source import source_sha256

__all__ = [
    "STORY_CONDITIONS",
    "SURFACES",
    "check_mintable",
    "corpus_families",
    "facts_for",
    "family_instead",
    "forge_family",
    "mint",
    "mint_family",
    "surfaces_of",
]

SURFACES = (("explicit", 1), ("explicit", 2), ("implicit", 1), ("implicit", 2), ("formal", 1))
"""The surfaces of a family in a corpus: condition and realization."""

STORY_CONDITIONS = ("explicit", "implicit")
"""The conditions in which a family is told as a story too, at each burial that a corpus has."""


def check_mintable(instance: InstanceId) -> None:
    """Raise BadInput that says what is allowed when this generator cannot mint the id."""
    level_spec(instance.family.profile, instance.family.level)
    pack(instance.family.genre)
    if instance.burial is not None and instance.condition == "formal":
        raise BadInput("burial", instance.burial, "none: the formal condition tells no story")
    if instance.narration is not None:
        told = "none: a seed does not reproduce it, so verify the stored instance instead"
        raise BadInput("narration", instance.narration, told)


@lru_cache(maxsize=4)
def forge_family(family: FamilyId) -> Forged:
    """The certified world of a family, with its genre's lexicon and the facts that fit it."""
    return forge(family, pack(family.genre).lexicon, facts_for(family.genre))


@cache
def facts_for(genre: str) -> tuple[BridgeFact, ...]:
    """The bridge bank without the facts whose words mean something else in this genre."""
    chosen = pack(genre)
    lexicon = chosen.lexicon
    nouns = [role.noun for role in lexicon.roles] + [m.occasion for m in lexicon.measures]
    verbs = [verb for pair in lexicon.verbs for verb in pair]
    return clear_of(bank(), [*lexicon.names, *chosen.bystanders, *nouns, *verbs])


def surfaces_of(family: FamilyId, burials: Iterable[int] = ()) -> tuple[InstanceId, ...]:
    """The surfaces of a family in a corpus: those in papers, then its story at each burial."""
    papers = (family.instance(*surface) for surface in SURFACES)
    stories = (
        InstanceId(family, condition, burial=burial)
        for burial in burials
        for condition in STORY_CONDITIONS
    )
    return (*papers, *stories)


def mint(instance: InstanceId) -> Instance:
    """The instance of an id; raises BadInput for an id out of range, Exhausted or ProseError."""
    return mint_family(instance.family, [instance])[0]


def mint_family(family: FamilyId, surfaces: Iterable[InstanceId]) -> tuple[Instance, ...]:
    """One world in several surfaces, in the order given."""
    wanted = tuple(surfaces)
    for instance in wanted:
        check_mintable(instance)
    forged = forge_family(family)
    mark = fingerprint(forged.world)
    return tuple(
        Instance(
            id=instance,
            world=forged.world,
            prompt=surface.prompt,
            documents=surface.documents,
            certificate=forged.certificate,
            fingerprint=mark,
            source_sha256=source_sha256(),
            narrator="none" if instance.burial is None else SeededNarrator.name,
        )
        for instance, surface in zip(wanted, write_surfaces(forged.world, wanted), strict=True)
    )


def corpus_families(
    seed: int, count: int, *, profile: str, levels: Sequence[str], genres: Sequence[str]
) -> tuple[FamilyId, ...]:
    """The families of a corpus: levels in turn, genres spread evenly over each level.

    Every family has a seed of its own, derived from the corpus seed and its place. In every genre,
    hence in the corpus, as many families require the first verb of its pair as the second, but for
    one: guessing a verb must not pay, not even by luck.
    """
    return _corpus_families(seed, count, profile, tuple(levels), tuple(genres))


@lru_cache(maxsize=4)
def _corpus_families(
    seed: int, count: int, profile: str, levels: tuple[str, ...], genres: tuple[str, ...]
) -> tuple[FamilyId, ...]:
    families: list[FamilyId] = []
    surplus: Counter[str] = Counter()
    for i in range(count):
        level, genre = levels[i % len(levels)], genres[(i // len(levels)) % len(genres)]
        drawn = FamilyId(profile, level, genre, derive_seed(seed, "corpus", i))
        first = requires_first_verb(drawn)
        # A genre pays back what it has too many of, else its level does; then the coin decides.
        owed = surplus[genre] or surplus[level]
        if owed:
            first = owed < 0
        families.append(_with_verb(drawn, first, seed, "corpus", i))
        for part in (genre, level):
            surplus[part] += 1 if first else -1
    return tuple(families)


def family_instead(lost: FamilyId, seed: int, place: int, losses: int) -> FamilyId:
    """What takes a lost family's place in a corpus of this seed, after so many losses there."""
    drawn = replace(lost, seed=derive_seed(seed, "corpus", place, "instead", losses))
    return _with_verb(drawn, requires_first_verb(lost), seed, "corpus", place, "instead", losses)


def _with_verb(drawn: FamilyId, first: bool, seed: int, *path: str | int) -> FamilyId:
    """The family if it requires the wanted verb, else the next one derived that does."""
    turn = 0
    while requires_first_verb(drawn) != first:
        turn += 1
        drawn = replace(drawn, seed=derive_seed(seed, *path, "turn", turn))
    return drawn
