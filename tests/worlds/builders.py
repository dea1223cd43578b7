"""Small corpora of real families. A family is minted once for all tests."""

from __future__ import annotations

from functools import cache
from typing import Protocol

from worlds import services
from worlds.core.ids import FamilyId
from worlds.models import Corpus
from worlds.services.minting import Minter, Outcome

__all__ = ["OrderCorpus", "fill", "minted", "order"]


class OrderCorpus(Protocol):
    """Creates an empty corpus."""

    def __call__(self, slug: str = ..., families: int = ...) -> Corpus: ...


@cache
def minted(family: FamilyId) -> Outcome:
    """Mint a family, or remember how it came out: worth a fifth of a second each time."""
    return services.mint_outcome(family)


def order(slug: str = "harbour", families: int = 2) -> Corpus:
    """An empty corpus of the smallest worlds."""
    return services.create_corpus(
        slug, seed=7, families=families, levels=["L00"], genres=["maritime"]
    )


def fill(corpus: Corpus, minter: Minter = minted) -> Corpus:
    """The corpus with all its families and its hash."""
    services.mint_missing(corpus, minter=minter)
    return services.complete_corpus(corpus)
