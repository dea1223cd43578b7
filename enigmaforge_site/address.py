"""Where the running site can be reached, as the `up` command noted it."""

from __future__ import annotations

from django.conf import settings

__all__ = ["current", "forget", "note"]

_DEFAULT = "http://127.0.0.1:8000"


def note(site: str) -> None:
    """Write down where the site is, for commands in other terminals."""
    (settings.VAR / "address").write_text(site + "\n", encoding="ascii")


def forget() -> None:
    """Remove the note when the site stops."""
    (settings.VAR / "address").unlink(missing_ok=True)


def current() -> str:
    """Return where the site is, or where it would be by default."""
    try:
        return (settings.VAR / "address").read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return _DEFAULT
