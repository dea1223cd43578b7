"""Filling a corpus: in order, once, whatever happens in between."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.worlds.builders import OrderCorpus, minted
from worlds import services
from worlds.core.errors import Exhausted
from worlds.core.ids import FamilyId
from worlds.core.mint import family_instead
from worlds.models import Corpus, Family, LostFamily
from worlds.services.minting import (
    MOST_REPLACEMENTS,
    Lost,
    Minted,
    Outcome,
    candidate,
    open_places,
)


def _hash(corpus: Corpus) -> str:
    return services.complete_corpus(corpus).sha256


def test_every_family_is_stored_in_its_surfaces(corpus: Corpus) -> None:
    surfaces = corpus.instances.reading_order().values_list("condition", "realization")
    family = [
        ("explicit", 1),
        ("explicit", 2),
        ("formal", 1),
        ("implicit", 1),
        ("implicit", 2),
    ]
    assert list(surfaces) == family * 2
    assert open_places(corpus) == []


def test_same_seed_gives_the_same_hash(corpus: Corpus, order_corpus: OrderCorpus) -> None:
    again = order_corpus("again")
    services.mint_missing(again, minter=minted)
    assert _hash(again) == corpus.sha256


def test_other_processes_give_the_same_hash(corpus: Corpus, order_corpus: OrderCorpus) -> None:
    shared = order_corpus("shared")
    with services.AheadMinter(shared, workers=2) as minter:
        services.mint_missing(shared, minter=minter)
    assert _hash(shared) == corpus.sha256


def test_interrupted_work_goes_on_where_it_stopped(
    corpus: Corpus, order_corpus: OrderCorpus
) -> None:
    broken = order_corpus("broken")

    def stop_at_the_second(row: Family | LostFamily) -> None:
        if row.place == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        services.mint_missing(broken, minter=minted, on_stored=stop_at_the_second)
    assert open_places(broken) == [1]
    services.mint_missing(broken, minter=minted)
    assert _hash(broken) == corpus.sha256


def test_full_corpus_is_left_alone(corpus: Corpus) -> None:
    def refuse(family: FamilyId) -> Outcome:
        raise AssertionError(family)

    services.mint_missing(corpus, minter=refuse)
    assert corpus.families.count() == 2


def test_family_that_cannot_be_forged_is_recorded_and_replaced(order_corpus: OrderCorpus) -> None:
    corpus = order_corpus()
    unlucky = candidate(corpus, 1)

    def minter(family: FamilyId) -> Outcome:
        return Lost(family, "no certified world") if family == unlucky else minted(family)

    services.mint_missing(corpus, minter=minter)
    lost = corpus.lost.get()
    assert (lost.place, lost.family_id, lost.reason) == (1, str(unlucky), "no certified world")
    assert corpus.families.get(place=1).seed == family_instead(unlucky, 7, 1, 1).seed


def test_losses_repeat_for_the_same_seed(order_corpus: OrderCorpus) -> None:
    hashes = []
    for slug in ("one", "two"):
        corpus = order_corpus(slug)
        unlucky = candidate(corpus, 0)
        services.mint_missing(
            corpus,
            minter=lambda f, unlucky=unlucky: Lost(f, "died") if f == unlucky else minted(f),
        )
        hashes.append(_hash(corpus))
    assert hashes[0] == hashes[1]


def test_second_family_with_the_same_world_is_lost(order_corpus: OrderCorpus) -> None:
    corpus = order_corpus()
    first, second = candidate(corpus, 0), candidate(corpus, 1)

    def minter(family: FamilyId) -> Outcome:
        outcome = minted(first if family == second else family)
        assert isinstance(outcome, Minted)
        return replace(outcome, family=family)

    services.mint_missing(corpus, minter=minter)
    lost = corpus.lost.get()
    assert lost.family_id == str(second)
    assert lost.reason == f"the same world as {first}, up to names"


def test_place_that_never_works_ends_in_a_sentence(order_corpus: OrderCorpus) -> None:
    corpus = order_corpus()
    with pytest.raises(Exhausted, match="place 1 of corpus harbour"):
        services.mint_missing(corpus, minter=lambda family: Lost(family, "died"))
    assert corpus.lost.count() == MOST_REPLACEMENTS + 1
    assert corpus.families.count() == 0


def test_place_that_was_filled_meanwhile_is_not_filled_twice(order_corpus: OrderCorpus) -> None:
    corpus = order_corpus()

    def slow(family: FamilyId) -> Outcome:
        # While this one is computed, another process does all the work.
        services.mint_missing(corpus, minter=minted)
        return minted(family)

    services.mint_missing(corpus, minter=slow)
    assert corpus.families.count() == 2
    assert corpus.instances.count() == 10


def test_a_corpus_with_stories_has_them_beside_its_papers(corpus: Corpus) -> None:
    told = services.create_corpus(
        "told", seed=7, families=2, levels=["L00"], genres=["maritime"], burials=[2, 0, 2]
    )
    services.mint_missing(told)
    assert told.burials == [0, 2]
    assert told.surface_count == 9
    surfaces = [row.sample_id for row in told.families.get(place=0).instances.order_by("pk")]
    papers = [row.sample_id for row in corpus.families.get(place=0).instances.order_by("pk")]
    family = told.families.get(place=0).family_id
    stories = [f"{family}-{tail}" for tail in ("exp1-b0", "imp1-b0", "exp1-b2", "imp1-b2")]
    assert surfaces == [*papers, *stories]
    assert _hash(told) != corpus.sha256
    digests = set(corpus.instances.values_list("sha256", flat=True))
    assert digests <= set(told.instances.values_list("sha256", flat=True))
    assert not [found for each in services.verify_corpus(told) for found in each.findings]


@pytest.mark.django_db
def test_stories_hash_alike_from_other_processes() -> None:
    hashes = []
    for slug in ("one", "two"):
        told = services.create_corpus(
            slug, seed=7, families=1, levels=["L00"], genres=["manor"], burials=[1]
        )
        if slug == "one":
            services.mint_missing(told)
        else:
            with services.AheadMinter(told, workers=1) as minter:
                services.mint_missing(told, minter=minter)
        hashes.append(_hash(told))
    assert hashes[0] == hashes[1]
