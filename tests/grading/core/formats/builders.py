"""Inspect logs for tests, as one object and as archives.

Zstandard members are among them, which `zipfile` cannot write here.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import zstandard

__all__ = ["DATA", "HEADER", "dumped", "log", "output", "sample", "zipped"]

DATA = Path(__file__).parent / "data"
HEADER = {"version": 2, "status": "success", "eval": {"task": "t", "model": "openai/gpt-x"}}


def sample(**changed: Any) -> dict[str, Any]:
    """One sample; its reply is `reply` and ended by itself."""
    fields = {"id": "ef1-chain-L00-maritime-s0-imp1", "epoch": 1, "output": output()}
    return fields | changed


def output(
    text: object = "reply", reason: str = "stop", *, choice: Any = None, **more: Any
) -> dict[str, Any]:
    """What a model put out, as one choice."""
    message = {"role": "assistant", "content": text}
    return {
        "model": "gpt-x-0101",
        "choices": [{"message": message, "stop_reason": reason} | (choice or {})],
        "usage": {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15},
    } | more


def log(*samples: Any, model: str = "openai/gpt-x", indent: int | None = 2) -> bytes:
    """A whole log; what comes before and after the samples has traps in it."""
    header = HEADER | {"eval": {"task": "t", "model_args": {"model": "no"}, "model": model}}
    return json.dumps(header | {"samples": samples, "reductions": [[1]]}, indent=indent).encode()


def dumped(value: object) -> bytes:
    """A value as a member's JSON."""
    return json.dumps(value, indent=2).encode()


def zipped(members: Mapping[str, bytes], method: int) -> bytes:
    """An archive whose members are all packed by one method: 0, 8 or 93."""
    body, directory = b"", b""
    for name, data in members.items():
        packed, key = _packed(data, method), name.encode()
        fields = struct.pack(
            "<HHHHIIIHH", 0, method, 0, 33, zlib.crc32(data), len(packed), len(data), len(key), 0
        )
        directory += b"PK\x01\x02" + struct.pack("<HH", 20, 20) + fields
        directory += struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + key
        body += b"PK\x03\x04" + struct.pack("<H", 20) + fields + key + packed
    count = len(members)
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, count, count, len(directory), len(body), 0)
    return body + directory + end


def _packed(data: bytes, method: int) -> bytes:
    if method == 8:
        packer = zlib.compressobj(wbits=-15)
        return packer.compress(data) + packer.flush()
    return zstandard.ZstdCompressor().compress(data) if method == 93 else data
