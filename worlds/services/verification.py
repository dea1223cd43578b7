"""Recompute everything an instance claims, and name what does not hold.

Nothing stored is believed: the certificate is proved again from the constraints, the fingerprint
computed again, the papers read back by the gate. Where this generator is the one that wrote the
instance, its prompt must come out again to the byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from worlds.core.bridges import bank
from worlds.core.certify import certify
from worlds.core.codec import digest, encode_instance
from worlds.core.errors import EnigmaError
from worlds.core.fingerprint import fingerprint
from worlds.core.instance import Instance
from worlds.core.packs import pack
from worlds.core.prose.conditions import CONTRACT, printed
from worlds.core.prose.gate import findings as gate_findings
from worlds.core.prose.surface import write_surface
from worlds.core.source import source_sha256
from worlds.models import Corpus, Family
from worlds.services.instances import instance_of, sha256_of, world_of
from worlds.services.minting import open_places

__all__ = ["Finding", "Verified", "verify_corpus", "verify_instance", "verify_surface"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that does not hold: what was checked, and what is wrong with it."""

    check: str
    message: str

    def __str__(self) -> str:
        return f"{self.check}: {self.message}"


@dataclass(frozen=True, slots=True)
class Verified:
    """What was verified, by its id, and what was found; nothing found means that all holds."""

    id: str
    findings: tuple[Finding, ...]


def verify_instance(instance: Instance) -> Verified:
    """Check the world's certificate and fingerprint, and the surface."""
    return Verified(str(instance.id), (*_world_findings(instance), *_surface_findings(instance)))


def verify_surface(instance: Instance) -> Verified:
    """Check the surface alone, for an instance whose world has been checked already."""
    return Verified(str(instance.id), tuple(_surface_findings(instance)))


def verify_corpus(corpus: Corpus) -> Iterator[Verified]:
    """Check each family's world once, each of its instances, and the corpus's hash."""
    for family in corpus.families.all().iterator(chunk_size=20):
        yield from _verify_family(family)
    yield Verified(f"corpus {corpus.slug}", tuple(_corpus_findings(corpus)))


def _verify_family(family: Family) -> Iterator[Verified]:
    try:
        world = world_of(family)
    except EnigmaError as error:
        yield Verified(family.family_id, (Finding("truth", str(error)),))
        return
    rows = family.instances.with_truth().order_by("pk")
    for place, row in enumerate(rows):
        instance = instance_of(row, world)
        if place == 0:
            yield Verified(family.family_id, tuple(_world_findings(instance)))
        verified = verify_surface(instance)
        if sha256_of(encode_instance(instance)) != row.sha256:
            changed = Finding("sha256", "the stored instance is not the one that was minted")
            verified = Verified(verified.id, (*verified.findings, changed))
        yield verified


def _world_findings(instance: Instance) -> Iterator[Finding]:
    try:
        if certify(instance.world) != instance.certificate:
            yield Finding("certificate", "is not what the constraints give")
    except EnigmaError as error:
        yield Finding("certificate", str(error))
    mark = fingerprint(instance.world)
    if mark != instance.fingerprint:
        yield Finding("fingerprint", f"found {instance.fingerprint}, expected {mark}")


def _surface_findings(instance: Instance) -> Iterator[Finding]:
    if not instance.prompt.endswith(CONTRACT) and instance.contract == "inline":
        yield Finding("prompt", "does not end with the answer contract")
    if any(printed(document) not in instance.prompt for document in instance.documents):
        yield Finding("prompt", "does not hold every paper as it is stored")
    try:
        if instance.documents:
            genre = pack(instance.id.family.genre)
            for message in gate_findings(instance.world, genre, bank(), instance.documents):
                yield Finding("gate", message)
        if instance.source_sha256 == source_sha256():
            yield from _rewritten(instance)
    except EnigmaError as error:
        yield Finding("surface", str(error))


def _rewritten(instance: Instance) -> Iterator[Finding]:
    """Whether the generator that wrote this instance writes it again."""
    surface = write_surface(instance.world, instance.id)
    if surface.prompt != instance.prompt:
        yield Finding("prompt", "is not what its id gives")
    if surface.documents != instance.documents:
        yield Finding("documents", "are not what the id gives")


def _corpus_findings(corpus: Corpus) -> Iterator[Finding]:
    if missing := len(open_places(corpus)):
        yield Finding("families", f"{missing} of {corpus.family_count} are missing")
        return
    content = digest(sorted(corpus.instances.values_list("sha256", flat=True)))
    if content != corpus.sha256:
        yield Finding("sha256", f"found {corpus.sha256 or 'none'}, expected {content}")
