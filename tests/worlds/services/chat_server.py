"""An OpenAI-compatible chat server on loopback that tells scenes well, or badly on request."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

__all__ = ["ChatServer", "Reply", "chat_server", "good_scene", "sentences_of"]


@dataclass(frozen=True)
class Reply:
    """What the server sends: a text as a completion, or raw bytes, after a pause if need be."""

    text: str = ""
    status: int = 200
    finish: str = "stop"
    raw: bytes | None = None
    pause: float = 0.0
    drip: float = 0.0
    location: str = ""


Behaviour = Callable[[str, int], Reply]


@dataclass
class ChatServer:
    """Where the server listens, what it does with the nth prompt, and what it was asked."""

    url: str
    behave: Behaviour
    prompts: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


@contextmanager
def chat_server(behave: Behaviour) -> Iterator[ChatServer]:
    """A server for the length of a block."""
    told = ChatServer("", behave)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            prompt = json.loads(body)["messages"][-1]["content"]
            told.prompts.append(prompt)
            told.keys.append(self.headers.get("Authorization", ""))
            try:
                self._answer(told.behave(prompt, len(told.prompts) - 1))
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def _answer(self, reply: Reply) -> None:
            time.sleep(reply.pause)
            choice = {"message": {"content": reply.text}, "finish_reason": reply.finish}
            data = (
                reply.raw if reply.raw is not None else json.dumps({"choices": [choice]}).encode()
            )
            self.send_response(reply.status)
            if reply.location:
                self.send_header("Location", reply.location)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            for byte in (data[i : i + 1] for i in range(len(data))) if reply.drip else (data,):
                self.wfile.write(byte)
                self.wfile.flush()
                time.sleep(reply.drip)

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    told.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def sentences_of(prompt: str) -> list[str]:
    """The sentences that a prompt asks for."""
    return prompt.split("SENTENCES\n")[1].split("\n\n", maxsplit=1)[0].split("\n")


def good_scene(prompt: str, sentences: list[str] | None = None) -> str:
    """A scene that does as it is asked, around the sentences given."""
    told = sentences_of(prompt) if sentences is None else sentences
    dated = re.search(r"say that on (.+?) a letter came from (.+?), in these words", prompt)
    parts = [f"We sat down out of the wind, and nobody minded us. {one}" for one in told]
    if dated:
        parts[-1] = f"A letter came on {dated[1]} from {dated[2]}. {told[-1]}"
    return "\n".join([*parts, "Then we went home."])
