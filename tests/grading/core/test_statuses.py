"""Markers and what they mean."""

from __future__ import annotations

from itertools import permutations

import pytest

from grading.core.statuses import Status, provider_error, strongest


def test_strongest_marker_wins_in_any_order() -> None:
    order = [Status.FAILED, Status.FILTERED, Status.REFUSED, Status.TRUNCATED, Status.ANSWERED]
    for at in range(len(order)):
        assert all(strongest(some) is order[at] for some in permutations(order[at:]))


def test_no_marker_is_missing() -> None:
    assert strongest([]) is Status.MISSING


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("content_filter", Status.FILTERED),
        ("content_policy_violation", Status.FILTERED),
        ("cyber_policy", Status.FILTERED),
        ("invalid_prompt", Status.FILTERED),
        ("content_filter_error", Status.FAILED),
        ("context_length_exceeded", Status.FAILED),
        ("batch_expired", Status.FAILED),
        (None, Status.FAILED),
    ],
)
def test_provider_error(code: str | None, status: Status) -> None:
    assert provider_error(code) is status


def test_missing_mass_is_all_but_answered_and_truncated() -> None:
    assert [status.value for status in Status if status.is_scored] == ["answered", "truncated"]
