"""Recompute everything an instance claims, and name what does not hold.

Nothing stored is believed: the certificate is proved again from the constraints and the fingerprint
computed again, whatever wrote them. What this generator wrote, it must also read back through the
gate and write again to the byte. The wordings of another one it may not know: of those it checks
that every unit has its place in the papers and every paper its place in the prompt, and says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from worlds.core.bridges import bank
from worlds.core.certify import verify
from worlds.core.codec import digest, encode_instance
from worlds.core.errors import EnigmaError, GateRejected
from worlds.core.fingerprint import fingerprint
from worlds.core.instance import Instance
from worlds.core.packs import pack
from worlds.core.prose.conditions import CONTRACT, printed
from worlds.core.prose.gate import check_record
from worlds.core.prose.normal import normal, on_marks, renamed, renamed_rule
from worlds.core.prose.reader import read_prompt
from worlds.core.prose.story import check_story
from worlds.core.prose.surface import story_prompt, write_surface
from worlds.core.source import source_sha256
from worlds.models import Corpus, Family
from worlds.services.batches import in_batches
from worlds.services.instances import instance_of, sha256_of, world_of
from worlds.services.minting import open_places

__all__ = ["Finding", "Verified", "verify_corpus", "verify_instance", "verify_surface"]

_FOREIGN = "its wording was not read back: another generator wrote it"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that does not hold: what was checked, and what is wrong with it."""

    check: str
    message: str

    def __str__(self) -> str:
        return f"{self.check}: {self.message}"


@dataclass(frozen=True, slots=True)
class Verified:
    """What was verified, by its id, and what was found; nothing found means that all holds.

    `note` says what could not be checked.
    """

    id: str
    findings: tuple[Finding, ...]
    note: str = ""


def verify_instance(instance: Instance) -> Verified:
    """Check the world's certificate and fingerprint, and the surface."""
    surface = verify_surface(instance)
    return replace(surface, findings=(*_world_findings(instance), *surface.findings))


def verify_surface(instance: Instance) -> Verified:
    """Check the surface alone, for an instance whose world has been checked already."""
    note = "" if _is_ours(instance) else _FOREIGN
    return Verified(str(instance.id), tuple(_surface_findings(instance)), note)


def verify_corpus(corpus: Corpus) -> Iterator[Verified]:
    """Check each family's world once, each of its instances, and the corpus's hash."""
    for family in in_batches(corpus.families.all(), 20):
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
            verified = replace(verified, findings=(*verified.findings, changed))
        yield verified


def _world_findings(instance: Instance) -> Iterator[Finding]:
    for found in verify(instance.world, instance.certificate, work=_is_ours(instance)):
        yield Finding("certificate", str(found))
    mark = fingerprint(instance.world)
    if mark != instance.fingerprint:
        yield Finding("fingerprint", f"found {instance.fingerprint}, expected {mark}")


def _surface_findings(instance: Instance) -> Iterator[Finding]:
    if not instance.id.deferred and not instance.prompt.endswith(CONTRACT):
        yield Finding("prompt", "does not end with the answer contract")
    story = instance.id.burial is not None
    if any(printed(paper, story=story) not in instance.prompt for paper in instance.documents):
        yield Finding("prompt", "does not hold every paper as it is stored")
    if not _is_ours(instance):
        yield from _span_findings(instance)
        return
    try:
        if instance.id.condition == "formal":
            yield from _formal_findings(instance)
        else:
            genre = pack(instance.id.family.genre)
            check = check_story if story else check_record
            check(instance.world, genre, bank(), instance.documents)
        yield from _rewritten(instance) if instance.narration is None else _narrated(instance)
    except GateRejected as rejected:
        for message in rejected.findings:
            yield Finding("gate", message)
    except EnigmaError as error:
        yield Finding("surface", str(error))


def _span_findings(instance: Instance) -> Iterator[Finding]:
    """Every unit stands in the papers once; the formal condition has no papers."""
    if instance.id.condition == "formal":
        return
    placed = Counter(span.unit for document in instance.documents for span in document.spans)
    for unit in instance.world.units:
        if placed[unit.id] != 1:
            yield Finding("spans", f"{unit.id} stands in the papers {placed[unit.id]} times")


def _formal_findings(instance: Instance) -> Iterator[Finding]:
    """Whether the notation reads back as the clues and the rules of the world."""
    world = instance.world
    read = read_prompt(instance.prompt, pack(instance.id.family.genre), bank())
    name = on_marks(world, str)
    clues = {normal(renamed(unit.constraint, name)) for unit in world.clues if unit.constraint}
    if {normal(clue) for clue in read.clues} != clues:
        yield Finding("prompt", "its constraints are not the clues")
    rules = (world.policy.rule, world.policy.provisional)
    if (read.rule, read.provisional) != tuple(renamed_rule(rule, name) for rule in rules):
        yield Finding("prompt", "its rules are not those of the world")


def _is_ours(instance: Instance) -> bool:
    """Whether this very generator wrote the instance."""
    return instance.source_sha256 == source_sha256()


def _rewritten(instance: Instance) -> Iterator[Finding]:
    """Whether the generator that wrote this instance writes it again."""
    surface = write_surface(instance.world, instance.id)
    if surface.prompt != instance.prompt:
        yield Finding("prompt", "is not what its id gives")
    if surface.documents != instance.documents:
        yield Finding("documents", "are not what the id gives")


def _narrated(instance: Instance) -> Iterator[Finding]:
    """Whether a chat's story is the one of its narration, and its prompt holds just that."""
    scenes = (instance.narration or {}).get("scenes", [])
    if "\n".join(scene["text"] for scene in scenes) != instance.documents[0].text:
        yield Finding("narration", "is not the story that the document holds")
    if story_prompt(instance.world, instance.id, instance.documents) != instance.prompt:
        yield Finding("prompt", "is not the story under its condition")


def _corpus_findings(corpus: Corpus) -> Iterator[Finding]:
    if missing := len(open_places(corpus)):
        yield Finding("families", f"{missing} of {corpus.family_count} are missing")
        return
    content = digest(sorted(corpus.instances.values_list("sha256", flat=True)))
    if content != corpus.sha256:
        yield Finding("sha256", f"found {corpus.sha256 or 'none'}, expected {content}")
