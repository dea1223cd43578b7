"""One call to an OpenAI-compatible chat endpoint, bounded in time and size.

Whatever goes wrong is a `ChatFailed` with a reason that never holds the key or the address.
Redirects are not followed: the key goes to the address it was given for and to no other.
"""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Event, Timer
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from worlds.core.errors import BadInput, EnigmaError

__all__ = ["MOST_BYTES", "ChatEndpoint", "ChatFailed", "configured_endpoint"]

MOST_BYTES = 1_000_000
"""The longest answer that is read."""

_TOLD = "[the key]"


class ChatFailed(EnigmaError):
    """No usable reply; `fatal` if asking again cannot help."""

    def __init__(self, reason: str, *, fatal: bool = False) -> None:
        self.fatal = fatal
        super().__init__(reason)


class ChatEndpoint:
    """An endpoint: base address, model and key. The key shows in no repr, error or reply."""

    def __init__(self, url: str, model: str, key: str = "", *, timeout: float = 120.0) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
            expected = "an address such as http://127.0.0.1:11434/v1, without user or password"
            raise BadInput("ENIGMAFORGE_NARRATOR_URL", "an address that cannot be used", expected)
        if not model:
            raise BadInput("ENIGMAFORGE_NARRATOR_MODEL", model, "the name of a model")
        if not key.isascii() or not key.isprintable():
            raise BadInput("ENIGMAFORGE_NARRATOR_KEY", "a key", "printable ASCII")
        self.model = model
        self._parts = parts
        self._key = key
        self._timeout = timeout

    def reply(self, messages: Sequence[Mapping[str, str]]) -> str:
        """The text that the model gives; raises ChatFailed."""
        status, data = self._post({"model": self.model, "messages": list(messages)})
        if status != http.client.OK:
            raise ChatFailed(f"HTTP {status}", fatal=status in (401, 403, 404))
        if len(data) > MOST_BYTES:
            raise ChatFailed(f"the answer is longer than {MOST_BYTES} bytes")
        text = _content(data).encode("utf-8", "replace").decode("utf-8")
        return text.replace(self._key, _TOLD) if self._key else text

    def _post(self, body: Mapping[str, Any]) -> tuple[int, bytes]:
        """Status and body; the whole exchange ends after the timeout, however slowly it drips."""
        secure = self._parts.scheme == "https"
        make = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = make(self._parts.hostname or "", self._parts.port, timeout=self._timeout)
        late = Event()

        def cut() -> None:
            late.set()
            with suppress(OSError):
                if connection.sock is not None:
                    connection.sock.shutdown(socket.SHUT_RDWR)

        watch = Timer(self._timeout, cut)
        watch.daemon = True
        watch.start()
        try:
            path = self._parts.path.rstrip("/") + "/chat/completions"
            connection.request("POST", path, json.dumps(body).encode(), self._headers())
            response = connection.getresponse()
            data = response.read(MOST_BYTES + 1)
        except (OSError, http.client.HTTPException, ValueError) as error:
            told = f"no answer within {self._timeout:g} seconds" if late.is_set() else None
            raise ChatFailed(told or f"no answer ({type(error).__name__})") from None
        finally:
            watch.cancel()
            connection.close()
        if late.is_set():
            raise ChatFailed(f"no answer within {self._timeout:g} seconds")
        return response.status, data

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        return headers


def configured_endpoint() -> ChatEndpoint:
    """The endpoint that the environment of this process names; raises BadInput without one."""
    return ChatEndpoint(settings.NARRATOR_URL, settings.NARRATOR_MODEL, settings.NARRATOR_KEY)


def _content(data: bytes) -> str:
    """The text of a chat completion; raises ChatFailed if it was cut off, refused or is none."""
    try:
        choice = json.loads(data)["choices"][0]
        content = choice["message"]["content"]
    except (ValueError, RecursionError, KeyError, IndexError, TypeError):
        raise ChatFailed("the answer is not a chat completion") from None
    if choice.get("finish_reason") not in ("stop", None):
        raise ChatFailed("the reply is incomplete: it did not end with finish_reason stop")
    if not isinstance(content, str):
        raise ChatFailed("the answer holds no text")
    return content
