"""Read settings from `ENIGMAFORGE_*` variables, or stop.

Each reader takes a name without the prefix and a default, and checks what it finds. A value it
cannot use stops the start with one sentence: the variable, what it holds, what was expected.
Nothing is guessed, and a misspelt name is an error, because a setting that silently does nothing
is worse than none.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

__all__ = ["PREFIX", "Environment"]

PREFIX = "ENIGMAFORGE_"

_FLAGS = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off"), False),
}


class Environment:
    """The `ENIGMAFORGE_*` part of a mapping such as `os.environ`."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables
        self._asked: set[str] = set()

    def text(self, name: str, default: str) -> str:
        """Return a string as it stands; an empty variable counts as unset."""
        self._asked.add(PREFIX + name)
        return self._variables.get(PREFIX + name, "").strip() or default

    def flag(self, name: str, default: bool) -> bool:
        """Return a truth value."""
        found = self.text(name, "1" if default else "0")
        if found.lower() not in _FLAGS:
            self._refuse(name, found, "1 or 0 (true/false, yes/no, on/off)")
        return _FLAGS[found.lower()]

    def number(self, name: str, default: int, *, least: int, most: int) -> int:
        """Return a whole number between `least` and `most`, both allowed."""
        found = self.text(name, str(default))
        expected = f"a whole number from {least} to {most}"
        if not (found.isascii() and found.isdigit()):
            self._refuse(name, found, expected)
        if not least <= int(found) <= most:
            self._refuse(name, found, expected)
        return int(found)

    def choice(self, name: str, default: str, allowed: tuple[str, ...]) -> str:
        """Return one of the allowed words, in capitals or not."""
        found = self.text(name, default)
        if found.upper() not in allowed:
            self._refuse(name, found, ", ".join(allowed))
        return found.upper()

    def names(self, name: str, default: tuple[str, ...] = ()) -> list[str]:
        """Return the parts of a comma-separated list."""
        found = self.text(name, ",".join(default))
        return [part.strip() for part in found.split(",") if part.strip()]

    def origins(self, name: str) -> list[str]:
        """Return a comma-separated list of origins such as `https://forge.example.org`."""
        found = self.names(name)
        for origin in found:
            parts = urlsplit(origin)
            if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path:
                self._refuse(name, origin, "origins such as https://forge.example.org")
        return found

    def folder(self, name: str, default: Path) -> Path:
        """Return an absolute folder; it need not exist yet."""
        path = Path(self.text(name, str(default))).expanduser()
        if path.exists() and not path.is_dir():
            self._refuse(name, str(path), "a folder")
        return path.absolute()

    def broker(self, name: str, default: str) -> str:
        """Return a broker address: `fsqueue://` (no server) or a Redis one."""
        found = self.text(name, default)
        parts = _split(found)
        embedded = parts is not None and parts.scheme == "fsqueue"
        if not embedded and not (parts and parts.scheme in {"redis", "rediss"} and parts.hostname):
            self._refuse(name, _without_password(found), "fsqueue:// or redis://host:port/number")
        return found

    def database(self, name: str, default: Path) -> dict[str, Any]:
        """Return the `ENGINE`, place and query options of a database address."""
        found = self.text(name, f"sqlite:///{default}")
        parts = _split(found)
        if parts and parts.scheme == "sqlite" and not parts.netloc and parts.path[1:2] == "/":
            path = unquote(parts.path[1:])
            return {"ENGINE": "django.db.backends.sqlite3", "NAME": path, "OPTIONS": {}}
        if parts and parts.scheme in {"postgres", "postgresql"} and len(parts.path) > 1:
            return {
                "ENGINE": "django.db.backends.postgresql",
                "NAME": unquote(parts.path[1:]),
                "USER": unquote(parts.username or ""),
                "PASSWORD": unquote(parts.password or ""),
                "HOST": parts.hostname or "",
                "PORT": str(parts.port or ""),
                "OPTIONS": dict(parse_qsl(parts.query)),
            }
        expected = "sqlite:////absolute/path or postgres://user:password@host:port/name"
        return self._refuse(name, _without_password(found), expected)

    def refuse_unknown(self) -> None:
        """Stop at a variable with our prefix that no setting has asked for."""
        for name in sorted(self._variables):
            if name.startswith(PREFIX) and name not in self._asked:
                near = difflib.get_close_matches(name, sorted(self._asked), n=1)
                hint = f"did you mean {near[0]}?" if near else "docs/running.md lists them."
                raise ImproperlyConfigured(f"{name} is not a setting of EnigmaForge: {hint}")

    def _refuse(self, name: str, found: str, expected: str) -> NoReturn:
        raise ImproperlyConfigured(f"{PREFIX}{name} is {found!r}; expected {expected}.")


def _split(address: str) -> SplitResult | None:
    """Split an address; `None` for one that has a bad port or a broken bracket."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return None
    return parts


def _without_password(address: str) -> str:
    """Leave out what stands between `//` and `@`: error lines end up in logs."""
    scheme, mark, rest = address.partition("//")
    return f"{scheme}//…@{rest.rpartition('@')[2]}" if mark and "@" in rest else address
