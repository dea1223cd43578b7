"""Answer keys of a corpus's families, kept from one import to the next in the same process.

A key is kept under the truth that it was made from, word for word, so a truth that has changed in
the database is never graded by an old key.
"""

from __future__ import annotations

import json
from functools import lru_cache

from django.db.models import TextField
from django.db.models.functions import Cast

from grading.core.score import AnswerKey
from worlds.core.codec import read_world
from worlds.models import Corpus

__all__ = ["Keys"]

_MOST_KEPT = 512
"""A key that has graded a corpus's worth of replies is about 200 KB."""


class Keys:
    """The keys of a corpus by the primary key of their family; costs one query, when first asked.

    Holds the truth of every family as text: some 20 KB each.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._truths: dict[int, str] = {}

    def __getitem__(self, family: int) -> AnswerKey:
        if not self._truths:
            truths = self._corpus.families.values_list("pk", Cast("truth", TextField()))
            self._truths = dict(truths)
        return _key_of(self._truths[family])


@lru_cache(maxsize=_MOST_KEPT)
def _key_of(truth: str) -> AnswerKey:
    return AnswerKey.of(read_world(json.loads(truth)))
