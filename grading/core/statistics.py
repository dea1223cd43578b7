"""Family bootstrap: intervals that are the same on every machine, for ever.

Families are the exchangeable units, so a resample draws families, never records. The draws come
from the raw words of PCG64, whose stream numpy guarantees, seeded from the corpus hash and the name
of what is estimated: the order of rows, the name of a model and the process change nothing, and two
models are resampled alike. All sums are sums of integers (values in fixed point, `SCALE` parts to
one), so no processor rounds differently; a float appears in the last division.

The interval is the 95 % percentile interval of 2,000 resamples, interpolated between order
statistics as numpy does by default. Degenerate cases are answered, never NaN: of no family there is
no interval, of one neither; an interval of width zero at the end of the scale is replaced by the
rule of three, 3/n beyond that end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from worlds.core.seeds import derive_seed

__all__ = [
    "CONFIDENCE",
    "PERMUTATIONS",
    "RESAMPLES",
    "SCALE",
    "Bootstrap",
    "Interval",
    "fixed",
    "permutation_p",
    "sign_flip_p",
    "tie_groups",
]

RESAMPLES = 2000
PERMUTATIONS = 9999
CONFIDENCE = 95
SCALE = 10**12
"""Parts to one in fixed point: 120 families of values up to 1 are far below 2**63."""

_TAIL = (100 - CONFIDENCE) * 5  # in thousandths: 25
_CACHED_DRAWS = 512

_Integers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Interval:
    """Where an estimate lies; without ends there is none, and `note` says why or how."""

    low: float | None
    high: float | None
    note: str = ""

    def times(self, scale: int) -> Interval:
        """The interval of the estimate in units that are smaller by that much."""
        if self.low is None or self.high is None:
            return self
        return Interval(scale * self.low, scale * self.high, self.note)

    def moved(self, by: int) -> Interval:
        """The interval of the estimate with so much added."""
        if self.low is None or self.high is None:
            return self
        return Interval(by + self.low, by + self.high, self.note)


def fixed(numerator: int, denominator: int = 1) -> int:
    """A fraction in fixed point, rounded half up.

    >>> fixed(1, 4)
    250000000000
    """
    return (2 * numerator * SCALE + denominator) // (2 * denominator)


class Bootstrap:
    """The resamples of one corpus; the same instance keeps its draws for reuse."""

    def __init__(self, corpus_sha256: str, resamples: int = RESAMPLES) -> None:
        self.corpus_sha256 = corpus_sha256
        self.resamples = resamples
        self._draws: dict[tuple[str, int], NDArray[np.int32]] = {}

    def seed(self, name: str) -> int:
        """The seed of the draws for the estimate of that name."""
        return derive_seed(0, "bootstrap", self.corpus_sha256, name)

    def mean(self, name: str, values: Sequence[int]) -> Interval:
        """The interval of a mean over families of values in fixed point from 0 to 1."""
        if len(values) < 2:
            return _no_interval(len(values))
        low, high = self._mean_ends(name, values)
        return _widened(Interval(low, high), len(values), ends=(0.0, 1.0))

    def difference(self, name: str, values: Sequence[int]) -> Interval:
        """The interval of a mean over families of paired differences, in fixed point from −1 to 1.

        Where all differences are zero the rule of three gives both ends.
        """
        if len(values) < 2:
            return _no_interval(len(values))
        low, high = self._mean_ends(name, values)
        if low == high == 0.0:
            reach = min(1.0, 3 / len(values))
            return Interval(-reach, reach, "rule of three")
        return _widened(Interval(low, high), len(values), ends=(-1.0, 1.0))

    def ratio(self, name: str, tops: Sequence[int], bottoms: Sequence[int]) -> Interval:
        """The interval of a ratio of sums over families, such as earned / correct.

        Resamples that draw only families without a denominator say nothing and are left out.
        """
        telling = sum(1 for bottom in bottoms if bottom)
        if telling < 2:
            return _no_interval(telling)
        counts = self._counts(name, len(tops))
        below = counts @ np.array(bottoms, dtype=np.int64)
        above = (counts @ np.array(tops, dtype=np.int64))[below > 0]
        shares = np.sort(above / below[below > 0])
        low, high = (_between(shares.tolist(), tail) for tail in (_TAIL, 1000 - _TAIL))
        return _widened(Interval(low, high), telling, ends=(0.0, 1.0))

    def _mean_ends(self, name: str, values: Sequence[int]) -> tuple[float, float]:
        sums = np.sort(self._counts(name, len(values)) @ np.array(values, dtype=np.int64)).tolist()
        whole = len(values) * SCALE
        low, high = (
            _between_integers(sums, tail) / (1000 * whole) for tail in (_TAIL, 1000 - _TAIL)
        )
        return low, high

    def _counts(self, name: str, families: int) -> _Integers:
        """How often each resample draws each family: one row per resample."""
        key = (name, families)
        if key not in self._draws:
            if len(self._draws) >= _CACHED_DRAWS:
                self._draws.clear()
            self._draws[key] = _drawn(self.seed(name), self.resamples, families)
        return self._draws[key].astype(np.int64)


def _drawn(seed: int, resamples: int, families: int) -> NDArray[np.int32]:
    raw = np.random.PCG64(seed).random_raw(resamples * families)
    # The high half of a word times n, divided by 2**32, is an index below n.
    picks = ((raw >> np.uint64(32)) * np.uint64(families)) >> np.uint64(32)
    rows = np.repeat(np.arange(resamples, dtype=np.int64), families)
    flat = np.bincount(rows * families + picks.astype(np.int64), minlength=resamples * families)
    return flat.reshape(resamples, families).astype(np.int32)


def _between_integers(ordered: Sequence[int], thousandths: int) -> int:
    """A quantile of sorted integers, times 1000: linear between neighbours."""
    position = thousandths * (len(ordered) - 1)
    at, rest = divmod(position, 1000)
    after = min(at + 1, len(ordered) - 1)
    return ordered[at] * (1000 - rest) + ordered[after] * rest


def _between(ordered: Sequence[float], thousandths: int) -> float:
    """A quantile of sorted floats: linear between neighbours."""
    position = thousandths * (len(ordered) - 1)
    at, rest = divmod(position, 1000)
    after = min(at + 1, len(ordered) - 1)
    return ordered[at] + (ordered[after] - ordered[at]) * rest / 1000


def _no_interval(families: int) -> Interval:
    told = "one family" if families else "no family"
    return Interval(None, None, f"{told}: no interval")


def _widened(found: Interval, families: int, ends: tuple[float, float]) -> Interval:
    """The interval, by the rule of three where it has shrunk to an end of the scale."""
    reach = min(1.0, 3 / families)
    if found.low == found.high == ends[0]:
        return Interval(ends[0], ends[0] + reach, "rule of three")
    if found.low == found.high == ends[1]:
        return Interval(ends[1] - reach, ends[1], "rule of three")
    return found


def tie_groups(
    bootstrap: Bootstrap, name: str, values: Sequence[Sequence[int]]
) -> list[tuple[int, int]]:
    """For each solver the best and worst rank that the paired intervals leave open.

    `values` holds a solver's family values in fixed point, families in one order for all. A solver
    is behind another when the interval of their paired difference lies wholly on that side, so
    equal solvers have equal ranks.
    """
    count = len(values)
    ahead = [[False] * count for _ in range(count)]
    for first in range(count):
        for second in range(first + 1, count):
            pairs = zip(values[first], values[second], strict=True)
            found = bootstrap.difference(name, [a - b for a, b in pairs])
            if found.low is not None and found.high is not None:
                ahead[first][second] = found.low > 0
                ahead[second][first] = found.high < 0
    return [
        (1 + sum(ahead[other][one] for other in range(count)), count - sum(ahead[one]))
        for one in range(count)
    ]


def permutation_p(
    seed: int, families: Sequence[tuple[Sequence[int], Sequence[int]]], sizes: Sequence[int]
) -> float:
    """How often chance alone spreads counts over groups as unevenly as they are spread.

    Each family is its instances' groups (places in `sizes`) and counts. Under the null hypothesis
    the groups may be exchanged among the instances of a family, never between families. The measure
    is the sum over groups of total² / size: as the sizes stay, it orders permutations as the
    variance between the groups does. It is compared in integers; sizes are positive. The observed
    arrangement counts as one, so the answer is never 0, and at or below a level no more often than
    that level says.
    """
    raw = np.random.PCG64(seed)
    totals = np.zeros((PERMUTATIONS, len(sizes)), dtype=np.int64)
    observed = np.zeros(len(sizes), dtype=np.int64)
    for groups, counts in families:
        np.add.at(observed, list(groups), list(counts))
        if len(set(counts)) == 1:  # the same in every order, so it costs no draw
            for group in groups:
                totals[:, group] += counts[0]
            continue
        # The order of independent random words is a random order.
        words = raw.random_raw(PERMUTATIONS * len(counts)).reshape(PERMUTATIONS, len(counts))
        shuffled = np.array(counts, dtype=np.int64)[np.argsort(words, axis=1, kind="stable")]
        for place, group in enumerate(groups):
            totals[:, group] += shuffled[:, place]
    common = math.lcm(*sizes)
    weights = np.array([common // size for size in sizes], dtype=np.int64)
    measure = (totals**2 * weights).sum(axis=1)
    as_uneven = int((measure >= int((observed**2 * weights).sum())).sum())
    return (1 + as_uneven) / (1 + PERMUTATIONS)


def sign_flip_p(seed: int, differences: Sequence[int]) -> float | None:
    """How often chance alone sets two solvers as far apart over families as they are.

    Under the null hypothesis the two may be exchanged within a family, which turns the sign of its
    difference. Every way to do so is gone through where there are at most `PERMUTATIONS`, so the
    answer is exact; otherwise so many are drawn, and the observed one counts as a further one. Sums
    are compared in integers. None where no family tells the two apart.
    """
    sizes = np.array([abs(difference) for difference in differences if difference], dtype=np.int64)
    if not len(sizes):
        return None
    if len(sizes) < PERMUTATIONS.bit_length():
        words, observed = np.arange(1 << len(sizes), dtype="<u8").reshape(-1, 1), 0
    else:
        width = -(-len(sizes) // 64)
        raw = np.random.PCG64(seed).random_raw(PERMUTATIONS * width)
        words, observed = raw.astype("<u8").reshape(PERMUTATIONS, width), 1
    # One bit of a way's words for each family: whether its sign is turned.
    turned = np.unpackbits(words.view(np.uint8), axis=1, count=len(sizes), bitorder="little")
    totals = (1 - 2 * turned.astype(np.int64)) @ sizes
    as_far = int((np.abs(totals) >= abs(sum(differences))).sum())
    return (observed + as_far) / (observed + len(totals))
