"""The figures of one instance, against counts made by other means."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from worlds.core.bridges import bank
from worlds.core.ids import FamilyId, InstanceId
from worlds.core.instance import Instance
from worlds.core.mint import mint
from worlds.core.packs import pack
from worlds.core.prose.survey import repetition_of
from worlds.core.prose.survey.records import records

FAMILY = FamilyId("chain", "L01", "manor", 3)


@cache
def minted(condition: str, burial: int | None = None) -> Instance:
    return mint(InstanceId(FAMILY, condition, burial=burial))


def test_papers_count_as_the_survey_of_a_corpus_counts_them() -> None:
    instance = minted("implicit")
    (record,) = records([instance], pack, bank())
    skeletons = [piece.plain for piece in record.pieces]
    found = repetition_of(instance)
    assert found.clauses == len(record.pieces)
    assert found.skeletons == len(set(skeletons))
    assert found.repeated == sum(skeletons.count(one) > 1 for one in skeletons)
    assert found.commonest == max(map(skeletons.count, skeletons)) / len(skeletons)
    assert found.words == len(instance.prompt.split())
    assert 0 < found.evidence < found.told < found.words


@pytest.mark.parametrize("burial", [0, 3])
def test_a_story_says_as_many_clauses_as_its_papers(burial: int) -> None:
    papers, story = repetition_of(minted("implicit")), repetition_of(minted("implicit", burial))
    assert story.clauses == papers.clauses
    assert story.bare_skeletons <= story.skeletons <= story.clauses


def test_the_deeper_a_story_is_buried_the_longer_it_is() -> None:
    told = [repetition_of(minted("implicit", burial)).told for burial in (0, 3, 5)]
    assert told == sorted(set(told))


def test_notation_has_words_and_no_clauses() -> None:
    found = repetition_of(minted("formal"))
    assert found.words > 0
    assert (found.told, found.clauses, found.commonest, found.worn) == (0, 0, 0.0, 0)


def test_clauses_that_are_said_alike_are_counted() -> None:
    instance = minted("implicit")
    document = next(d for d in instance.documents if len(d.spans) > 0)
    twice = replace(instance, documents=(*instance.documents, document))
    once, found = repetition_of(instance), repetition_of(twice)
    assert found.skeletons == once.skeletons
    assert found.repeated > once.repeated
