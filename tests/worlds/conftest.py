"""Fixtures of the worlds app. Django is not set up yet when this is read, so imports wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.worlds.builders import OrderCorpus
    from worlds.models import Corpus, Instance


@pytest.fixture
def order_corpus(db: None) -> OrderCorpus:
    """Return a function that creates an empty corpus of the smallest worlds."""
    from tests.worlds.builders import order

    return order


@pytest.fixture
def corpus(order_corpus: OrderCorpus) -> Corpus:
    """Return a complete corpus of two families."""
    from tests.worlds.builders import fill

    return fill(order_corpus())


@pytest.fixture
def implicit(corpus: Corpus) -> Instance:
    """Return an implicit instance of the corpus, with its truth."""
    return corpus.instances.with_truth().in_condition("implicit").reading_order()[0]
