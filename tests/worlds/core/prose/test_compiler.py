from __future__ import annotations

import os
import subprocess
import sys
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest

from tests.worlds.core.prose.mill import FACTS, mill_id, mill_pack, mill_world
from worlds.core.codec import digest
from worlds.core.instance import Document
from worlds.core.model import CHANNELS
from worlds.core.packs import pack
from worlds.core.prose.compiler import MOST_UNITS, compile_record
from worlds.core.prose.papers import Said, Stationer
from worlds.core.prose.surface import write_surface
from worlds.core.seeds import derive

ROOT = Path(__file__).parents[4]


def record(seed: int = 0) -> tuple[Document, ...]:
    return compile_record(mill_world(), mill_pack(), FACTS, derive(seed, "compiler test"))


def texts(documents: tuple[Document, ...]) -> list[tuple[str, str]]:
    return [(document.heading, document.text) for document in documents]


def test_the_same_stream_gives_the_same_papers() -> None:
    assert record(3) == record(3)


def test_realizations_differ_in_everything_but_meaning() -> None:
    first, second = (
        write_surface(mill_world(), mill_id(realization=n), genre=mill_pack(), facts=FACTS)
        for n in (1, 2)
    )
    assert [d.channel for d in first.documents] != [d.channel for d in second.documents]
    # The small pack has few wordings, so a short paper may come round again, but not many.
    assert len(set(texts(first.documents)) & set(texts(second.documents))) < 4


def test_conditions_share_their_papers() -> None:
    explicit, implicit = (
        write_surface(mill_world(), mill_id(condition), genre=mill_pack(), facts=FACTS)
        for condition in ("exp", "imp")
    )
    assert explicit.documents == implicit.documents


def test_neighbouring_seeds_share_little() -> None:
    assert len(set(texts(record(5))) & set(texts(record(6)))) < 4


@pytest.mark.parametrize("seed", range(5))
def test_papers_are_numbered_and_hold_at_most_three_units(seed: int) -> None:
    documents = record(seed)
    evidence = {unit.id for unit in mill_world().units if unit.role in ("clue", "distractor")}
    assert [d.number for d in documents] == list(range(1, len(documents) + 1))
    assert [d.id for d in documents] == [f"D{d.number}" for d in documents]
    held = [sum(span.unit in evidence for span in d.spans) for d in documents]
    assert max(held) <= MOST_UNITS
    assert 0 in held
    assert len(set(held)) > 2


@pytest.mark.parametrize("seed", range(5))
def test_all_nine_channels_are_used(seed: int) -> None:
    assert {document.channel for document in record(seed)} == set(CHANNELS)


@pytest.mark.parametrize("seed", range(5))
def test_every_unit_has_one_span_in_order(seed: int) -> None:
    documents = record(seed)
    spans = [span.unit for document in documents for span in document.spans]
    assert sorted(spans) == sorted(unit.id for unit in mill_world().units)
    for document in documents:
        assert list(document.spans) == sorted(document.spans, key=lambda span: span.start)


def test_texts_are_nfc_with_plain_line_ends() -> None:
    for document in record():
        assert document.text == unicodedata.normalize("NFC", document.text)
        assert "\r" not in document.text
        assert document.text == document.text.strip()


def test_a_telegram_is_in_capitals() -> None:
    telegrams = [document.text for document in record() if document.channel == "telegram"]
    assert telegrams
    assert all(text == text.upper() for text in telegrams)


def test_nobody_in_a_letter_writes_to_himself_or_quotes_himself() -> None:
    for seed in range(20):
        for document in record(seed):
            if document.channel == "letter":
                writer = document.text.rstrip(".").split()[-1]
                assert document.text.count(writer) == 1


def test_the_frame_is_usually_first_but_not_always() -> None:
    frames = {unit.id for unit in mill_world().units if unit.role == "frame"}
    first = [any(span.unit in frames for span in record(seed)[0].spans) for seed in range(30)]
    assert 10 < sum(first) < 30


def test_a_distractor_may_stand_anywhere() -> None:
    reports = {unit.id for unit in mill_world().units if unit.role == "distractor"}
    places = []
    for seed in range(30):
        documents = record(seed)
        places += [
            document.number / len(documents)
            for document in documents
            if reports & {span.unit for span in document.spans}
        ]
    assert min(places) < 0.15
    assert max(places) > 0.85
    assert 0.4 < sum(places) / len(places) < 0.6


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_any_process_writes_the_same_bytes(hash_seed: str) -> None:
    program = (
        "from tests.worlds.core.prose.test_compiler import record\n"
        "from worlds.core.codec import digest\n"
        "print(digest([[d.heading, d.text] for d in record(1)]))"
    )
    told = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == digest([list(pair) for pair in texts(record(1))])


def test_three_people_have_three_forenames_however_short_the_list() -> None:
    """The deck is dealt anew in the middle of a paper, and may deal a name again."""
    pack = replace(
        mill_pack(), lists={**mill_pack().lists, "forename": ("Ada", "Ben", "Cora", "Dan")}
    )
    stationer = Stationer(pack, derive(1, "cast"))
    for _ in range(40):
        cast = stationer.cast()
        names = {words["forename"] for words in (cast.writer, cast.addressee, cast.others)}
        assert len(names) == 3


@pytest.mark.parametrize("channel", ["letter", "receipt", "logbook", "photograph", "margin"])
def test_no_sentence_has_two_colons(channel: str) -> None:
    """A carrier that leads up with a colon waits for a clause that has none of its own."""
    maritime = pack("maritime")
    stationer = Stationer(maritime, derive(1, "colons"))
    said = Said("E1", "exactly one of these is so: that it rained; that it blew")
    leads = 0
    for _ in range(30):
        paper = stationer.lay_out(stationer.shape(channel), stationer.cast(), [said])
        at = paper.spans[0].start
        assert not paper.text[:at].endswith(": "), paper.text
        plain = stationer.lay_out(
            stationer.shape(channel), stationer.cast(), [replace(said, text="it rained")]
        )
        leads += plain.text[: plain.spans[0].start].endswith(": ")
    assert leads
