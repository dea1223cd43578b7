"""Rows to core values and back: the one place where a stored instance becomes an Instance.

The canonical JSON made from rows is, byte for byte, the one that was minted.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from worlds.core.codec import encode_instance, read_world
from worlds.core.engines import proof
from worlds.core.engines.proof import Proof
from worlds.core.ids import FamilyId, parse_id
from worlds.core.instance import Document, Instance, Span
from worlds.core.model import World
from worlds.models import Corpus, Family
from worlds.models import Instance as Row
from worlds.services.review_items import store_items

__all__ = [
    "documents_of",
    "instance_json",
    "instance_of",
    "proof_of",
    "sha256_of",
    "store_family",
    "world_of",
]


def world_of(family: Family) -> World:
    """The world of a stored family."""
    return read_world(family.truth)


def proof_of(family: Family) -> Proof:
    """The proof that a stored world is the only one, made again from the stored truth."""
    return proof.proof_of(world_of(family))


def instance_of(row: Row, world: World | None = None) -> Instance:
    """The instance that a row holds; no query if it was loaded `with_truth()`.

    Give the family's world where many of its instances are read.
    """
    family = row.family
    return Instance(
        id=parse_id(row.sample_id),
        world=world_of(family) if world is None else world,
        prompt=row.prompt,
        documents=documents_of(row.documents),
        certificate=family.certificate,
        fingerprint=family.fingerprint,
        source_sha256=family.source_sha256,
        narrator=row.narrator,
        narration=row.narration,
    )


def instance_json(row: Row) -> str:
    """The canonical JSON of a stored instance, without a line end."""
    return encode_instance(instance_of(row))


def documents_of(stored: Sequence[Mapping[str, Any]]) -> tuple[Document, ...]:
    """The documents that a row holds as JSON."""
    return tuple(
        Document(
            id=document["id"],
            number=document["number"],
            channel=document["channel"],
            heading=document["heading"],
            text=document["text"],
            spans=tuple(Span(s["unit"], s["start"], s["end"]) for s in document["spans"]),
        )
        for document in stored
    )


def sha256_of(canonical: str) -> str:
    """The digest of an instance's canonical JSON."""
    return hashlib.sha256(canonical.encode("utf-8")).hexdigest()


def store_family(
    corpus: Corpus,
    place: int,
    family_id: FamilyId,
    instances: Sequence[Instance],
    *,
    attempts: int,
    deaths: Mapping[str, int],
) -> Family:
    """Write a family and its instances; call it inside a transaction."""
    texts = [encode_instance(instance) for instance in instances]
    payloads = [json.loads(text) for text in texts]
    first = payloads[0]
    family = Family.objects.create(
        corpus=corpus,
        place=place,
        family_id=str(family_id),
        profile=family_id.profile,
        level=family_id.level,
        genre=family_id.genre,
        seed=family_id.seed,
        fingerprint=first["fingerprint"],
        truth=first["truth"],
        certificate=first["certificate"],
        certificate_status=first["certificate"]["status"],
        attempts=attempts,
        deaths=dict(deaths),
        source_sha256=first["generator"]["source_sha256"],
        clue_count=len(instances[0].world.clues),
        distractor_count=len(instances[0].world.distractors),
        rounds=first["certificate"]["inference"]["rounds"],
    )
    rows = Row.objects.bulk_create(
        _row(corpus, family, payload, text) for payload, text in zip(payloads, texts, strict=True)
    )
    store_items(family, rows)
    return family


def _row(corpus: Corpus, family: Family, payload: Mapping[str, Any], text: str) -> Row:
    same = ("level", "genre", "condition", "realization", "burial", "contract", "narrator")
    return Row(
        corpus=corpus,
        family=family,
        sample_id=payload["id"],
        prompt=payload["prompt"],
        documents=payload["documents"],
        narration=payload.get("narration"),
        sha256=sha256_of(text),
        **{key: payload[key] for key in same},
    )
