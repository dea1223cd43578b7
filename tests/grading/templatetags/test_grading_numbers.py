"""How differences and probabilities are printed."""

from __future__ import annotations

import pytest

from grading.templatetags.grading_numbers import difference, probability


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (6.25, "0–100", "+6.2"),
        (-3.1, "points", "−3.1"),
        (0.0, "0–100", "0.0"),
        (0.04, "0–100", "0.0"),
        (-0.04, "0–100", "0.0"),
        (0.0714, "0–1", "+0.071"),
        (None, "0–1", ""),
    ],
)
def test_a_difference_has_its_sign_unless_it_is_nothing(
    value: float | None, unit: str, words: str
) -> None:
    assert difference(value, unit) == words


def test_a_probability_is_never_printed_as_zero() -> None:
    assert [probability(p) for p in (1.0, 0.0351, 0.001, 0.0001)] == [
        "1.000",
        "0.035",
        "0.001",
        "< 0.001",
    ]
