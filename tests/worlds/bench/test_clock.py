"""Contenders take turns, and the best lap of each counts."""

from __future__ import annotations

from collections.abc import Callable

from worlds.bench.clock import Lap, race


class _Clock:
    """Passes the time that the work says it takes."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_contenders_take_turns_and_the_best_lap_counts() -> None:
    clock = _Clock()
    happened: list[str] = []
    takes = {"A": iter([5.0, 1.0]), "B": iter([2.0, 3.0])}

    def contender(name: str) -> Callable[[], Callable[[], str]]:
        def prepare() -> Callable[[], str]:
            happened.append(f"prepare {name}")
            clock.now += 0.5
            return do

        def do() -> str:
            happened.append(f"do {name}")
            clock.now += next(takes[name])
            return name.lower()

        return prepare

    laps, found = race({name: contender(name) for name in takes}, rounds=2, clock=clock)
    assert happened == ["prepare A", "do A", "prepare B", "do B"] * 2
    assert laps == {"A": Lap(0.5, 1.0), "B": Lap(0.5, 2.0)}
    assert laps["A"].total == 1.5
    assert found == {"A": "a", "B": "b"}
