"""An id says all that reproduces an instance, and nothing that is not allowed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worlds.core.errors import BadId
from worlds.core.ids import (
    CONDITIONS,
    LEVELS,
    PROFILES,
    FamilyId,
    InstanceId,
    parse_family_id,
    parse_id,
)
from worlds.core.seeds import MAX_SEED

FAMILIES = st.builds(
    FamilyId,
    profile=st.sampled_from(PROFILES),
    level=st.sampled_from(LEVELS),
    genre=st.sampled_from(["maritime", "manor", "hotel", "theater", "observatory"]),
    seed=st.integers(0, MAX_SEED),
)
INSTANCES = st.builds(
    InstanceId,
    family=FAMILIES,
    condition=st.sampled_from(list(CONDITIONS.values())),
    realization=st.integers(1, 9),
    burial=st.none() | st.integers(0, 5),
    narration=st.none() | st.from_regex(r"[0-9a-f]{8}", fullmatch=True),
    deferred=st.booleans(),
)


@given(INSTANCES)
def test_every_id_reads_back(instance: InstanceId) -> None:
    assert parse_id(str(instance)) == instance
    assert parse_family_id(str(instance.family)) == instance.family


@given(INSTANCES)
def test_every_id_fits_other_programs(instance: InstanceId) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", str(instance))


def test_the_parts_of_an_id() -> None:
    parsed = parse_id("ef1-chain-L03-maritime-s417-imp2-b3-d")
    assert parsed == InstanceId(
        FamilyId("chain", "L03", "maritime", 417), "implicit", 2, burial=3, deferred=True
    )
    assert str(parsed.in_condition("explicit")) == "ef1-chain-L03-maritime-s417-exp2-b3-d"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "an id like"),
        ("ef1-chain-L03-maritime-s417", "an id like"),
        ("ef1-chain-L03-maritime-s417-imp0", "an id like"),
        ("ef1-chain-L03-maritime-s0417-imp1", "an id like"),
        ("ef1-chain-L03-maritime-s-1-imp1", "an id like"),
        ("ef1-chain-L03-maritime-s417-imp1\n", "an id like"),
        ("ef1-chain-L03-maritime-s٤١٧-imp1", "an id like"),
        ("EF1-CHAIN-L03-MARITIME-S417-IMP1", "an id like"),
        ("ef1-chain-L03-maritime-s417-imp1-b6", "an id like"),
        ("ef2-chain-L03-maritime-s417-imp1", "expected ef1"),
        ("ef1-loop-L03-maritime-s417-imp1", "chain or case"),
        ("ef1-chain-L10-maritime-s417-imp1", "L00 to L09"),
        (f"ef1-chain-L03-maritime-s{MAX_SEED + 1}-imp1", f"from 0 to {MAX_SEED}"),
    ],
)
def test_a_wrong_id_says_what_is_allowed(text: str, expected: str) -> None:
    with pytest.raises(BadId, match=re.escape(expected)):
        parse_id(text)


def test_a_family_id_is_not_an_instance_id() -> None:
    with pytest.raises(BadId, match="an id like"):
        parse_family_id("ef1-chain-L03-maritime-s417-imp1")
