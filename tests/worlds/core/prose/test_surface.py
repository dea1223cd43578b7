from __future__ import annotations

import re
from functools import cache

import pytest

from tests.worlds.core.prose.mill import FACTS, mill_pack, mill_world
from worlds.core.bridges import bank
from worlds.core.errors import ForgeError, Unrenderable
from worlds.core.forge.pipeline import sample_world
from worlds.core.ids import InstanceId, parse_id
from worlds.core.levels import level_spec
from worlds.core.mint import facts_for
from worlds.core.model import CHANNELS, World
from worlds.core.packs import genres, pack
from worlds.core.packs.lint import lint
from worlds.core.prose.compiler import compile_record
from worlds.core.prose.gate import Gate
from worlds.core.prose.meaning import constraints
from worlds.core.prose.mutations import mutations
from worlds.core.prose.normal import normal, renamed
from worlds.core.prose.reader import read_prompt
from worlds.core.prose.surface import write_surface
from worlds.core.seeds import derive


@cache
def forged(genre: str, level: str, seed: int = 0) -> World:
    """A world of a genre as the forge draws it, not yet certified."""
    for attempt in range(60):
        try:
            stream = derive(seed, "surface test", level, attempt)
            return sample_world(level_spec("chain", level), pack(genre).lexicon, bank(), stream)
        except ForgeError:
            continue
    raise AssertionError(f"no world of {genre} at {level}")


def identity(genre: str, level: str, condition: str, realization: int = 1) -> InstanceId:
    return parse_id(f"ef1-chain-{level}-{genre}-s0-{condition}{realization}")


@pytest.mark.parametrize("genre", genres())
@pytest.mark.parametrize("level", ["L00", "L02", "L05"])
@pytest.mark.parametrize("condition", ["imp", "exp", "frm"])
def test_a_prompt_of_every_genre_reads_back(genre: str, level: str, condition: str) -> None:
    world = forged(genre, level)
    keys = {fact.question: fact.key for fact in bank()}
    terms = {bridge.id: keys[bridge.question] for bridge in world.bridges}
    wanted = constraints(world, bank())
    for realization in (1, 2):
        surface = write_surface(world, identity(genre, level, condition, realization))
        found = read_prompt(surface.prompt, pack(genre), bank())
        assert set(found.marks) == {v.mark for v in world.variables}
        read = [normal(renamed(c, lambda term: terms.get(term, term))) for c in found.clues]
        assert sorted(map(repr, read)) == sorted(repr(wanted[u.id]) for u in world.clues)
        assert {d: set(v) for d, v in found.domains.items()} == {
            domain.name: set(domain.values) for domain in world.domains
        }


@pytest.mark.parametrize("genre", genres())
@pytest.mark.parametrize("seed", range(4))
def test_the_first_surface_passes_the_gate(genre: str, seed: int) -> None:
    world = forged(genre, "L03", seed)
    gate = Gate(world, pack(genre), bank())
    for realization in range(3):
        stream = derive(seed, "first surface", realization)
        assert list(gate.findings(compile_record(world, pack(genre), bank(), stream))) == []


@pytest.mark.parametrize("genre", genres())
def test_all_nine_channels_are_used_from_the_third_level_up(genre: str) -> None:
    for level in ("L02", "L05"):
        surface = write_surface(forged(genre, level), identity(genre, level, "imp"))
        assert {document.channel for document in surface.documents} == set(CHANNELS)


@pytest.mark.parametrize("genre", genres())
def test_two_realizations_share_no_evidence_text(genre: str) -> None:
    world = forged(genre, "L05")
    evidence = {unit.id for unit in world.units if unit.constraint or unit.hypothesis}
    first, second = (
        {
            document.clause(span).lower()
            for document in write_surface(world, identity(genre, "L05", "imp", n)).documents
            for span in document.spans
            if span.unit in evidence
        }
        for n in (1, 2)
    )
    assert len(first & second) < len(evidence) / 10


@pytest.mark.slow
@pytest.mark.parametrize("genre", genres())
def test_every_damage_to_a_large_record_is_refused(genre: str) -> None:
    world = forged(genre, "L05")
    gate = Gate(world, pack(genre), bank())
    for document in write_surface(world, identity(genre, "L05", "imp")).documents:
        for damage in mutations(document, gate.grammar):
            refused = any(True for _ in gate.paper_findings(damage.document))
            assert refused or damage.how == "operands swapped", damage.document.text


def test_a_question_outside_the_bank_cannot_be_written() -> None:
    with pytest.raises(Unrenderable, match="Who discovered Uranus"):
        compile_record(mill_world(), mill_pack(), FACTS[1:], derive(1, "no fact"))


def test_a_world_of_another_genre_cannot_be_written() -> None:
    with pytest.raises(Unrenderable, match="has no role"):
        compile_record(mill_world(), pack("maritime"), FACTS, derive(1, "other genre"))


@pytest.mark.parametrize("genre", genres())
def test_every_note_and_subject_of_a_genre_can_be_printed(genre: str) -> None:
    """A note stands in a paper as it is, so what the gate refuses must not be offered."""
    verbs = {verb for pair in pack(genre).lexicon.verbs for verb in pair}
    names = set(pack(genre).lexicon.names)
    assert len(facts_for(genre)) >= 200
    for fact in facts_for(genre):
        assert lint(f"Found below. {fact.note}") == (), fact.key
        assert "\n" not in f"{fact.note}{fact.subject}"
        words = set(re.findall(r"[A-Za-z]+", fact.note))
        assert not words & verbs, fact.key
        assert not words & names, fact.key
