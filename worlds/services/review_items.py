"""Make the items of the distractor review when a family is stored.

They are few and small, so that the queue is one query: a distractor is one item per record, and
five surfaces have two records, and each story is one more.
"""

from __future__ import annotations

from collections.abc import Iterable

from worlds.models import Family, Instance, ReviewItem

__all__ = ["store_items"]

_PAPERS = -1
"""Stands before every burial."""


def store_items(family: Family, instances: Iterable[Instance]) -> None:
    """Make the items of a new family: each distractor once per record, not once per instance.

    Surfaces of one realization share their papers, and those of one burial their story; the
    implicit one stands for them.
    """
    records: dict[tuple[int, int], Instance] = {}
    for row in sorted(instances, key=lambda row: row.condition, reverse=True):
        if row.documents:
            told = _PAPERS if row.burial is None else row.burial
            records.setdefault((told, row.realization), row)
    ReviewItem.objects.bulk_create(
        ReviewItem(
            corpus_id=family.corpus_id,
            family=family,
            instance=row,
            unit=entry["unit"],
            kind=entry["kind"],
            level=family.level,
            genre=family.genre,
        )
        for _, row in sorted(records.items())
        for entry in family.certificate["distractors"]
    )
