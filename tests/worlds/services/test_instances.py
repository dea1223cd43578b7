"""What is stored is, to the byte, what was minted."""

from __future__ import annotations

import hashlib

from pytest_django import DjangoAssertNumQueries

from tests.worlds.builders import minted
from worlds import services
from worlds.core.codec import decode_instance, encode_instance
from worlds.core.ids import parse_id
from worlds.core.mint import mint
from worlds.models import Corpus
from worlds.services.minting import Minted, candidate


def test_json_from_rows_equals_the_minted_bytes(corpus: Corpus) -> None:
    for place in range(corpus.family_count):
        outcome = minted(candidate(corpus, place))
        assert isinstance(outcome, Minted)
        for instance in outcome.instances:
            row = corpus.instances.with_truth().get(sample_id=str(instance.id))
            expected = encode_instance(instance)
            assert services.instance_json(row) == expected
            assert row.sha256 == hashlib.sha256(expected.encode()).hexdigest()


def test_instance_is_read_without_a_query(
    corpus: Corpus, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    rows = list(corpus.instances.with_truth())
    with django_assert_num_queries(0):
        assert {str(services.instance_of(row).id) for row in rows} == {r.sample_id for r in rows}


def test_world_from_json_keeps_the_order_of_its_variables() -> None:
    # Canonical JSON sorts V10 before V2; an engine that sees another order does other work.
    instance = mint(parse_id("ef1-chain-L01-maritime-s12-frm1"))
    read = decode_instance(encode_instance(instance))
    assert list(read.world.solution) == [variable.id for variable in instance.world.variables]
    assert services.verify_instance(read).findings == ()
