"""Sign-in by one-time links: no password is stored, sent or typed anywhere."""

from __future__ import annotations
