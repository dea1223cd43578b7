"""Orders for corpora: what is refused, what is taken up, when a corpus is complete."""

from __future__ import annotations

from typing import Any

import pytest

from enigmaforge_site.jobs import services as jobs
from enigmaforge_site.jobs.models import Job, State
from tests.worlds.builders import OrderCorpus
from worlds import services
from worlds.core.codec import digest
from worlds.core.errors import BadInput
from worlds.models import Corpus

ORDER: dict[str, Any] = {"seed": 7, "families": 2, "levels": ["L00"], "genres": ["maritime"]}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("slug", "changes", "field", "expected"),
    [
        ("Harbour", {}, "name", "small letters"),
        ("", {}, "name", "small letters"),
        ("-harbour", {}, "name", "small letters"),
        ("h" * 65, {}, "name", "1 to 64"),
        ("new", {}, "name", "other than new"),
        ("harbour", {"seed": -1}, "seed", "from 0 to 9007199254740991"),
        ("harbour", {"seed": 2**53}, "seed", "from 0 to 9007199254740991"),
        ("harbour", {"families": 0}, "families", "from 1 to 2000"),
        ("harbour", {"families": 2001}, "families", "from 1 to 2000"),
        ("harbour", {"levels": ["L00", "L88"]}, "level", "from L00 to"),
        ("harbour", {"genres": ["moon"]}, "genre", "maritime"),
        ("harbour", {"profile": "loud"}, "profile", "chain"),
        ("harbour", {"burials": [0, 6]}, "burial", "from 0 to 5"),
        ("harbour", {"burials": [-1]}, "burial", "from 0 to 5"),
    ],
)
def test_order_out_of_range_is_refused(
    slug: str, changes: dict[str, Any], field: str, expected: str
) -> None:
    with pytest.raises(BadInput) as refused:
        services.create_corpus(slug, **ORDER | changes)
    assert refused.value.field == field
    assert expected in refused.value.expected
    assert not Corpus.objects.exists()


def test_name_is_given_once(corpus: Corpus) -> None:
    with pytest.raises(BadInput, match="a name that no other corpus has"):
        services.create_corpus(corpus.slug, **ORDER)


@pytest.mark.django_db
def test_without_levels_and_genres_it_has_the_standard_ones() -> None:
    corpus = services.create_corpus("harbour", seed=0, families=1)
    assert corpus.levels == ["L00", "L01", "L02", "L03", "L04", "L05"]
    assert "maritime" in corpus.genres


def test_same_order_takes_up_an_unfinished_corpus(order_corpus: OrderCorpus) -> None:
    corpus = order_corpus()
    assert services.take_up_corpus("harbour", profile="chain", **ORDER) == corpus


def test_other_order_does_not_take_up_an_unfinished_corpus(order_corpus: OrderCorpus) -> None:
    order_corpus()
    with pytest.raises(BadInput, match="the order it began with"):
        services.take_up_corpus("harbour", profile="chain", **ORDER | {"seed": 8})


def test_other_stories_are_another_order(order_corpus: OrderCorpus) -> None:
    order_corpus()
    with pytest.raises(BadInput, match="the order it began with"):
        services.take_up_corpus("harbour", profile="chain", **ORDER, burials=[3])


def test_hash_is_of_the_instances_in_sorted_order(corpus: Corpus) -> None:
    assert corpus.sha256 == digest(sorted(row.sha256 for row in corpus.instances.all()))


def test_incomplete_corpus_gets_no_hash(order_corpus: OrderCorpus) -> None:
    with pytest.raises(BadInput, match="2 are missing"):
        services.complete_corpus(order_corpus())


def test_complete_corpus_has_its_controls_run_once(corpus: Corpus) -> None:
    services.complete_corpus(corpus)
    job = Job.objects.get(kind="run_controls")
    assert job.payload == {"corpus_id": corpus.pk}


def test_unknown_corpus_is_answered_with_those_there_are(corpus: Corpus) -> None:
    with pytest.raises(BadInput, match="one of harbour"):
        services.find_corpus("harbor")


@pytest.mark.django_db
def test_unknown_corpus_where_there_is_none() -> None:
    with pytest.raises(BadInput, match="there is none"):
        services.find_corpus("harbour")


@pytest.mark.django_db
def test_starter_corpus_is_ordered_once() -> None:
    first = services.ensure_starter_corpus()
    second = services.ensure_starter_corpus()
    assert first == second
    assert (first.slug, first.family_count, first.seed) == ("starter", 24, 0)
    assert Job.objects.get().payload == {"corpus_id": first.pk}


@pytest.mark.django_db
def test_starter_corpus_that_failed_is_tried_again() -> None:
    services.ensure_starter_corpus()
    Job.objects.update(state=State.FAILED)
    services.ensure_starter_corpus()
    assert Job.objects.live().count() == 1


@pytest.mark.django_db
def test_starter_corpus_that_was_cancelled_stays_so() -> None:
    services.ensure_starter_corpus()
    jobs.cancel(Job.objects.get())
    services.ensure_starter_corpus()
    assert not Job.objects.live().exists()


@pytest.mark.django_db
def test_complete_starter_corpus_is_left_alone() -> None:
    services.ensure_starter_corpus()
    Job.objects.all().delete()
    Corpus.objects.update(sha256="f" * 64)
    services.ensure_starter_corpus()
    assert not Job.objects.exists()
