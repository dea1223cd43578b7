from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from tests.worlds.core.prose.mill import FACTS, mill_pack, mill_world
from tests.worlds.services.chat_server import (
    ChatServer,
    Reply,
    chat_server,
    good_scene,
    sentences_of,
)
from worlds.core.codec import decode_instance, encode_instance
from worlds.core.errors import BadFormat, BadInput
from worlds.core.ids import parse_id
from worlds.core.mint import check_mintable
from worlds.core.prose.grammar import Grammar
from worlds.core.prose.story import (
    Outline,
    SceneCheck,
    SeededNarrator,
    check_story,
    join_scenes,
    outline_story,
)
from worlds.core.seeds import derive
from worlds.services.chat_endpoint import MOST_BYTES, ChatEndpoint, ChatFailed
from worlds.services.chat_narrator import ATTEMPTS, ChatNarrator, narrate_instance
from worlds.services.verification import verify_instance

KEY = "sk-do-not-tell-anybody"


@cache
def outline() -> Outline:
    stream = derive(1, "chat test")
    return outline_story(mill_world(), mill_pack(), FACTS, 1, stream)


def narrator(server: ChatServer, timeout: float = 5.0) -> ChatNarrator:
    seeded = SeededNarrator(mill_pack(), derive(1, "chat fallback"))
    check = SceneCheck(mill_world(), mill_pack(), FACTS)
    return ChatNarrator(ChatEndpoint(server.url, "teller-1", KEY, timeout=timeout), check, seeded)


def rewritten(change: Callable[[list[str]], list[str]]) -> Callable[[str], Reply]:
    """A reply whose sentences were changed."""
    return lambda prompt: Reply(good_scene(prompt, change(sentences_of(prompt))))


def around(change: Callable[[str], str]) -> Callable[[str], Reply]:
    """A reply whose whole text was changed."""
    return lambda prompt: Reply(change(good_scene(prompt)))


def lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def insert_word(sentence: str) -> str:
    first, _, rest = sentence.partition(" ")
    return f"{first} indeed {rest}"


BAD: dict[str, tuple[Callable[[str], Reply], str]] = {
    "drops": (rewritten(lambda s: s[1:]), "not there word for word"),
    "paraphrases": (rewritten(lambda s: [insert_word(s[0]), *s[1:]]), "not there word for word"),
    "duplicates": (rewritten(lambda s: [s[0], *s]), "or twice"),
    "reorders": (rewritten(lambda s: [*s[1:], s[0]]), "do not stand in their order"),
    "negates": (
        rewritten(lambda s: [f"It is not so that {lowered(s[0])}", *s[1:]]),
        "not a sentence of its own|word for word",
    ),
    "turns": (
        rewritten(lambda s: [f"{s[0]} It was a lie.", *s[1:]]),
        "could take a line back: 'lie'",
    ),
    "hands on": (
        rewritten(lambda s: [f"Here is what the boy said. {s[0]}", *s[1:]]),
        "stands hearsay: 'Here is what the boy said'",
    ),
    "hands on afterwards": (
        rewritten(lambda s: [f"{s[0]} So the boy told me.", *s[1:]]),
        "stands hearsay",
    ),
    "disbelieves": (
        rewritten(lambda s: [f"{s[0]} Nobody believed it.", *s[1:]]),
        "could take a line back: 'believed'",
    ),
    "puts in a mouth": (
        rewritten(lambda s: [f"“You see. {s[0]} So there,” cried the clerk.", *s[1:]]),
        "inside quotation marks",
    ),
    "adds a fact": (
        around(lambda t: f"{t} Ashdown dressed stone S-34."),
        "states what it should not",
    ),
    "adds a loose fact": (around(lambda t: f"{t} Nobody had touched the stone."), "thing that"),
    "adds a name": (around(lambda t: f"{t} Brewster came by."), "name Brewster"),
    "adds a mark": (around(lambda t: f"{t} We looked for S-21."), "S-21|number"),
    "adds a number": (around(lambda t: f"{t} It was 12 miles."), "a number: '12'"),
    "adds a date": (around(lambda t: f"{t} It was the 3rd of March."), "gives the dates"),
    "adds an action": (around(lambda t: f"{t} One may loan it."), "action verb"),
    "changes a number": (
        rewritten(lambda s: [re.sub(r"[0-9]+", "99", one) for one in s]),
        "not there word for word",
    ),
    "curls quotes": (
        rewritten(lambda s: [f"“{s[0].removesuffix('.')}”.", *s[1:]]),
        "not a sentence of its own",
    ),
    "HTML": (around(lambda t: f"<p>{t}</p>"), "holds markup"),
    "an entity": (around(lambda t: f"{t} Rain &amp; wind."), "holds markup"),
    "Markdown": (around(lambda t: f"**{t}**"), "character U[+]002A"),
    "a control character": (around(lambda t: f"{t}\x07 Good."), "control character U[+]0007"),
    "a hidden character": (around(lambda t: f"{t}\u200b Good."), "character U[+]200B"),
    "empty": (lambda _: Reply(""), "empty"),
    "endless": (around(lambda t: t + " It rained." * 2000), "characters, more than"),
    "truncated": (lambda p: Reply(good_scene(p), finish="length"), "incomplete"),
    "429": (lambda _: Reply(status=429), "HTTP 429"),
    "500": (lambda _: Reply(status=500), "HTTP 500"),
    "no JSON": (lambda _: Reply(raw=b"<html>"), "not a chat completion"),
    "no choices": (lambda _: Reply(raw=b'{"choices": []}'), "not a chat completion"),
    "too many bytes": (lambda _: Reply(raw=b" " * (MOST_BYTES + 9)), "longer than"),
    "a redirect": (lambda _: Reply(status=307, location="http://127.0.0.1:9/v1"), "HTTP 307"),
    "slow": (lambda p: Reply(good_scene(p), pause=1.2), "no answer"),
    "dripping": (lambda p: Reply(good_scene(p), drip=0.05), "no answer within 0.6 seconds"),
}


@pytest.mark.parametrize("how", list(BAD))
def test_a_bad_scene_is_refused_with_its_reason_and_asked_for_again(how: str) -> None:
    bad, reason = BAD[how]
    # A scene of evidence with two lines and more: the first holds the frame.
    plan = next(p for p in outline().scenes[1:] if len(p.lines) > 1 and "S-" in p.lines[0].text)
    timeout = 0.6 if how in ("slow", "dripping") else 5.0
    with chat_server(lambda p, n: Reply(good_scene(p)) if n else bad(p)) as server:
        teller = narrator(server, timeout)
        text = teller.narrate([plan])[0]
    first, second = teller.told[0]["attempts"]
    assert first["rejected"]
    assert re.search(reason, " ".join(first["rejected"])), first["rejected"]
    assert second["rejected"] == []
    assert teller.told[0]["narrator"] == "chat"
    assert text == good_scene(server.prompts[0])
    if "reply" in first:
        assert "was refused" in server.prompts[1]


def test_curly_apostrophes_change_a_clause() -> None:
    plan = next(p for p in outline().scenes if any("'" in line.text for line in p.lines))
    with chat_server(lambda p, n: Reply(good_scene(p).replace("'", "’"))) as server:
        teller = narrator(server)
        teller.narrate([plan])
    assert "not there word for word" in teller.told[0]["attempts"][0]["rejected"][0]
    assert teller.told[0]["narrator"] == "seeded"


def test_good_scenes_make_a_story_that_passes_the_gate() -> None:
    with chat_server(lambda p, n: Reply(good_scene(p))) as server:
        teller = narrator(server)
        scenes = teller.narrate(outline().scenes)
    assert {entry["narrator"] for entry in teller.told} == {"chat"}
    grammar = Grammar.of_world(mill_world(), mill_pack(), FACTS)
    check_story(mill_world(), mill_pack(), FACTS, join_scenes(outline(), scenes, grammar))


def test_the_seeded_narrator_takes_over_after_the_last_try() -> None:
    def behave(prompt: str, _: int) -> Reply:
        return Reply("No." if "Scene 3." in prompt else good_scene(prompt))

    with chat_server(behave) as server:
        teller = narrator(server)
        scenes = teller.narrate(outline().scenes)
    assert [i for i, e in enumerate(teller.told) if e["narrator"] == "seeded"] == [2]
    assert len(teller.told[2]["attempts"]) == ATTEMPTS
    grammar = Grammar.of_world(mill_world(), mill_pack(), FACTS)
    check_story(mill_world(), mill_pack(), FACTS, join_scenes(outline(), scenes, grammar))


@pytest.mark.parametrize(("status", "asked"), [(503, 2 * ATTEMPTS), (401, 2)])
def test_an_endpoint_that_never_answers_is_left_alone(status: int, asked: int) -> None:
    with chat_server(lambda p, n: Reply(status=status)) as server:
        teller = narrator(server)
        scenes = teller.narrate(outline().scenes)
    assert len(scenes) == len(outline().scenes) > 2
    assert len(server.prompts) == asked
    assert {entry["narrator"] for entry in teller.told} == {"seeded"}


def test_no_server_at_all_is_a_reason() -> None:
    with chat_server(lambda p, n: Reply("")) as server:
        gone = server.url
    with pytest.raises(ChatFailed, match="no answer"):
        ChatEndpoint(gone, "teller-1", KEY, timeout=2).reply([{"role": "user", "content": "?"}])


def test_the_key_is_sent_and_never_told() -> None:
    def behave(prompt: str, n: int) -> Reply:
        return Reply(f"Your key is {KEY}.") if n == 0 else Reply(good_scene(prompt))

    with chat_server(behave) as server:
        teller = narrator(server)
        teller.narrate(outline().scenes[:2])
    assert set(server.keys) == {f"Bearer {KEY}"}
    assert KEY not in json.dumps(teller.told) + repr(teller)


def test_a_narrated_instance_verifies_from_its_json_but_not_from_its_seed() -> None:
    wanted = parse_id("ef1-chain-L00-maritime-s7-imp1-b1")
    with chat_server(lambda p, n: Reply(good_scene(p) if n % 3 else "No.")) as server:
        told = narrate_instance(wanted, ChatEndpoint(server.url, "teller-1", KEY))
    assert told.narration is not None
    assert told.narration["model"] == "teller-1"
    assert replace(told.id, narration=None) == wanted
    text = encode_instance(told)
    assert KEY not in text
    assert server.url not in text
    again = decode_instance(text)
    assert encode_instance(again) == text
    assert verify_instance(again).findings == ()
    with pytest.raises(BadInput, match="a seed does not reproduce it"):
        check_mintable(told.id)


def test_a_narration_that_was_changed_does_not_pass() -> None:
    wanted = parse_id("ef1-chain-L00-maritime-s7-imp1-b0")
    with chat_server(lambda p, n: Reply(good_scene(p))) as server:
        told = narrate_instance(wanted, ChatEndpoint(server.url, "teller-1"))
    payload = json.loads(encode_instance(told))
    payload["narration"]["model"] = "teller-2"
    with pytest.raises(BadFormat, match="the digest"):
        decode_instance(json.dumps(payload))
    document = replace(told.documents[0], text=told.documents[0].text + " The end.")
    changed = replace(told, documents=(document,), prompt=told.prompt)
    assert any("narration" in str(found) for found in verify_instance(changed).findings)


@pytest.mark.parametrize("tail", ["imp1", "frm1"])
def test_only_a_story_can_be_narrated(tail: str) -> None:
    endpoint = ChatEndpoint("http://127.0.0.1:9/v1", "teller-1")
    with pytest.raises(BadInput, match="a story"):
        narrate_instance(parse_id(f"ef1-chain-L00-maritime-s7-{tail}"), endpoint)


@pytest.mark.parametrize("url", ["", "ftp://x/v1", "http://ada:secret@x/v1", "http://"])
def test_an_address_that_cannot_be_used_is_refused_without_being_shown(url: str) -> None:
    with pytest.raises(BadInput, match="ENIGMAFORGE_NARRATOR_URL") as refused:
        ChatEndpoint(url, "teller-1", KEY)
    assert "secret" not in str(refused.value)
