"""From an id to an instance, and from a seed to the families of a corpus."""

from __future__ import annotations

from collections import Counter

import pytest

from worlds.core.codec import decode_instance, encode_instance
from worlds.core.errors import BadInput
from worlds.core.forge.pipeline import requires_first_verb
from worlds.core.ids import FamilyId, parse_id
from worlds.core.mint import (
    SURFACES,
    check_mintable,
    corpus_families,
    family_instead,
    mint,
    mint_family,
)
from worlds.core.packs import pack

FAMILY = FamilyId("chain", "L00", "maritime", 3)


def test_an_instance_reads_back_from_its_json() -> None:
    instance = mint(FAMILY.instance("implicit"))
    text = encode_instance(instance)
    assert encode_instance(decode_instance(text)) == text


def test_a_family_shares_its_world_and_certificate() -> None:
    minted = mint_family(FAMILY, [FAMILY.instance(*surface) for surface in SURFACES])
    assert [str(i.id).rpartition("-")[2] for i in minted] == [
        "exp1",
        "exp2",
        "imp1",
        "imp2",
        "frm1",
    ]
    assert all(i.world == minted[0].world for i in minted)
    assert len({i.fingerprint for i in minted}) == 1
    assert len({i.prompt for i in minted}) == len(minted)


def test_the_deferred_contract_is_left_out_of_the_prompt() -> None:
    inline = mint(parse_id(f"{FAMILY}-imp1"))
    deferred = mint(parse_id(f"{FAMILY}-imp1-d"))
    assert inline.contract == "inline"
    assert deferred.contract == "deferred"
    assert inline.prompt.startswith(deferred.prompt)
    assert "Reply with one JSON object" not in deferred.prompt


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ef1-chain-L00-opera-s1-imp1", "maritime"),
        ("ef1-chain-L00-maritime-s1-imp1-n0123abcd", "does not reproduce"),
    ],
)
def test_an_id_that_cannot_be_minted_says_why(text: str, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        check_mintable(parse_id(text))


def test_levels_come_in_turn_and_genres_evenly() -> None:
    families = corpus_families(
        5, 120, profile="chain", levels=[f"L0{n}" for n in range(6)], genres=["a", "b"]
    )
    assert Counter(f.level for f in families) == {f"L0{n}": 20 for n in range(6)}
    assert Counter((f.level, f.genre) for f in families) == {
        (f"L0{n}", genre): 10 for n in range(6) for genre in "ab"
    }


def test_every_family_of_a_corpus_has_a_seed_of_its_own() -> None:
    families = corpus_families(0, 500, profile="chain", levels=["L00"], genres=["a"])
    others = corpus_families(1, 500, profile="chain", levels=["L00"], genres=["a"])
    assert len({f.seed for f in (*families, *others)}) == 1000


@pytest.mark.parametrize("seed", range(6))
def test_in_every_genre_half_of_the_families_require_the_first_verb(seed: int) -> None:
    families = corpus_families(
        seed, 123, profile="chain", levels=[f"L0{n}" for n in range(6)], genres=["a", "b", "c"]
    )
    for genre in "abc":
        own = [requires_first_verb(family) for family in families if family.genre == genre]
        assert abs(2 * sum(own) - len(own)) <= 1


def test_which_verb_comes_when_cannot_be_told() -> None:
    firsts = {
        tuple(
            requires_first_verb(family)
            for family in corpus_families(s, 8, profile="chain", levels=["L00"], genres=["a"])
        )
        for s in range(200)
    }
    assert len(firsts) == 16


def test_a_family_requires_the_verb_that_its_id_says() -> None:
    for seed in range(6):
        family = FamilyId("chain", "L00", "maritime", seed)
        world = mint(family.instance("formal", 1)).world
        pairs = {pair[0] for pair in pack("maritime").lexicon.verbs}
        assert (world.action.verb in pairs) == requires_first_verb(family)


def test_what_stands_in_for_a_lost_family_requires_the_same_verb() -> None:
    lost = corpus_families(3, 1, profile="chain", levels=["L00"], genres=["a"])[0]
    instead = [family_instead(lost, 3, 0, losses) for losses in range(1, 9)]
    assert len({family.seed for family in (lost, *instead)}) == 9
    assert {requires_first_verb(family) for family in instead} == {requires_first_verb(lost)}


def test_a_longer_corpus_begins_like_a_shorter_one() -> None:
    short = corpus_families(9, 10, profile="case", levels=["L00", "L01"], genres=["a"])
    long = corpus_families(9, 40, profile="case", levels=["L00", "L01"], genres=["a"])
    assert long[:10] == short


def test_surfaces_minted_together_are_those_minted_alone() -> None:
    """Papers that two conditions share are written once; nobody can tell."""
    wanted = [FAMILY.instance(*surface) for surface in SURFACES]
    together = [encode_instance(instance) for instance in mint_family(FAMILY, wanted)]
    assert together == [encode_instance(mint(instance)) for instance in wanted]
