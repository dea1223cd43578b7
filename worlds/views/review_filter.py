"""The filter of the review queue: read from the address, carried from item to item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.http import QueryDict

from worlds.models import DISTRACTOR_KINDS, Corpus, ReviewItem, ReviewItemQuerySet, Standing

__all__ = ["QueuePage", "ReviewFilter"]

_ROWS = 25
_MOST_COUNTED = 1000
_MOST_DIGITS = 15


@dataclass(frozen=True, slots=True)
class QueuePage:
    """A page of the queue, found by key: it costs the same however far in it is."""

    rows: Sequence[ReviewItem]
    count: int
    before: int | None
    after: int | None

    @property
    def counted(self) -> str:
        """How many there are, or that there are more than are worth counting."""
        return f"more than {_MOST_COUNTED:,}" if self.count > _MOST_COUNTED else f"{self.count:,}"


@dataclass(frozen=True)
class ReviewFilter:
    """Which items to show; a value that makes no sense is named and ignored."""

    FLAGS: ClassVar = {"mine": "assigned to me", "todo": "undecided by me"}

    options: Mapping[str, Sequence[tuple[str, str]]]
    chosen: Mapping[str, str]
    complaints: tuple[str, ...] = ()
    before: int | None = None
    after: int | None = None

    @classmethod
    def of(cls, query: QueryDict) -> ReviewFilter:
        """Read the filter from a query string; costs one query, for what can be chosen."""
        options = _options()
        chosen, complaints = {}, []
        for name, offered in options.items():
            value = query.get(name, "")
            if value in dict(offered):
                chosen[name] = value
            elif value:
                shown = value if len(value) <= 40 else value[:39] + "…"
                allowed = " or ".join(each for each, _ in offered[:8]) or "nothing yet"
                complaints.append(f"{name}: “{shown}” is no choice here; expected {allowed}.")
        chosen |= {name: "1" for name in cls.FLAGS if query.get(name) == "1"}
        before, after = (_key(query.get(name, "")) for name in ("before", "after"))
        return cls(options, chosen, tuple(complaints), before, after)

    @property
    def fields(self) -> list[tuple[str, str, Sequence[tuple[str, str]]]]:
        """Each choice with its value and options, for the template."""
        return [
            (name, self.chosen.get(name, ""), options) for name, options in self.options.items()
        ]

    @property
    def flags(self) -> list[tuple[str, str, bool]]:
        """Each box to tick, with its label and whether it is ticked."""
        return [(name, label, name in self.chosen) for name, label in self.FLAGS.items()]

    @property
    def query(self) -> str:
        """The filter as part of a query string that ends with `&`, or nothing."""
        return f"{urlencode(self.chosen)}&" if self.chosen else ""

    @property
    def suffix(self) -> str:
        """The filter as the end of an address: a whole query string, or nothing."""
        return f"?{urlencode(self.chosen)}" if self.chosen else ""

    def items(self, user: User) -> ReviewItemQuerySet:
        """The items that fit, in the order of their keys."""
        rows = ReviewItem.objects.order_by("pk")
        chosen = self.chosen
        for name in ("level", "genre", "kind"):
            if name in chosen:
                rows = rows.filter(**{name: chosen[name]})
        if "corpus" in chosen:
            rows = rows.filter(corpus__slug=chosen["corpus"])
        if "state" in chosen:
            rows = rows.in_standing(chosen["state"])
        if "mine" in chosen:
            rows = rows.assigned_to(user)
        if "todo" in chosen:
            rows = rows.undecided_by(user)
        return rows

    def page(self, user: User) -> QueuePage:
        """The rows after or before a key; two queries."""
        rows = self.items(user)
        backwards = self.before is not None
        if backwards:
            found = list(_listed(rows.filter(pk__lt=self.before)).order_by("-pk")[: _ROWS + 1])
        else:
            found = list(_listed(rows.filter(pk__gt=self.after or 0))[: _ROWS + 1])
        more = len(found) > _ROWS
        found = found[:_ROWS][::-1] if backwards else found[:_ROWS]
        before, after = (more, True) if backwards else (self.after is not None, more)
        return QueuePage(
            rows=found,
            count=rows.values("pk")[: _MOST_COUNTED + 1].count(),
            before=found[0].pk if found and before else None,
            after=found[-1].pk if found and after else None,
        )

    def next_for(self, user: User, *, after: int, now: datetime) -> ReviewItem | None:
        """The next item that this person can decide on; from the start again after the last."""
        rows = self.items(user).open_to(user, now)
        return rows.filter(pk__gt=after).first() or rows.filter(pk__lt=after).first()

    def neighbours(
        self, user: User, item: ReviewItem
    ) -> tuple[ReviewItem | None, ReviewItem | None]:
        """The item before and the item after this one, decided or not."""
        rows = self.items(user)
        earlier = rows.filter(pk__lt=item.pk).order_by("-pk")
        return earlier.first(), rows.filter(pk__gt=item.pk).first()


def _listed(rows: ReviewItemQuerySet) -> ReviewItemQuerySet:
    """Load what a row of the list shows, and no text."""
    shown = rows.with_standing().select_related("corpus", "instance", "locked_by")
    return shown.only(
        "unit", "kind", "level", "genre", "approvals", "rejections", "locked_until",
        "locked_by__username", "corpus__slug", "corpus__title", "instance__sample_id",
    )  # fmt: skip


def _options() -> dict[str, Sequence[tuple[str, str]]]:
    """What can be chosen: the corpora there are, and what they are made of."""
    corpora = list(Corpus.objects.values_list("slug", "title", "levels", "genres"))
    levels = sorted({level for _, _, levels, _ in corpora for level in levels})
    genres = sorted({genre for _, _, _, genres in corpora for genre in genres})
    return {
        "corpus": [(slug, title) for slug, title, _, _ in corpora],
        "level": [(level, level) for level in levels],
        "genre": [(genre, genre) for genre in genres],
        "kind": [(kind, kind) for kind in DISTRACTOR_KINDS],
        "state": list(Standing.choices),
    }


def _key(text: str) -> int | None:
    """The key in an address, or None for anything else."""
    is_key = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if is_key else None
