"""What an instance is: worlds, proofs and prose, in pure Python.

Nothing below this package imports Django, reads a clock, an environment variable or the global
random state: the same id gives the same bytes in any process.
"""

from __future__ import annotations

__all__ = ["GENERATOR_VERSION"]

GENERATOR_VERSION = 1
