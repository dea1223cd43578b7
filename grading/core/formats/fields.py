"""Fields that several formats share, each checked the same way everywhere."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from grading.core.formats.rows import Malformed, Usage, told
from grading.core.normal import storable

__all__ = ["MAX_EPOCH", "epoch_of", "model_of", "sample_id_of", "text_of", "usage_of"]

MAX_EPOCH = 10_000
_SAMPLE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MAX_MODEL = 200


def sample_id_of(raw: object) -> str:
    """An instance id; whether the corpus has it is for others to say."""
    if not isinstance(raw, str) or not _SAMPLE_ID.fullmatch(raw):
        raise Malformed("sample_id", told(raw), "an instance id: 1 to 64 letters, digits, _ and -")
    return raw


def epoch_of(raw: object) -> int:
    """A number from 1; 1 where none is given."""
    if raw is None:
        return 1
    if isinstance(raw, bool) or not isinstance(raw, int) or not 1 <= raw <= MAX_EPOCH:
        raise Malformed("epoch", told(raw), f"a whole number from 1 to {MAX_EPOCH}")
    return raw


def model_of(raw: object) -> str | None:
    """A model's name in NFC with single spaces; case and prefixes are left as they are."""
    if raw is None:
        return None
    if not isinstance(raw, str) or len(raw) > _MAX_MODEL:
        raise Malformed("model", told(raw), f"a name of at most {_MAX_MODEL} characters")
    name = " ".join(unicodedata.normalize("NFC", raw).split())
    if not name or any(unicodedata.category(char) in ("Cc", "Cs") for char in name):
        raise Malformed("model", told(raw), "a name without control characters")
    return name


def text_of(raw: object, field: str) -> str:
    """Text, storable."""
    if not isinstance(raw, str):
        raise Malformed(field, told(raw), "text")
    return storable(raw)


def usage_of(raw: Any) -> Usage | None:
    """Token counts under the names that vendors use; anything else is ignored."""
    if not isinstance(raw, dict):
        return None
    usage = Usage(
        _tokens(raw, "input_tokens", "prompt_tokens"),
        _tokens(raw, "output_tokens", "completion_tokens"),
    )
    return None if usage == Usage() else usage


def _tokens(raw: dict[str, Any], *names: str) -> int | None:
    for name in names:
        count = raw.get(name)
        if isinstance(count, int) and not isinstance(count, bool) and 0 <= count < 2**53:
            return count
    return None
