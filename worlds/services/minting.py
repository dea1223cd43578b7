"""Fill a corpus: family after family, in the order of their places, each in one transaction.

A family is computed first and stored then, so no lock is held while it is being forged. One that
cannot be forged, or that repeats a world of the corpus, is recorded with its reason, and the next
seed derived for its place takes over. What happens at a place depends on the places before it and
on nothing else: so the same seed gives the same corpus, however often the work was interrupted and
however many processes share it. Only stories that a chat model tells come out otherwise each time.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from types import TracebackType

import django
from django.db import transaction

from worlds.core.errors import Exhausted, ForgeError, ProseError
from worlds.core.ids import FamilyId, InstanceId
from worlds.core.instance import Instance
from worlds.core.mint import (
    corpus_families,
    facts_for,
    family_instead,
    forge_family,
    mint_family,
    surfaces_of,
)
from worlds.models import Corpus, Family, LostFamily
from worlds.services.chat_endpoint import configured_endpoint
from worlds.services.chat_narrator import narrate_surfaces
from worlds.services.costing import note_cost
from worlds.services.instances import store_family

__all__ = [
    "MOST_REPLACEMENTS",
    "AheadMinter",
    "Lost",
    "Minted",
    "Minter",
    "Outcome",
    "candidate",
    "mint_missing",
    "mint_outcome",
    "minter_of",
    "open_places",
    "step_note",
]

MOST_REPLACEMENTS = 20
_PAPERS = "papers"


@dataclass(frozen=True, slots=True)
class Minted:
    """A family in every surface of a corpus, and how many attempts its world took.

    `seconds` are those of the processor, by part: `world`, `papers` and a story's burial.
    """

    family: FamilyId
    instances: tuple[Instance, ...]
    attempts: int
    deaths: Mapping[str, int]
    seconds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lost:
    """A family that could not be minted, and why."""

    family: FamilyId
    reason: str


Outcome = Minted | Lost
Minter = Callable[[FamilyId], Outcome]


def mint_outcome(
    family: FamilyId, burials: Sequence[int] = (), narrator: str = "seeded"
) -> Outcome:
    """Mint a family here and now; a failure that its seed will repeat is a value.

    Raises BadInput where a chat model is to tell its stories and the environment names none.
    """
    endpoint = configured_endpoint() if narrator == "chat" else None
    facts_for(family.genre)  # What a genre costs once is no family's share.
    seconds: dict[str, float] = {}
    instances: list[Instance] = []
    try:
        with _timed(seconds, "world"):
            forged = forge_family(family)
        for part, surfaces in _parts(family, burials):
            if endpoint and part != _PAPERS:
                instances += narrate_surfaces(surfaces, endpoint)
                continue
            with _timed(seconds, part):
                instances += mint_family(family, surfaces)
    except (ForgeError, ProseError) as error:
        return Lost(family, str(error))
    return Minted(family, tuple(instances), forged.attempts, forged.deaths, seconds)


def minter_of(corpus: Corpus) -> Minter:
    """What mints the families of a corpus as it was ordered; any process can call it.

    It holds no key: the process that mints reads its own environment.
    """
    return partial(mint_outcome, burials=tuple(corpus.burials), narrator=corpus.narrator)


def _parts(family: FamilyId, burials: Sequence[int]) -> Iterator[tuple[str, list[InstanceId]]]:
    """The surfaces of a family, those together whose cost is measured together."""
    for burial, surfaces in groupby(surfaces_of(family, burials), key=lambda s: s.burial):
        yield _PAPERS if burial is None else str(burial), list(surfaces)


@contextmanager
def _timed(seconds: dict[str, float], part: str) -> Iterator[None]:
    start = time.thread_time()
    yield
    seconds[part] = time.thread_time() - start


class AheadMinter:
    """Mints in other processes, and starts on the coming families before they are asked for.

    Use it as a context; called with a family, it returns that family's outcome.
    """

    def __init__(self, corpus: Corpus, workers: int) -> None:
        self._coming = [candidate(corpus, place) for place in open_places(corpus)]
        self._mint = minter_of(corpus)
        self._ahead = 2 * workers
        self._started: dict[FamilyId, Future[Outcome]] = {}
        self._pool = ProcessPoolExecutor(
            workers,
            # Fresh interpreters: a forked one would share this process's database connection.
            mp_context=multiprocessing.get_context("spawn"),
            initializer=django.setup,
        )

    def __enter__(self) -> AheadMinter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def __call__(self, family: FamilyId) -> Outcome:
        self._start(family)
        while self._coming and len(self._started) < self._ahead:
            self._start(self._coming.pop(0))
        return self._started.pop(family).result()

    def _start(self, family: FamilyId) -> None:
        if family in self._coming:
            self._coming.remove(family)
        if family not in self._started:
            self._started[family] = self._pool.submit(self._mint, family)


def open_places(corpus: Corpus) -> list[int]:
    """The places of a corpus that hold no family yet, in order."""
    taken = set(corpus.families.values_list("place", flat=True))
    return [place for place in range(corpus.family_count) if place not in taken]


def candidate(corpus: Corpus, place: int) -> FamilyId:
    """The family to try at a place next; raises Exhausted after too many losses there."""
    first = corpus_families(
        corpus.seed,
        corpus.family_count,
        profile=corpus.profile,
        levels=corpus.levels,
        genres=corpus.genres,
    )[place]
    losses = corpus.lost.filter(place=place).count()
    if losses > MOST_REPLACEMENTS:
        raise Exhausted(
            f"place {place + 1} of corpus {corpus.slug}",
            losses,
            {"a family lost, see the page of the corpus": losses},
        )
    if not losses:
        return first
    return family_instead(first, corpus.seed, place, losses)


def mint_missing(
    corpus: Corpus,
    *,
    minter: Minter | None = None,
    on_stored: Callable[[Family | LostFamily], None] = lambda row: None,
) -> None:
    """Fill every open place of a corpus; without a minter, in this process.

    `on_stored` is called in the transaction that stores a row: if it raises, the row is not kept.
    """
    mint = minter or minter_of(corpus)
    for place in open_places(corpus):
        stored = False
        while not stored:
            outcome = mint(candidate(corpus, place))
            with transaction.atomic():
                row = _store(corpus, place, outcome)
                on_stored(row)
            stored = isinstance(row, Family)


def step_note(row: Family | LostFamily) -> str:
    """What just happened, in a line of progress."""
    if isinstance(row, LostFamily):
        return f"lost {row.family_id}: {row.reason}"
    return f"{row.level} {row.genre}, family {row.place + 1}"


def _store(corpus: Corpus, place: int, outcome: Outcome) -> Family | LostFamily:
    """Write what came of a family, unless another process has filled its place meanwhile."""
    if filled := corpus.families.filter(place=place).first():
        return filled
    if isinstance(outcome, Minted):
        twin = corpus.families.filter(fingerprint=outcome.instances[0].fingerprint).first()
        if twin is None:
            note_cost(outcome.family, outcome.seconds)
            return store_family(
                corpus,
                place,
                outcome.family,
                outcome.instances,
                attempts=outcome.attempts,
                deaths=outcome.deaths,
            )
        outcome = Lost(outcome.family, f"the same world as {twin.family_id}, up to names")
    lost, _ = LostFamily.objects.get_or_create(
        corpus=corpus,
        family_id=str(outcome.family),
        defaults={"place": place, "reason": outcome.reason},
    )
    return lost
