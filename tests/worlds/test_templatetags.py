"""Numbers as people read them."""

from __future__ import annotations

import pytest

from worlds.templatetags.evidence import duration, percent


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.0, "1 s"),
        (12.4, "12 s"),
        (89.4, "89 s"),
        (90.0, "2 min"),
        (3540.0, "59 min"),
        (3599.0, "1 h 0 min"),
        (7800.0, "2 h 10 min"),
    ],
)
def test_time_is_told_in_the_units_that_matter(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_a_share_is_told_in_per_cent() -> None:
    assert [percent(share) for share in (0.0, 0.125, 1.0)] == ["0.0 %", "12.5 %", "100.0 %"]
