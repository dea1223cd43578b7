"""Ask people to review: who may ask whom, and how items are spread over them.

An assignment is a request. Whoever may judge a corpus can take up any of its items.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from django.contrib.auth.models import User

from worlds.core.errors import BadInput
from worlds.core.seeds import derive
from worlds.models import Corpus, ReviewAssignment
from worlds.services.reviewing import may_judge

__all__ = ["assign_items", "may_assign", "reviewers_of"]

_BATCH = 2000


def may_assign(user: User, corpus: Corpus) -> bool:
    """Whether this person may ask others to review: who made the corpus, and the staff."""
    return user.is_staff or corpus.created_by_id == user.pk


def reviewers_of(corpus: Corpus) -> Sequence[User]:
    """Who can be asked to review a corpus: everybody but the one who made it."""
    people = User.objects.filter(is_active=True).exclude(pk=corpus.created_by_id or 0)
    return list(people.order_by("username"))


def assign_items(
    corpus: Corpus, *, reviewers: Collection[User], each: int, assigned_by: User
) -> int:
    """Ask people to judge the items of a corpus, each item by `each` of them; how many were asked.

    Earlier assignments stay and count; whoever has the fewest items is next, so the shares differ
    by one at most. Takes two seconds for 40,000 of them. Raises BadInput.
    """
    if not 1 <= each <= len(reviewers):
        expected = f"a whole number from 1 to {len(reviewers)}, the people chosen"
        raise BadInput("each", each, expected if reviewers else "at least one person to choose")
    if not all(may_judge(person, corpus) for person in reviewers):
        raise BadInput("reviewers", corpus.created_by, "people who did not forge this corpus")
    earlier = ReviewAssignment.objects.filter(item__corpus=corpus)
    chosen = _shares(
        corpus, earlier.values_list("item", "reviewer"), [each.pk for each in reviewers], each
    )
    rows = [
        ReviewAssignment(item_id=item, reviewer_id=person, assigned_by=assigned_by)
        for item, person in chosen
    ]
    # Whoever assigns at the same moment may have made some of these already.
    ReviewAssignment.objects.bulk_create(rows, batch_size=_BATCH, ignore_conflicts=True)
    return len(rows)


def _shares(
    corpus: Corpus, earlier: Iterable[tuple[int, int]], people: Sequence[int], each: int
) -> list[tuple[int, int]]:
    """Pairs of item and person to add. A seeded order settles ties, so that everybody meets."""
    asked: Mapping[int, set[int]] = defaultdict(set)
    load: Counter[int] = Counter()
    for item, person in earlier:
        asked[item].add(person)
        load[person] += 1
    stream = derive(corpus.seed, "review assignment")
    chosen = []
    for item in corpus.review_items.order_by("pk").values_list("pk", flat=True):
        free = [person for person in stream.shuffled(people) if person not in asked[item]]
        wanted = max(0, each - len(asked[item]))
        for person in sorted(free, key=load.__getitem__)[:wanted]:
            load[person] += 1
            chosen.append((item, person))
    return chosen
