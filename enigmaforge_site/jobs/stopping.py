"""One byte that tells a worker's processes to stop at the next step.

The main process of a worker hears the signal to stop, its pool processes do the work. They share
this byte, made before the fork, so that a job can hand itself back between two steps instead of
being killed in the middle of one. Anywhere else the byte stays zero.
"""

from __future__ import annotations

from multiprocessing.sharedctypes import RawValue

__all__ = ["is_requested", "request"]

_requested = RawValue("b", 0)


def request() -> None:
    """Ask every process forked from this one to stop at its next step."""
    _requested.value = 1


def is_requested() -> bool:
    """Say whether a stop was asked for."""
    return bool(_requested.value)
