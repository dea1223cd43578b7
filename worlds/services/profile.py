"""The inference profile of a world, as a picture: when each fact falls, and to what.

The certificate says how many facts are stated, reached by unit propagation and left to elimination
or cases; how many fall in each round is counted again here, by propagation alone, in the few
milliseconds that it takes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from worlds.core.engines import problem_of
from worlds.core.engines.dpll import Dpll
from worlds.core.model import World

__all__ = ["Profile", "Step", "profile_of"]

_BAR, _GAP, _MARGIN = 26, 12, 8
_HEIGHT, _HEAD, _FOOT = 160, 18, 22


@dataclass(frozen=True, slots=True)
class Step:
    """A round of propagation, or what comes after the last: facts that fall, and so far.

    `kind` is what they fall to. The rest is where its bar stands, in units of the picture; `stated`
    is the height of the part that the record states outright.
    """

    label: str
    kind: str
    words: str
    facts: int
    so_far: int
    x: int
    y: float
    height: float
    stated: float

    @property
    def middle(self) -> float:
        """Where the bar's labels stand."""
        return self.x + _BAR / 2

    @property
    def stated_y(self) -> float:
        """Where the part that the record states begins."""
        return _HEAD + _HEIGHT - self.stated

    @property
    def above(self) -> float:
        """Where the number over the bar stands."""
        return self.y - 5


@dataclass(frozen=True, slots=True)
class Profile:
    """The steps, the size of the picture, and the line that the bars stand on."""

    steps: tuple[Step, ...]
    facts: int

    @property
    def bar(self) -> int:
        """The width of a bar."""
        return _BAR

    @property
    def width(self) -> int:
        """The width of the picture."""
        return 2 * _MARGIN + len(self.steps) * (_BAR + _GAP) - _GAP

    @property
    def height(self) -> int:
        """The height of the picture."""
        return _HEAD + _HEIGHT + _FOOT

    @property
    def ground(self) -> int:
        """The line that the bars stand on."""
        return _HEAD + _HEIGHT

    @property
    def foot(self) -> int:
        """The line of the labels under the bars."""
        return self.height - 6


def profile_of(world: World, certificate: Mapping[str, Any]) -> Profile:
    """When the facts of a world fall; a world without facts has a picture without bars."""
    inference = certificate["inference"]
    problem = problem_of(world)
    engine = Dpll(problem.domains)
    for label, constraint in problem.constraints.items():
        engine.add(label, constraint)
    rounds = engine.propagate(problem.constraints).round_of
    falls = Counter(rounds[fact] for fact in world.solution if fact in rounds)
    techniques = inference.get("techniques", {})
    counts = [
        (str(n), "chained", _round_in_words(n), falls[n]) for n in range(1, inference["rounds"] + 1)
    ]
    counts += [
        (label, kind, words, techniques[kind])
        for label, kind, words in (
            ("elim.", "elimination", "by crossing out what propagation refutes"),
            ("cases", "case_split", "by splitting cases"),
        )
        if techniques.get(kind)
    ]
    return Profile(tuple(_steps(counts, inference["direct"])), inference["facts"])


def _steps(counts: list[tuple[str, str, str, int]], direct: int) -> Iterable[Step]:
    """The bars, the tallest as high as the picture; stated facts stand at the foot of the first."""
    most = max((facts for *_, facts in counts), default=0) or 1
    so_far = 0
    for place, (label, kind, words, facts) in enumerate(counts):
        so_far += facts
        height = round(_HEIGHT * facts / most, 1)
        yield Step(
            label=label,
            kind=kind,
            words=words,
            facts=facts,
            so_far=so_far,
            x=_MARGIN + place * (_BAR + _GAP),
            y=_HEAD + _HEIGHT - height,
            height=height,
            stated=round(_HEIGHT * min(direct, facts) / most, 1) if place == 0 else 0,
        )


def _round_in_words(number: int) -> str:
    if number == 1:
        return "stated, or fixed by one clue alone"
    return f"by propagation, round {number}"
