"""Certificates: what is proved of a world, in one JSON that anyone can recompute.

`certify` proves or raises: a certificate exists only for a world in which everything holds.
`verify` recomputes all of a certificate from the constraints and names what differs.
"""

from __future__ import annotations

from worlds.core.certify.proving import FORMAT, certify
from worlds.core.certify.verify import Finding, verify

__all__ = ["FORMAT", "Finding", "certify", "verify"]
