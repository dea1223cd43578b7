"""Golden digests: what ids mean, kept in `golden/` so that no change of it goes unnoticed.

A file per genre, a line per family, and in it the first 16 hex digits of a SHA-256 for the world
(the canonical JSON of its truth and certificate) and for the prompt of each surface. A change that
is wanted is written down by::

    make goldens                                 # or: python -m tests.worlds.core.goldens --write

With the ids of families instead, this prints their digests as JSON; it needs nothing but z3, so
that any Python can be asked.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from worlds.core.codec import digest, truth_payload
from worlds.core.errors import Exhausted, ProseError
from worlds.core.ids import PROFILES, FamilyId, parse_family_id
from worlds.core.mint import SURFACES, mint_family
from worlds.core.packs import genres

__all__ = ["FOLDER", "LEVELS", "SEEDS", "digests_of", "families", "golden", "main", "write"]

FOLDER = Path(__file__).parent / "golden"
LEVELS = ("L00", "L01", "L02", "L03", "L04", "L05", "L09")
SEEDS = range(5)

_DIGITS = 16
_WORLD = "world"

Digests = Mapping[str, str]


def families(genre: str) -> list[FamilyId]:
    """The families of a genre that have golden digests."""
    return [
        FamilyId(profile, level, genre, seed)
        for profile in PROFILES
        for level in LEVELS
        for seed in SEEDS
    ]


def digests_of(family: FamilyId) -> Digests:
    """The digest of a family's world, and of the prompt of each of its surfaces by code.

    Which seeds give no instance, and why, belongs to what ids mean.
    """
    surfaces = [family.instance(*surface) for surface in SURFACES]
    try:
        minted = mint_family(family, surfaces)
    except (Exhausted, ProseError) as error:
        return {_WORLD: type(error).__name__}
    world = {"truth": truth_payload(minted[0].world), "certificate": minted[0].certificate}
    found = {_WORLD: digest(world)[:_DIGITS]}
    for instance in minted:
        code = str(instance.id).removeprefix(f"{family}-")
        found[code] = hashlib.sha256(instance.prompt.encode()).hexdigest()[:_DIGITS]
    return found


def golden(genre: str) -> dict[str, Digests]:
    """What the genre's file holds, by family id; nothing if there is none."""
    path = FOLDER / f"{genre}.json"
    kept: dict[str, Digests] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return kept


def write(genre: str) -> str:
    """Work out and write the genre's file; what to tell of it."""
    found = {str(family): digests_of(family) for family in families(genre)}
    lines = [f"{json.dumps(name)}: {json.dumps(digests)}" for name, digests in found.items()]
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{genre}.json"
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    barren = [name for name, digests in found.items() if set(digests) == {_WORLD}]
    return f"wrote {path.name}" + (f"; no instance of {', '.join(barren)}" if barren else "")


def main(arguments: Iterable[str]) -> None:
    """Write all files, or print the digests of the families named."""
    named = list(arguments)
    if named == ["--write"]:
        with ProcessPoolExecutor() as pool:
            for told in pool.map(write, genres()):
                sys.stdout.write(f"{told}\n")
        return
    found = {name: digests_of(parse_family_id(name)) for name in named}
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
