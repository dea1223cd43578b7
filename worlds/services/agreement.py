"""How far reviewers agree beyond chance: Krippendorff's alpha with a bootstrap interval.

Alpha takes any number of reviewers and does not mind that most items are judged by some of them
only. Items are what is resampled. Items with the same count of approvals and rejections are alike,
so a resample draws how many there are of each kind and never walks through the items: its cost
depends on the number of reviewers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import krippendorff

from worlds.core.seeds import Stream, derive

__all__ = ["RESAMPLES", "Agreement", "Verdicts", "agreement_of", "alpha_of", "draw_binomial"]

RESAMPLES = 1000
_MOST_UNDEFINED = RESAMPLES // 20
_TAIL = 0.025

Verdicts = tuple[int, int]
"""The approvals and the rejections of one item."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement on the items that two or more people have judged.

    `alpha` is 1 where all agree and 0 where they agree as often as chance would; None where it is
    not defined, and `why` says why. The interval is None where `why` speaks of it, or of alpha.
    """

    reviewers: int
    items: int
    unanimous: int
    alpha: float | None = None
    low: float | None = None
    high: float | None = None
    why: str = ""


def agreement_of(items: Mapping[Verdicts, int], *, reviewers: int, seed: int) -> Agreement:
    """Agreement among reviewers; `items` says how many items have so many verdicts of each sort.

    The same items and seed give the same interval. Takes some hundredths of a second.
    """
    shared = {verdicts: n for verdicts, n in sorted(items.items()) if sum(verdicts) > 1 and n}
    count = sum(shared.values())
    unanimous = sum(n for verdicts, n in shared.items() if 0 in verdicts)
    if why := _undefined(shared, reviewers):
        return Agreement(reviewers, count, unanimous, why=why)
    rows = [list(verdicts) for verdicts, n in shared.items() for _ in range(n)]
    alpha = float(krippendorff.alpha(value_counts=rows, level_of_measurement="nominal"))
    low, high, why = _interval(shared, derive(seed, "agreement"))
    return Agreement(reviewers, count, unanimous, alpha, low, high, why)


def alpha_of(kinds: Sequence[Verdicts], counts: Sequence[int]) -> float | None:
    """Alpha of two categories in closed form, for resamples; None where it is not defined.

    One minus the disagreement seen over the one that chance would give.
    """
    approvals = sum(n * a for (a, _), n in zip(kinds, counts, strict=True))
    rejections = sum(n * r for (_, r), n in zip(kinds, counts, strict=True))
    if not approvals or not rejections:
        return None
    seen = math.fsum(n * a * r / (a + r - 1) for (a, r), n in zip(kinds, counts, strict=True))
    return 1 - (approvals + rejections - 1) * seen / (approvals * rejections)


def draw_binomial(stream: Stream, trials: int, chance: float) -> int:
    """How many of so many trials succeed: exact, in about √trials steps.

    Goes from the likeliest number outwards, to both sides in turn, until the probability passed is
    more than a random number.
    """
    if not 0 < chance < 1 or trials == 0:
        return trials if chance >= 1 else 0
    middle = int((trials + 1) * chance)
    odds = chance / (1 - chance)
    rest = stream.random() - _probability(trials, middle, chance)
    below = above = middle
    p_below = p_above = _probability(trials, middle, chance)
    while rest >= 0 and (below > 0 or above < trials):
        if above < trials:
            p_above *= odds * (trials - above) / (above + 1)
            above += 1
            rest -= p_above
            if rest < 0:
                return above
        if below > 0:
            p_below *= below / (odds * (trials - below + 1))
            below -= 1
            rest -= p_below
            if rest < 0:
                return below
    return middle


def _undefined(shared: Mapping[Verdicts, int], reviewers: int) -> str:
    """Why there is no alpha, in a sentence; empty where there is one."""
    if reviewers == 0:
        return "Nobody has decided anything yet."
    if reviewers == 1:
        return "Only one person has decided; agreement takes two."
    if not shared:
        return "No distractor has been judged by two people yet."
    if not any(a for a, _ in shared) or not any(r for _, r in shared):
        verdict = "approved" if any(a for a, _ in shared) else "rejected"
        return (
            f"Everything that two people have judged was {verdict} by all of them. Where one "
            "verdict is all there is, chance would agree as well, and alpha is not defined."
        )
    return ""


def _interval(
    shared: Mapping[Verdicts, int], stream: Stream
) -> tuple[float | None, float | None, str]:
    """The bootstrap's 95 % percentile interval, or why there is none."""
    kinds, counts = tuple(shared), tuple(shared.values())
    drawn = (alpha_of(kinds, _resampled(stream, counts)) for _ in range(RESAMPLES))
    found = sorted(alpha for alpha in drawn if alpha is not None)
    if RESAMPLES - len(found) > _MOST_UNDEFINED:
        return None, None, (
            f"No interval: in {RESAMPLES - len(found):,} of {RESAMPLES:,} resamples one verdict "
            "was all there was. It takes more items, or more of the rarer verdict."
        )  # fmt: skip
    cut = int(len(found) * _TAIL)
    low, high = found[cut], found[-1 - cut]
    if low == high:
        return low, high, (
            "Nobody disagreed, so resampling finds nothing else. That is not certainty."
            if low == 1
            else "The items are all alike, so resampling finds nothing else."
        )  # fmt: skip
    return low, high, ""


def _resampled(stream: Stream, counts: Sequence[int]) -> list[int]:
    """As many items drawn with replacement, counted by kind."""
    left, weight = sum(counts), sum(counts)
    drawn = []
    for count in counts:
        drawn.append(draw_binomial(stream, left, count / weight if weight else 0))
        left -= drawn[-1]
        weight -= count
    return drawn


def _probability(trials: int, successes: int, chance: float) -> float:
    misses = trials - successes
    ways = math.lgamma(trials + 1) - math.lgamma(successes + 1) - math.lgamma(misses + 1)
    return math.exp(ways + successes * math.log(chance) + misses * math.log1p(-chance))
