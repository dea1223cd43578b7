"""Replies to the observatory world, corpora of bare items, and rows with given counts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from grading.core.metrics import Corpus, Item
from grading.core.records import GradedRow, assess
from grading.core.score import AnswerKey, Grade
from grading.core.statuses import Status
from tests.worlds.core.builders import observatory

__all__ = [
    "ACTION",
    "FACTS",
    "KEY",
    "corpus",
    "entries",
    "graded",
    "items",
    "reply",
    "right",
    "row",
    "wrong",
]

WORLD = observatory()
KEY = AnswerKey.of(WORLD)
FACTS: dict[str, Any] = {WORLD.mark_of(v): value for v, value in WORLD.solution.items()}
ACTION = ["P-86", "register", "Wetherby"]


def entries(facts: Mapping[str, Any] = FACTS, *actions: Sequence[Any]) -> list[list[Any]]:
    """The entries of an answer."""
    return [*([mark, "is", value] for mark, value in facts.items()), *map(list, actions)]


def reply(facts: Mapping[str, Any] = FACTS, *actions: Sequence[Any]) -> str:
    """An answer as JSON text; without arguments all the facts and no action."""
    return json.dumps({"answer": entries(facts, *actions)}, ensure_ascii=False)


def right() -> str:
    """The right answer to the observatory."""
    return reply(FACTS, ACTION)


def graded(text: str) -> Grade:
    """A reply to the observatory, through the path of an upload."""
    found = assess(KEY, text).grade
    assert found is not None
    return found


def items(
    families: int, conditions: Sequence[str] = ("explicit", "implicit"), realizations: int = 1
) -> tuple[Item, ...]:
    """Families of one level and genre, each in every condition and realization."""
    return tuple(
        Item(f"f{f:03d}-{c[:3]}{r}", f"f{f:03d}", "L00", "maritime", c, r)
        for f in range(families)
        for c in conditions
        for r in range(1, realizations + 1)
    )


def corpus(*all_items: Item) -> Corpus:
    """A corpus of these items."""
    return Corpus("test", "c0ffee" * 10 + "c0ff", all_items)


def row(
    item: Item,
    tp: int = 0,
    stated: int = 4,
    *,
    n: int = 4,
    acted: bool = False,
    status: Status = Status.ANSWERED,
    epoch: int = 1,
) -> GradedRow:
    """A row with these counts; its world is exact when all that is stated is right."""
    if not status.is_scored:
        return GradedRow(item.sample_id, epoch, status)
    exact = tp == n == stated
    return GradedRow(
        item.sample_id, epoch, status, False, n, stated, tp, exact, acted, None, exact and acted
    )


def wrong(item: Item, epoch: int = 1) -> GradedRow:
    """A row that states four facts, none of them right."""
    return row(item, epoch=epoch)
