"""`fsqueue://`, a Celery broker made of files, for a machine where no broker runs.

A message is one file, and its folder is its state:

    ready/                waiting; written under a hidden name, then renamed: never half a message
    taken/<owner>/        claimed by a process, by rename: one winner, and still there if it dies
    dead/                 not readable as a message; kept for a person to look at

An owner folder holds a POSIX record lock. The lock ends with its process and does not pass to
forked children, so a folder whose lock can be had belongs to a dead process, and its messages go
back to `ready/`. A message is deleted when it is acknowledged. Delivery is at least once: the job
row, not this queue, decides whether there is something to do.

kombu's own `filesystem://` is not used: it publishes into the final name, so that a reader can see
an empty file, and deletes a message when it hands it out, so that a killed worker loses it.
"""

from __future__ import annotations

import fcntl
import logging
import os
import re
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty
from typing import IO, Any

from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, virtual
from kombu.utils.json import dumps, loads

__all__ = ["SCHEME", "Channel", "Claims", "Transport", "register"]

log = logging.getLogger(__name__)

SCHEME = "fsqueue"
_RECOVER_EVERY_SECONDS = 5.0
_QUEUE_NAME = re.compile(r"[A-Za-z0-9_-]+")


def register() -> None:
    """Make `fsqueue://` known to kombu."""
    TRANSPORT_ALIASES[SCHEME] = f"{__name__}:Transport"


class Claims:
    """The messages this process has taken and not yet acknowledged."""

    def __init__(self, ready: Path, taken: Path) -> None:
        self._ready = ready
        self._taken = taken
        self._pid = 0
        self._folder = taken
        self._lock: IO[str] | None = None
        self._files: dict[str, Path] = {}

    def take(self, message: Path) -> Path | None:
        """Move a waiting message into this process's folder; `None` if another was first."""
        claimed = self._own_folder() / message.name
        try:
            message.rename(claimed)
        except FileNotFoundError:
            return None
        return claimed

    def remember(self, tag: str, claimed: Path) -> None:
        """Note which file the delivery tag stands for."""
        self._files[tag] = claimed

    def drop(self, tag: str) -> None:
        """Delete an acknowledged message. A tag that is not held here is ignored."""
        if file := self._files.pop(tag, None):
            file.unlink(missing_ok=True)

    def give_back(self, tag: str) -> None:
        """Let an unacknowledged message wait again."""
        if file := self._files.pop(tag, None):
            with suppress(FileNotFoundError):
                file.rename(self._ready / file.name)

    def recover(self) -> int:
        """Let the messages of dead processes wait again; return how many there were."""
        found = 0
        for folder in sorted(self._taken.iterdir()):
            if folder != self._folder and not folder.name.startswith("."):
                found += self._recover_from(folder)
        if found:
            log.warning("%d unacknowledged message(s) of a dead worker wait again", found)
        return found

    def _own_folder(self) -> Path:
        if self._pid != os.getpid():
            self._pid, self._files = os.getpid(), {}
            name = f"{self._pid}-{uuid.uuid4().hex}"
            # Locked before it has its final name: no one finds it without its lock.
            draft = self._taken / f".{name}"
            draft.mkdir(mode=0o700)
            self._lock = (draft / "lock").open("w")
            fcntl.lockf(self._lock, fcntl.LOCK_EX)
            self._folder = draft.rename(self._taken / name)
        return self._folder

    def _recover_from(self, folder: Path) -> int:
        try:
            lock = (folder / "lock").open("r+")
        except (FileNotFoundError, NotADirectoryError):
            return 0
        with lock:
            try:
                fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return 0  # Its owner is alive.
            found = 0
            # Another process may have emptied the folder just before we had its lock.
            with suppress(FileNotFoundError):
                for message in sorted(folder.glob("*.msg")):
                    message.rename(self._ready / message.name)
                    found += 1
                (folder / "lock").unlink()
                folder.rmdir()
        return found


class QoS(virtual.QoS):
    """Delivery bookkeeping that also settles the files."""

    channel: Channel

    def ack(self, delivery_tag: str) -> None:
        """Forget the message and delete its file."""
        super().ack(delivery_tag)
        self.channel.claims.drop(delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Forget the message; with `requeue`, `_restore` has put its file back already."""
        super().reject(delivery_tag, requeue=requeue)
        self.channel.claims.drop(delivery_tag)


class Channel(virtual.Channel):
    """A channel whose queues are suffixes of file names in one folder."""

    connection: Any
    QoS = QoS
    supports_fanout = False
    # One set of claims per process and folder, however many channels there are.
    _all_claims: dict[Path, Claims] = {}
    _next_recovery: dict[Path, float] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        options: dict[str, Any] = self.connection.client.transport_options
        self.folder = Path(options["folder"]).absolute()
        for name in ("ready", "taken", "dead"):
            (self.folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)

    @property
    def claims(self) -> Claims:
        """Return what this process holds in this folder."""
        fresh = Claims(self.folder / "ready", self.folder / "taken")
        return self._all_claims.setdefault(self.folder, fresh)

    def _put(self, queue: str, message: dict[str, Any], **_: Any) -> None:
        if not _QUEUE_NAME.fullmatch(queue):
            raise ChannelError(f"queue name {queue!r}: expected letters, digits, - and _")
        name = f"{time.time_ns():020d}-{uuid.uuid4().hex}.{queue}.msg"
        draft = self.folder / "ready" / f".{name}"
        with draft.open("w", encoding="utf-8") as file:
            file.write(dumps(message))
            file.flush()
            os.fsync(file.fileno())
        draft.rename(draft.with_name(name))

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:
        self._recover_now_and_then()
        for waiting in self._waiting(queue):
            claimed = self.claims.take(waiting)
            if claimed is None:
                continue
            try:
                message: dict[str, Any] = loads(claimed.read_text(encoding="utf-8"))
                tag = message["properties"]["delivery_tag"]
            except (ValueError, KeyError, TypeError) as error:
                claimed.rename(self.folder / "dead" / claimed.name)
                log.error("unreadable message, moved to dead/%s: %s", claimed.name, error)
                continue
            self.claims.remember(tag, claimed)
            return message
        raise Empty

    def _restore(self, message: virtual.Message) -> None:
        self.claims.give_back(str(message.delivery_tag))

    def _restore_at_beginning(self, message: virtual.Message) -> None:
        self.claims.give_back(str(message.delivery_tag))

    def _size(self, queue: str) -> int:
        return sum(1 for _ in self._waiting(queue))

    def _purge(self, queue: str) -> int:
        purged = 0
        for waiting in self._waiting(queue):
            with suppress(FileNotFoundError):
                waiting.unlink()
                purged += 1
        return purged

    def _waiting(self, queue: str) -> Iterator[Path]:
        """Yield the waiting messages of a queue, oldest first."""
        ready, suffix = self.folder / "ready", f".{queue}.msg"
        for path in sorted(ready.iterdir()):
            if path.name.endswith(suffix) and not path.name.startswith("."):
                yield path

    def _recover_now_and_then(self) -> None:
        now = time.monotonic()
        if now >= self._next_recovery.get(self.folder, 0.0):
            self._next_recovery[self.folder] = now + _RECOVER_EVERY_SECONDS
            self.claims.recover()


class Transport(virtual.Transport):
    """The transport behind `fsqueue://`; its one option is `folder`."""

    Channel = Channel
    # Exchanges and bindings are declared by every process for itself, as with the memory transport.
    global_state = virtual.BrokerState()
    driver_type = SCHEME
    driver_name = SCHEME

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)
        self.state = self.global_state

    def driver_version(self) -> str:
        """Return the version of the layout on disk."""
        return "1"
