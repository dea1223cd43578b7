"""Collect the static files under hashed and compressed names, but only when they have changed."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

__all__ = ["collect_if_changed"]


def collect_if_changed() -> bool:
    """Run `collectstatic` unless its last run saw these very files; say whether it ran."""
    stamp = settings.VAR / "static.fingerprint"
    found = _fingerprint()
    if stamp.exists() and stamp.read_text(encoding="ascii") == found:
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(found, encoding="ascii")
    return True


def _fingerprint() -> str:
    """Return a digest of every source file's name, size and time, and of where they go."""
    digest = hashlib.sha256(f"{settings.STATIC_ROOT} {settings.STORAGES}".encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
