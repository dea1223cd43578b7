"""The classifier finds what is planted, and nothing where there is nothing."""

from __future__ import annotations

import pytest

from worlds.core.prose.survey.guessing import Example, auc, guess
from worlds.core.seeds import Stream, derive


def examples(stream: Stream, *, telling: float) -> list[Example]:
    """Forty families of twenty units; a report has a feature of its own as often as `telling`."""
    made = []
    for family in range(40):
        for _ in range(20):
            is_report = stream.chance(0.2)
            words = [f"word {stream.below(30)}" for _ in range(6)]
            if is_report and stream.chance(telling):
                words.append("slip")
            made.append(Example(f"family {family}", tuple(words), is_report))
    return made


def test_what_tells_is_found() -> None:
    assert auc(guess(examples(derive(1, "examples"), telling=0.9))) > 0.9


def test_what_tells_half_the_time_is_found_half() -> None:
    assert 0.68 < auc(guess(examples(derive(2, "examples"), telling=0.5))) < 0.82


@pytest.mark.parametrize("seed", range(3, 7))
def test_where_nothing_tells_nothing_is_found(seed: int) -> None:
    assert 0.42 < auc(guess(examples(derive(seed, "examples"), telling=0.0))) < 0.58


def test_a_family_is_not_learned_by_heart() -> None:
    stream = derive(8, "examples")
    made = [
        Example(f"family {f}", (f"report of {f}" if is_report else f"clue of {f}",), is_report)
        for f in range(30)
        for is_report in (stream.chance(0.3) for _ in range(40))
    ]
    assert auc(guess(made)) == 0.5


def test_the_same_examples_give_the_same_guesses() -> None:
    made = examples(derive(9, "examples"), telling=0.3)
    assert guess(made) == guess(made)


@pytest.mark.parametrize(
    ("guesses", "area"),
    [
        ([], 0.5),
        ([(0.3, True)], 0.5),
        ([(0.1, False), (0.9, True)], 1.0),
        ([(0.9, False), (0.1, True)], 0.0),
        ([(0.5, False), (0.5, True)], 0.5),
        ([(0.1, False), (0.2, True), (0.2, False), (0.9, True)], 0.875),
    ],
)
def test_the_area_under_the_curve(guesses: list[tuple[float, bool]], area: float) -> None:
    assert auc(guesses) == area
