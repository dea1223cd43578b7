"""Answer keys are kept from import to import, and only while the truth is the same."""

from __future__ import annotations

from typing import Any

import pytest

from grading.services.keys import Keys
from tests.grading.builders import corpus_of, falsify
from worlds.models import Corpus
from worlds.services import world_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus() -> Corpus:
    return corpus_of()


def test_key_is_of_the_family_and_costs_one_query_for_all(
    corpus: Corpus, django_assert_num_queries: Any
) -> None:
    families = list(corpus.families.all())
    with django_assert_num_queries(1):
        keys = Keys(corpus)
        found = [keys[family.pk].world for family in families]
    assert found == [world_of(family) for family in families]


def test_key_is_made_once_for_all_imports(corpus: Corpus) -> None:
    family = corpus.families.all()[0]
    assert Keys(corpus)[family.pk] is Keys(corpus)[family.pk]


def test_truth_that_has_changed_has_another_key(corpus: Corpus) -> None:
    before = {family.pk: Keys(corpus)[family.pk] for family in corpus.families.all()}
    changed = falsify(corpus)
    after = Keys(corpus)
    assert after[changed.pk].world.solution == changed.truth["solution"]
    assert {pk for pk, key in before.items() if after[pk] is not key} == {changed.pk}
