"""One solver over a corpus: from graded rows to scores, with what is missing kept in view.

Epochs are averaged first, then the realizations of a family; a score is the mean over families, and
its interval resamples families (`table` and `statistics`).

What is missing counts as 0 in a headline score, which is then a lower bound; beside it stand the
value over what was scored, and the value if all that is missing were right. Differences between
conditions are taken over complete families only, as a missing reply must never look like a
difference (or like none). What cannot be said is `Unscored`, with the reason; never NaN.

Legend: fixed point means integers, `SCALE` parts to one; `f1` is 0..1, every other score 0..100.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from grading.core.pairs import Pairs, pairs_of
from grading.core.statistics import SCALE, Bootstrap, Interval
from grading.core.statuses import Status
from grading.core.table import (
    Cell,
    Corpus,
    Item,
    Sum,
    Table,
    Unscored,
    family_means,
    scored_means,
    share,
    tabulate,
)

__all__ = [
    "MEANS",
    "METRICS",
    "NO_INSTANCE",
    "NO_REPLY",
    "SLICED",
    "Corpus",
    "Item",
    "Metric",
    "Score",
    "Table",
    "Unscored",
    "ranking_values",
    "scores",
    "sliced_scores",
    "tabulate",
]

NO_REPLY = "no reply was scored: every record is missing, refused, filtered or failed"
NO_INSTANCE = "the corpus has no instance here"


@dataclass(frozen=True, slots=True)
class Score:
    """A score with all that is needed to judge it.

    `families` is how many it rests on. `lower_bound` and `upper_bound` take what is missing as 0
    and as 1; `answered_only` leaves it out. `counts` are the integers behind a ratio.
    """

    value: float
    interval: Interval
    families: int
    lower_bound: float | None = None
    upper_bound: float | None = None
    answered_only: float | None = None
    counts: Mapping[str, int] = field(default_factory=dict)


Unit = Literal["0–1", "0–100", "points"]
Better = Literal["higher", "lower", "—"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A score's name in data, its words on a page, its unit and what it says."""

    name: str
    label: str
    unit: Unit
    better: Better
    definition: str


def _f1(cell: Cell) -> int:
    return cell.f1


def _successes(cell: Cell) -> int:
    return cell.successes


def _worlds(cell: Cell) -> int:
    return cell.worlds


def _actions(cell: Cell) -> int:
    return cell.actions


def _mean_score(
    bootstrap: Bootstrap, name: str, table: Table, total: Sum, scale: int
) -> Score | Unscored:
    """The mean over families of what a record earns, with its bounds."""
    if not table.cells:
        return Unscored(NO_INSTANCE)
    groups = table.families.values()
    answered = scored_means(groups, total)
    if not answered:
        return Unscored(NO_REPLY)
    values = family_means(groups, table.epochs, total)
    value = scale * share(values)
    return Score(
        value=value,
        interval=bootstrap.mean(name, values).times(scale),
        families=len(values),
        lower_bound=value,
        upper_bound=scale * share(family_means(groups, table.epochs, total, missing_as=1)),
        answered_only=scale * share(answered),
    )


def _told_and_not(table: Table, total: Sum) -> Pairs | Unscored:
    """Explicit against implicit."""
    sides = (table.where("condition", "explicit"), table.where("condition", "implicit"))
    return pairs_of(*sides, total, "explicit and implicit")


def _retention(bootstrap: Bootstrap, table: Table) -> Score | Unscored:
    pairs = _told_and_not(table, _f1)
    if isinstance(pairs, Unscored):
        return pairs
    if not sum(pairs.firsts):
        return Unscored("nothing was found under the explicit condition, so nothing to retain")
    lost = pairs.differences
    interval = bootstrap.difference("retention", [-value for value in lost])
    return Score(
        value=100 - 100 * share(lost),
        interval=interval.times(100).moved(100),
        families=len(pairs.differences),
        lower_bound=100 - 100 * pairs.most,
        upper_bound=100 - 100 * pairs.least,
    )


def _tax(bootstrap: Bootstrap, table: Table) -> Score | Unscored:
    pairs = _told_and_not(table, _successes)
    if isinstance(pairs, Unscored):
        return pairs
    if not sum(pairs.firsts) and not sum(pairs.seconds):
        return Unscored("no task was solved under either condition, so there is nothing to tax")
    return Score(
        value=100 * share(pairs.differences),
        interval=bootstrap.difference("tax", pairs.differences).times(100),
        families=len(pairs.differences),
        lower_bound=100 * pairs.least,
        upper_bound=100 * pairs.most,
    )


def _ratio(
    bootstrap: Bootstrap,
    name: str,
    table: Table,
    top: tuple[str, Callable[[Cell], int]],
    bottom: tuple[str, Callable[[Cell], int]],
    nothing: str,
) -> Score | Unscored:
    """A ratio of counts over all records, resampled by family; `nothing` if there is no bottom."""
    groups = table.families.values()
    tops = [sum(map(top[1], cells)) for cells in groups]
    bottoms = [sum(map(bottom[1], cells)) for cells in groups]
    if not sum(bottoms):
        return Unscored(nothing)
    return Score(
        value=100 * sum(tops) / sum(bottoms),
        interval=bootstrap.ratio(name, tops, bottoms).times(100),
        families=sum(1 for count in bottoms if count),
        counts={top[0]: sum(tops), bottom[0]: sum(bottoms)},
    )


def _count(total: Sum) -> Callable[[Cell], int]:
    return lambda cell: total(cell) // SCALE


def _discipline(bootstrap: Bootstrap, table: Table) -> Score | Unscored:
    return _ratio(
        bootstrap,
        "discipline",
        table,
        ("finished", lambda cell: cell.statuses[Status.ANSWERED]),
        ("attempted", lambda cell: cell.scored),
        NO_REPLY,
    )


def _earned(bootstrap: Bootstrap, table: Table) -> Score | Unscored:
    return _ratio(
        bootstrap,
        "earned_decisions",
        table,
        ("earned", _count(_successes)),
        ("correct", _count(_actions)),
        "no action was correct",
    )


def _soundness(bootstrap: Bootstrap, table: Table) -> Score | Unscored:
    return _ratio(
        bootstrap,
        "decision_soundness",
        table,
        ("not guessed", lambda cell: cell.scored - (cell.actions - cell.successes) // SCALE),
        ("graded", lambda cell: cell.scored),
        NO_REPLY,
    )


def _claims(bootstrap: Bootstrap, table: Table) -> Score | Unscored:
    return _ratio(
        bootstrap,
        "claim_accuracy",
        table,
        ("right", lambda cell: cell.tp),
        ("stated", lambda cell: cell.stated),
        "nothing was stated",
    )


METRICS: tuple[Metric, ...] = (
    Metric(
        "intuition",
        "Intuition",
        "0–100",
        "higher",
        "Task success under the implicit condition: world exact and action correct.",
    ),
    Metric("fact_f1", "Fact F1", "0–1", "higher", "Mean F1 of the stated facts over all records."),
    Metric(
        "task_success",
        "Task success",
        "0–100",
        "higher",
        "World exact and action correct, under all conditions.",
    ),
    Metric("world_exact", "World exact", "0–100", "higher", "Every fact right, no other stated."),
    Metric(
        "action_correct",
        "Action correct",
        "0–100",
        "higher",
        "Verb, item and party are what the rule requires on the true world.",
    ),
    Metric(
        "retention",
        "Discovery retention",
        "0–100",
        "higher",
        "100 − 100 · (mean F1 explicit − mean F1 implicit), complete families; can exceed 100.",
    ),
    Metric(
        "tax",
        "Discovery tax",
        "points",
        "lower",
        "Task success explicit − implicit, paired, over complete families.",
    ),
    Metric(
        "discipline",
        "Reasoning discipline",
        "0–100",
        "higher",
        "Attempted records that finished before the budget ran out.",
    ),
    Metric(
        "earned_decisions",
        "Earned decisions",
        "0–100",
        "higher",
        "Correct actions that rest on an exact world, among correct actions.",
    ),
    Metric(
        "decision_soundness",
        "Earned decisions (100 − guess rate)",
        "0–100",
        "higher",
        "100 − the share of graded decisions that are correct without an exact world.",
    ),
    Metric(
        "claim_accuracy",
        "Claim accuracy",
        "0–100",
        "higher",
        "Right among stated facts, answered records only.",
    ),
)
"""Every score of a solver, in the order in which they are shown."""

SLICED = ("fact_f1", "world_exact", "action_correct", "task_success")
"""The scores that are given by level, condition and genre as well."""

MEANS: Mapping[str, tuple[Sum, int]] = {
    "fact_f1": (_f1, 1),
    "task_success": (_successes, 100),
    "world_exact": (_worlds, 100),
    "action_correct": (_actions, 100),
}
"""Of each score that is a mean over families its sum over a cell, and what a whole one is worth."""

_OTHERS: Mapping[str, Callable[[Bootstrap, Table], Score | Unscored]] = {
    "intuition": lambda bootstrap, table: _mean_score(
        bootstrap, "intuition", table.where("condition", "implicit"), _successes, 100
    ),
    "retention": _retention,
    "tax": _tax,
    "discipline": _discipline,
    "earned_decisions": _earned,
    "decision_soundness": _soundness,
    "claim_accuracy": _claims,
}


def scores(bootstrap: Bootstrap, table: Table) -> dict[str, Score | Unscored]:
    """Every metric over a whole corpus."""
    found = sliced_scores(bootstrap, table)
    found |= {name: compute(bootstrap, table) for name, compute in _OTHERS.items()}
    return {metric.name: found[metric.name] for metric in METRICS}


def sliced_scores(
    bootstrap: Bootstrap, table: Table, where: str = ""
) -> dict[str, Score | Unscored]:
    """The scores of a part of a corpus; `where` names the part, for the seeds."""
    return {name: _mean_score(bootstrap, f"{name}{where}", table, *MEANS[name]) for name in SLICED}


def ranking_values(table: Table) -> list[int]:
    """The family values by which solvers are ranked: task success, implicit, missing as 0."""
    implicit = table.where("condition", "implicit")
    return family_means(implicit.families.values(), implicit.epochs, _successes)
