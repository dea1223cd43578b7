"""Tie a child process to its parent, so that nothing is left running when the parent is killed."""

from __future__ import annotations

import ctypes
import signal
import sys

__all__ = ["die_with_parent"]

_PR_SET_PDEATHSIG = 1


def die_with_parent(number: signal.Signals) -> None:
    """Ask the kernel to send this process a signal when its parent dies; Linux only.

    Elsewhere it does nothing: there, only a parent that is stopped properly stops its children.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(number))
