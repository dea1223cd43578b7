"""Make the site's secret key on the first start and keep it in a private file.

There is no default key anywhere: a copied default would let anyone forge sessions.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

__all__ = ["load_or_make_key"]

_LEAST_LENGTH = 50


def load_or_make_key(path: Path) -> str:
    """Return the key in `path`; make the file, readable by its owner only, when it is missing."""
    if not path.exists():
        _publish(path, secrets.token_urlsafe(64))
    key = path.read_text(encoding="ascii").strip()
    if len(key) < _LEAST_LENGTH:
        raise ImproperlyConfigured(
            f"{path} holds {len(key)} characters; expected a secret key of {_LEAST_LENGTH} or more."
            " Delete the file and a new key is made (everyone signs in again)."
        )
    return key


def _publish(path: Path, key: str) -> None:
    """Write the whole key, then give it its name: two first starts at once agree on one key."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(key + "\n")
    with suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()
