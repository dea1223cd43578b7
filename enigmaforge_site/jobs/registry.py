"""Which function does which kind of job.

An app's `tasks` module registers its steps; the worker imports those modules and finds them here.
"""

from __future__ import annotations

from collections.abc import Callable

from enigmaforge_site.jobs.models import Job

__all__ = ["Step", "job_kind", "step_of"]

Step = Callable[[Job], None]

_steps: dict[str, Step] = {}


def job_kind(kind: str) -> Callable[[Step], Step]:
    """Register the decorated function as the one that does jobs of this kind.

    It is called with a claimed job, and again, from the start, after a crash or a pause: it must
    skip what is already stored, store in chunks, and call `services.progress` with each.
    """

    def register(step: Step) -> Step:
        known = _steps.setdefault(kind, step)
        if known is not step:
            raise ValueError(f"job kind {kind!r} is taken by {known.__module__}")
        return step

    return register


def step_of(kind: str) -> Step:
    """Return the function for a kind; `LookupError` names the kinds there are."""
    if kind not in _steps:
        raise LookupError(f"no job kind {kind!r}; there are {', '.join(sorted(_steps)) or 'none'}")
    return _steps[kind]
