"""What the page of a distractor under review shows to one person."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.contrib.auth.models import User
from django.http import Http404
from django.urls import reverse

from worlds.models import DECISIONS, ReviewEntry, ReviewItem
from worlds.services.review_sheet import ReviewSheet, sheet_of
from worlds.services.reviewing import Content, content_of, may_judge
from worlds.views.review_filter import ReviewFilter
from worlds.views.review_forms import CommentForm, DecisionForm

__all__ = ["ReviewPage", "get_item"]

Lock = Literal["yours", "theirs", "free"]


def get_item(item_id: int) -> ReviewItem:
    """An item with its record and its truth, or a 404; for people who are signed in."""
    rows = ReviewItem.objects.with_standing()
    rows = rows.select_related("corpus__created_by", "family", "instance", "locked_by")
    item = rows.filter(pk=item_id).first()
    if item is None:
        raise Http404(f"There is no distractor {item_id} to review.")
    return item


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """The context of the page. `locked_until` is set while somebody, perhaps the reader, has it."""

    item: ReviewItem
    content: Content
    sheet: ReviewSheet
    filter: ReviewFilter
    lock: Lock
    may_judge: bool
    mine: ReviewEntry | None
    history: tuple[ReviewEntry, ...]
    hidden: int
    decision: DecisionForm
    comment: CommentForm
    earlier: ReviewItem | None
    later: ReviewItem | None
    notice: str

    @classmethod
    def of(
        cls,
        item: ReviewItem,
        user: User,
        chosen: ReviewFilter,
        *,
        now: datetime,
        decision: DecisionForm | None = None,
        comment: CommentForm | None = None,
        notice: str = "",
    ) -> ReviewPage:
        """Read an item; three queries. A form that was refused comes back with what was typed."""
        content = content_of(item)
        entries = list(item.entries.select_related("author"))
        judges = may_judge(user, item.corpus)
        mine = _last_decision(entries, user, content)
        others = [e for e in entries if _is_decision_of_another(e, user, content)]
        hidden = {entry.pk for entry in others} if judges and mine is None else set()
        earlier, later = chosen.neighbours(user, item)
        return cls(
            item=item,
            content=content,
            sheet=sheet_of(item, content, entries),
            filter=chosen,
            lock=lock_of(item, user, now),
            may_judge=judges,
            mine=mine,
            history=tuple(entry for entry in reversed(entries) if entry.pk not in hidden),
            hidden=len(hidden),
            decision=decision or DecisionForm(initial={"seen": content.sha256}),
            comment=comment or CommentForm(initial={"seen": content.sha256}),
            earlier=earlier,
            later=later,
            notice=notice,
        )

    @property
    def crumbs(self) -> list[tuple[str, str]]:
        """The way here."""
        queue = reverse("worlds:review_queue")
        return [
            ("Review", f"{queue}{self.filter.suffix}"),
            (f"{self.item.instance.sample_id} {self.item.unit}", ""),
        ]


def lock_of(item: ReviewItem, user: User, now: datetime) -> Lock:
    """Whose an item is now."""
    if item.locked_until is None or item.locked_until <= now:
        return "free"
    return "yours" if item.locked_by_id == user.pk else "theirs"


def _last_decision(entries: list[ReviewEntry], user: User, content: Content) -> ReviewEntry | None:
    """What this person says of the text as it stands."""
    own = [
        entry
        for entry in entries
        if entry.author_id == user.pk
        and entry.said in DECISIONS
        and entry.content_sha256 == content.sha256
    ]
    return own[-1] if own else None


def _is_decision_of_another(entry: ReviewEntry, user: User, content: Content) -> bool:
    return (
        entry.author_id != user.pk
        and entry.said in DECISIONS
        and entry.content_sha256 == content.sha256
    )
