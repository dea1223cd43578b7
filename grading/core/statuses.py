"""Status: what became of a request, kept apart from whether the answer is right.

A status comes from a marker that the file carries, never from the wording of a reply. The tables
below are the whole of it: a marker that no table knows leaves the record answered with
`stop_unknown`. Where several markers speak, the strongest wins:
failed > filtered > refused > truncated > answered.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

__all__ = [
    "FILTER_CODES",
    "STOP_REASONS",
    "Status",
    "provider_error",
    "strongest",
]


class Status(StrEnum):
    """What became of one request."""

    ANSWERED = "answered"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    FILTERED = "filtered"
    FAILED = "failed"
    MISSING = "missing"

    @property
    def is_scored(self) -> bool:
        """Whether the reply is graded; every other status is missing mass."""
        return self in (Status.ANSWERED, Status.TRUNCATED)


_STRENGTH = (
    Status.MISSING,
    Status.ANSWERED,
    Status.TRUNCATED,
    Status.REFUSED,
    Status.FILTERED,
    Status.FAILED,
)

STOP_REASONS = {
    # OpenAI chat completions
    "stop": Status.ANSWERED,
    "length": Status.TRUNCATED,
    "content_filter": Status.FILTERED,
    # OpenAI responses
    "completed": Status.ANSWERED,
    "max_output_tokens": Status.TRUNCATED,
    # Anthropic
    "end_turn": Status.ANSWERED,
    "stop_sequence": Status.ANSWERED,
    "max_tokens": Status.TRUNCATED,
    "model_context_window_exceeded": Status.TRUNCATED,
    "refusal": Status.REFUSED,
    # Inspect
    "model_length": Status.TRUNCATED,
}
"""Stop reasons of every vendor whose words do not contradict each other."""

FILTER_CODES = frozenset(
    {"content_filter", "content_policy_violation", "cyber_policy", "invalid_prompt"}
)
"""Error codes by which a provider says that it blocked input or output.

`content_filter_error` is not among them: it says that the filter itself broke down.
"""


def strongest(statuses: Iterable[Status]) -> Status:
    """The status that wins where several markers speak; missing when none does."""
    return max(statuses, key=_STRENGTH.index, default=Status.MISSING)


def provider_error(code: str | None) -> Status:
    """The status of a request that ended in an error with this code."""
    return Status.FILTERED if code in FILTER_CODES else Status.FAILED
