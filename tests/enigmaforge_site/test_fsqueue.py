"""The broker made of files loses nothing: not to a half-written message, not to a dead process."""

from __future__ import annotations

import json
import multiprocessing
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection
from kombu.exceptions import ChannelError
from kombu.simple import SimpleQueue

from enigmaforge_site import fsqueue

fsqueue.register()


def _connect(folder: Path) -> Connection:
    return Connection(
        "fsqueue://localhost",
        transport_options={"folder": str(folder), "polling_interval": 0.01},
    )


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[SimpleQueue]:
    with _connect(tmp_path) as connection, connection.SimpleQueue("work") as queue:
        yield queue


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*.msg"))


def test_messages_come_out_in_the_order_they_went_in(queue: SimpleQueue) -> None:
    for number in range(5):
        queue.put({"n": number})
    received = []
    for _ in range(5):
        message = queue.get(timeout=1)
        received.append(message.payload["n"])
        message.ack()
    assert received == [0, 1, 2, 3, 4]


def test_a_message_stays_on_disk_until_it_is_acknowledged(
    queue: SimpleQueue, tmp_path: Path
) -> None:
    queue.put("job")
    assert len(_names(tmp_path / "ready")) == 1
    message = queue.get(timeout=1)
    assert len(_names(tmp_path / "taken")) == 1
    message.ack()
    assert _names(tmp_path) == []


def test_a_rejected_message_waits_again_when_asked_to(queue: SimpleQueue, tmp_path: Path) -> None:
    queue.put("job")
    queue.get(timeout=1).requeue()
    assert len(_names(tmp_path / "ready")) == 1
    queue.get(timeout=1).reject()
    assert _names(tmp_path) == []


def test_a_closed_connection_gives_back_what_it_had_not_acknowledged(tmp_path: Path) -> None:
    with _connect(tmp_path) as connection:
        queue = connection.SimpleQueue("work")
        queue.put("job")
        queue.get(timeout=1)
        assert _names(tmp_path / "ready") == []
        connection.default_channel.qos.restore_unacked_once()
    assert len(_names(tmp_path / "ready")) == 1


def test_a_half_written_message_is_not_seen(queue: SimpleQueue, tmp_path: Path) -> None:
    (tmp_path / "ready" / ".00000000000000000001-x.work.msg").write_text("{", encoding="utf-8")
    assert queue.qsize() == 0
    with pytest.raises(Empty):
        queue.get(block=False)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"properties": {}}', "\ud800".encode("utf-8", "surrogatepass")]
)
def test_an_unreadable_message_is_set_aside_and_the_next_one_delivered(
    queue: SimpleQueue, tmp_path: Path, text: str | bytes
) -> None:
    bad = tmp_path / "ready" / "00000000000000000001-x.work.msg"
    bad.write_bytes(text if isinstance(text, bytes) else text.encode())
    queue.put("good")
    assert queue.get(timeout=1).payload == "good"
    assert _names(tmp_path / "dead") == [bad.name]


def test_queues_do_not_mix(tmp_path: Path) -> None:
    with _connect(tmp_path) as connection:
        work, other = connection.SimpleQueue("work"), connection.SimpleQueue("other")
        work.put("job")
        assert other.qsize() == 0
        assert work.qsize() == 1
        assert work.clear() == 1
        assert _names(tmp_path) == []


def test_a_queue_name_that_is_no_file_name_is_refused(tmp_path: Path) -> None:
    with _connect(tmp_path) as connection, pytest.raises(ChannelError, match="expected letters"):
        connection.default_channel._put("../elsewhere", {})


_TAKE_AND_DIE = """
import os, signal, sys
from kombu import Connection
from enigmaforge_site import fsqueue
fsqueue.register()
connection = Connection("fsqueue://localhost", transport_options={"folder": sys.argv[1]})
print(connection.SimpleQueue("work").get(timeout=5).payload, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_the_message_of_a_killed_process_waits_again(queue: SimpleQueue, tmp_path: Path) -> None:
    queue.put("job")
    dead = subprocess.run(
        [sys.executable, "-c", _TAKE_AND_DIE, str(tmp_path)],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (dead.stdout, dead.returncode) == ("job\n", -signal.SIGKILL)
    assert _names(tmp_path / "ready") == []
    claims = fsqueue.Claims(tmp_path / "ready", tmp_path / "taken")
    assert claims.recover() == 1
    assert queue.get(timeout=1).payload == "job"


def test_the_messages_of_a_living_process_are_left_to_it(
    queue: SimpleQueue, tmp_path: Path
) -> None:
    queue.put("job")
    queue.get(timeout=1)
    # A record lock does not keep its own process out, so another one must ask.
    code = (
        "import sys; from pathlib import Path; from enigmaforge_site.fsqueue import Claims;"
        "root = Path(sys.argv[1]); print(Claims(root / 'ready', root / 'taken').recover())"
    )
    asked = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert asked.stdout == "0\n"


def _publish(folder: str, worker: int, count: int) -> None:
    with _connect(Path(folder)) as connection, connection.SimpleQueue("work") as queue:
        for number in range(count):
            queue.put([worker, number])


def _consume(folder: str, target: str) -> None:
    with (
        _connect(Path(folder)) as connection,
        connection.SimpleQueue("work") as queue,
        Path(target).open("w", encoding="utf-8") as out,
    ):
        while True:
            try:
                message = queue.get(timeout=1)
            except Empty:
                return
            out.write(json.dumps(message.payload) + "\n")
            message.ack()


def test_processes_that_publish_and_consume_at_once_lose_and_double_nothing(
    tmp_path: Path,
) -> None:
    folder, count = tmp_path / "queue", 100
    spawn = multiprocessing.get_context("spawn")
    consumers = [
        spawn.Process(target=_consume, args=(str(folder), str(tmp_path / f"out{n}")))
        for n in range(2)
    ]
    producers = [spawn.Process(target=_publish, args=(str(folder), n, count)) for n in range(2)]
    for process in [*consumers, *producers]:
        process.start()
    for process in [*producers, *consumers]:
        process.join(60)
        assert process.exitcode == 0
    lines = [line for n in range(2) for line in (tmp_path / f"out{n}").read_text().splitlines()]
    assert sorted(map(json.loads, lines)) == [[n, i] for n in range(2) for i in range(count)]
    assert _names(folder / "dead") == []
