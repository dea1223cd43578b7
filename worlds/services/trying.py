"""Try a world: a few surfaces of one or more families, side by side, without a corpus.

What is asked is named by instance ids, so a trial is found again by its request. A worker forges
it, family by family; the row keeps what came of each. Trials are working paper: old ones go.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from itertools import product
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from worlds.core.codec import canonical, digest, encode_instance, read_instance
from worlds.core.errors import BadInput, ForgeError, ProseError
from worlds.core.ids import FamilyId, InstanceId, parse_id
from worlds.core.instance import Instance
from worlds.core.mint import check_mintable, facts_for, forge_family, mint
from worlds.core.prose.survey import Repetition, repetition_of
from worlds.core.source import source_sha256
from worlds.models import Trial

__all__ = [
    "MOST_SURFACES",
    "FamilyTrial",
    "TriedSurface",
    "find_trial",
    "forget_old_trials",
    "key_of_trial",
    "open_trial",
    "surfaces_wanted",
    "tried_json",
    "tried_surfaces",
    "try_families",
]

MOST_SURFACES = 4
"""More do not stand side by side."""

_KEPT = timedelta(days=7)
_MOST_KEPT = 100

FamilyTrial = dict[str, Any]
"""What came of a family, in JSON: `family` and `surfaces`, or `family` with its `reason`."""

Work = Callable[[], FamilyTrial]


@dataclass(frozen=True, slots=True)
class TriedSurface:
    """A surface, its figures and the processor seconds of writing it; or why there is none."""

    instance: Instance | None = None
    repetition: Repetition | None = None
    seconds: float = 0.0
    reason: str = ""


def surfaces_wanted(
    families: Iterable[FamilyId],
    *,
    conditions: Sequence[str],
    realizations: Sequence[int],
    burials: Sequence[int | None],
    deferred: bool = False,
) -> tuple[InstanceId, ...]:
    """Every combination, each once: the formal condition tells no story.

    Raises BadInput for what cannot be forged, and for more than can be shown.
    """
    combinations = product(families, burials, conditions, realizations)
    wanted = tuple(
        dict.fromkeys(
            InstanceId(family, condition, realization,
                       None if condition == "formal" else burial, deferred=deferred)
            for family, burial, condition, realization in combinations
        )
    )  # fmt: skip
    if len(wanted) > MOST_SURFACES:
        expected = f"at most {MOST_SURFACES}; choose less of one thing to see more of another"
        raise BadInput("surfaces", len(wanted), expected)
    for instance in wanted:
        check_mintable(instance)
    return wanted


def key_of_trial(wanted: Sequence[InstanceId]) -> str:
    """What a request is filed under: the ids in order, and the code that would forge them."""
    return digest([source_sha256(), *map(str, wanted)])


def find_trial(wanted: Sequence[InstanceId]) -> Trial | None:
    """The trial of exactly these surfaces with its job, if it was asked for already."""
    return Trial.objects.select_related("job").filter(key=key_of_trial(wanted)).first()


def open_trial(wanted: Sequence[InstanceId], *, created_by: User | None = None) -> Trial:
    """Return the trial of these surfaces, making its row the first time."""
    trial, _ = Trial.objects.get_or_create(
        key=key_of_trial(wanted),
        defaults={"wanted": [str(instance) for instance in wanted], "created_by": created_by},
    )
    return trial


def try_families(
    trial: Trial,
    *,
    do: Callable[[str, Work], FamilyTrial] = lambda _, work: work(),
    on_stored: Callable[[int, int], None] = lambda done, total: None,
) -> Trial:
    """Forge and write what a trial lacks, family by family, and finish it.

    `do` is given a family's id and the part that touches no database, and may run it wherever it
    likes. `on_stored` is called with families done and in all, in the transaction that stores one:
    if it raises, that one is not kept.
    """
    wanted = [parse_id(text) for text in trial.wanted]
    families = list(dict.fromkeys(instance.family for instance in wanted))
    for done, family in enumerate(families, start=1):
        if str(family) in trial.families:
            continue
        own = [instance for instance in wanted if instance.family == family]
        found = do(str(family), lambda own=own: _try_family(own))  # type: ignore[misc]
        with transaction.atomic():
            trial.families[str(family)] = found["family"]
            trial.surfaces.update(found["surfaces"])
            trial.save(update_fields=("families", "surfaces"))
            on_stored(done, len(families))
    trial.finished = timezone.now()
    trial.save(update_fields=("finished",))
    forget_old_trials()
    return trial


def tried_surfaces(trial: Trial) -> dict[str, TriedSurface]:
    """What came of each surface of a finished trial, by id; those of lost families are left out."""
    return {
        sample_id: _tried(trial.surfaces[sample_id])
        for sample_id in trial.wanted
        if sample_id in trial.surfaces
    }


def tried_json(trial: Trial, sample_id: str) -> str | None:
    """The canonical JSON of a surface that a trial forged, without a line end; None without one."""
    kept = trial.surfaces.get(sample_id, {})
    return canonical(kept["instance"]) if "instance" in kept else None


def forget_old_trials() -> int:
    """Delete trials older than a week, and finished ones beyond the newest hundred; say how many.

    Costs two queries.
    """
    finished = Trial.objects.filter(finished__isnull=False)
    beyond = list(finished.order_by("-pk").values_list("pk", flat=True)[_MOST_KEPT:])
    old = Q(created__lt=timezone.now() - _KEPT) | Q(pk__in=beyond)
    return Trial.objects.filter(old).delete()[0]


def _tried(kept: Mapping[str, Any]) -> TriedSurface:
    if "reason" in kept:
        return TriedSurface(reason=kept["reason"])
    return TriedSurface(
        read_instance(kept["instance"]), Repetition(**kept["repetition"]), kept["seconds"]
    )


def _try_family(wanted: Sequence[InstanceId]) -> FamilyTrial:
    """Forge one family and write its surfaces, with the processor seconds of each."""
    family = wanted[0].family
    facts_for(family.genre)  # What a genre costs once is no world's share.
    forge_family.cache_clear()  # What is remembered would cost nothing.
    start = time.thread_time()
    try:
        forged = forge_family(family)
    except ForgeError as error:
        lost = {"reason": str(error), "seconds": time.thread_time() - start}
        return {"family": lost, "surfaces": {}}
    seconds = time.thread_time() - start
    return {
        "family": {
            "seconds": seconds,
            "attempts": forged.attempts,
            "deaths": dict(forged.deaths),
        },
        "surfaces": {str(instance): _try_surface(instance) for instance in wanted},
    }


def _try_surface(wanted: InstanceId) -> dict[str, Any]:
    start = time.thread_time()
    try:
        instance = mint(wanted)
    except ProseError as error:
        return {"reason": str(error)}
    seconds = time.thread_time() - start
    return {
        "instance": json.loads(encode_instance(instance)),
        "repetition": asdict(repetition_of(instance)),
        "seconds": seconds,
    }
