"""What the two vendors' batch files share: custom ids that carry an epoch, and error texts.

A batch answers in any order, so a row belongs to its `custom_id` and never to its place. Several
epochs of an instance need several ids: `<sample_id>__e<epoch>`.
"""

from __future__ import annotations

import re

from grading.core.formats.fields import epoch_of, sample_id_of
from grading.core.formats.rows import Malformed, told

__all__ = ["key_of", "worded"]

_CUSTOM_ID = re.compile(r"(.+?)(?:__e([0-9]{1,9}))?")


def key_of(custom_id: object) -> tuple[str, int]:
    """Sample id and epoch of a custom id."""
    if not isinstance(custom_id, str) or not (found := _CUSTOM_ID.fullmatch(custom_id)):
        raise Malformed("custom_id", told(custom_id), "an instance id, with __e2 for epoch 2")
    return sample_id_of(found[1]), epoch_of(None if found[2] is None else int(found[2]))


def worded(code: object, message: object) -> str:
    """An error in one line: its code and its message, as far as there are such."""
    return ": ".join(str(part) for part in (code, message) if isinstance(part, str | int) and part)
