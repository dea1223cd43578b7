"""`manage.py forge`: one instance, the same bytes everywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.worlds.services.chat_server import Reply, chat_server, good_scene
from worlds.core.codec import encode_instance
from worlds.core.ids import parse_id
from worlds.core.mint import mint

ROOT = Path(__file__).parents[3]
ID = "ef1-chain-L00-maritime-s7-imp1"


def _forge(**options: Any) -> str:
    out = StringIO()
    call_command("forge", stdout=out, **options)
    return out.getvalue()


def _run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )


def test_id_gives_the_canonical_json() -> None:
    assert _forge(id=ID) == encode_instance(mint(parse_id(ID))) + "\n"


def test_parts_give_what_their_id_gives() -> None:
    assert _forge(seed=7, level="L00", genre="maritime") == _forge(id=ID)
    assert _forge(
        seed=7, level="L00", genre="maritime", condition="explicit", realization=2
    ) == _forge(id="ef1-chain-L00-maritime-s7-exp2")


def test_seed_zero_is_a_seed() -> None:
    assert '"seed":0,' in _forge(seed=0, level="L00", genre="maritime")


def test_burial_makes_a_story_under_its_own_id() -> None:
    told = json.loads(_forge(seed=7, level="L00", genre="maritime", burial=2))
    assert told["id"] == "ef1-chain-L00-maritime-s7-imp1-b2"
    assert (told["burial"], told["narrator"], len(told["documents"])) == (2, "seeded", 1)


def test_bytes_are_those_of_the_core_in_any_process() -> None:
    site = _run("manage.py", "forge", "--id", ID, PYTHONHASHSEED="1", PYTHONIOENCODING="latin-1")
    core = _run("-m", "worlds.core", "--id", ID, PYTHONHASHSEED="2")
    assert site.returncode == core.returncode == 0, site.stderr
    assert site.stdout == core.stdout == _forge(id=ID).encode()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"id": "ef1-chain-L00"}, "expected an id like ef1-chain-L03-maritime-s417-imp1"),
        ({"id": "ef2-chain-L00-maritime-s7-imp1"}, "expected ef1"),
        ({"id": ID, "seed": 7}, "leave out --seed"),
        ({"seed": 7}, "missing: --level, --genre"),
        ({"seed": -1, "level": "L00", "genre": "maritime"}, "--seed: found -1"),
        ({"seed": 2**53, "level": "L00", "genre": "maritime"}, "from 0 to 9007199254740991"),
        ({"seed": 7, "level": "L88", "genre": "maritime"}, "a level from L00 to"),
        ({"seed": 7, "level": "L00", "genre": "moon"}, "genre: found 'moon'"),
        ({"seed": 7, "level": "L00", "genre": "maritime", "profile": "loud"}, "expected chain"),
        ({"seed": 7, "level": "L00", "genre": "maritime", "realization": 0}, "from 1 to 9"),
        ({"seed": 7, "level": "L00", "genre": "maritime", "burial": 6}, "instance id: found"),
        ({"id": "ef1-chain-L00-maritime-s7-frm1-b3"}, "the formal condition tells no story"),
        ({"id": "ef1-chain-L00-maritime-s7-imp1-b3-n0123abcd"}, "a seed does not reproduce it"),
    ],
)
def test_bad_input_is_a_sentence_and_exit_code_2(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence) as refused:
        _forge(**options)
    assert refused.value.returncode == 2


@pytest.mark.parametrize(
    "arguments",
    [("--id", "nonsense"), ("--seed", "x"), ("--condition", "loud"), ("--nonsense",), ()],
)
def test_error_on_the_command_line_is_one_line(arguments: tuple[str, ...]) -> None:
    done = _run("manage.py", "forge", *arguments)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.startswith(b"error: ")
    assert done.stderr.count(b"\n") == 1


def test_help_is_given() -> None:
    done = _run("manage.py", "forge", "--help")
    assert done.returncode == 0
    assert b"--realization" in done.stdout


def test_a_chat_model_can_tell_the_story(settings: Any) -> None:
    with chat_server(lambda prompt, n: Reply(good_scene(prompt))) as server:
        settings.NARRATOR_URL, settings.NARRATOR_MODEL = server.url, "teller-1"
        settings.NARRATOR_KEY = "sk-secret"
        told = json.loads(_forge(id=f"{ID}-b1", narrator="chat"))
    assert told["narrator"] == "chat"
    assert told["id"].startswith(f"{ID}-b1-n")
    assert "sk-secret" not in json.dumps(told)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [(f"{ID}-b1", "ENIGMAFORGE_NARRATOR_URL"), (f"{ID}-b1-n01234567", "does not reproduce it")],
)
def test_a_chat_story_needs_an_endpoint_and_has_no_seed(name: str, sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        _forge(id=name, narrator="chat" if name.endswith("b1") else "seeded")
