"""The bank is read once, in order, and keeps every rule; a rule that is broken is named."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from importlib.resources import files

import pytest

from worlds.core import bridges
from worlds.core.bridges import BridgeFact, bank, clear_of, fact, findings, read_topic
from worlds.core.bridges.checks import LEAST_FACTS, LEAST_TOPICS
from worlds.core.errors import BadFormat, BadInput

URANUS = "uranus-discoverer"

TOPIC = """
topic = "rivers"

[[fact]]
key = "river-of-london"
subject = "the river that runs through London"
question = "Which river runs through London?"
answer = "Thames"
alternatives = ["Severn", "Mersey", "Tyne"]
source = "A gazetteer"
note = "The fog came up from the bridges."
"""


def _bank_with(**changes: object) -> tuple[BridgeFact, ...]:
    """The bank with one fact, the discoverer of Uranus, changed."""
    return tuple(
        replace(one, **changes) if one.key == URANUS else one  # type: ignore[arg-type]
        for one in bank()
    )


def test_bank_keeps_every_rule() -> None:
    assert findings(bank()) == ()


def test_bank_is_sorted_by_key_and_holds_every_file() -> None:
    keys = [one.key for one in bank()]
    assert keys == sorted(keys)
    stems = {path.name[:-5] for path in files(bridges).iterdir() if path.name.endswith(".toml")}
    assert {one.topic for one in bank()} == stems
    assert len(stems) >= LEAST_TOPICS


def test_fact_of_a_known_key() -> None:
    one = fact(URANUS)
    assert (one.question, one.answer) == ("Who discovered Uranus?", "Herschel")
    assert one.options == (one.answer, *one.alternatives)


def test_fact_of_an_unknown_key_names_the_nearest() -> None:
    with pytest.raises(BadInput, match=rf"one of the {len(bank())} keys .* {URANUS}"):
        fact("uranus-discover")
    with pytest.raises(BadInput, match=bank()[0].key):
        fact("")


@pytest.mark.parametrize(
    ("word", "kept"),
    [
        ("Quill", True),
        ("herschel", False),  # an option
        ("Herschelson", False),  # an option lies inside it
        ("Herr", True),
        ("Gal", False),  # it lies inside an option
        ("URANUS", False),  # the subject uses it
        ("garden", False),  # the note uses it
        ("gard", True),
    ],
)
def test_clear_of_drops_facts_that_use_a_word(word: str, kept: bool) -> None:
    one = fact(URANUS)
    assert clear_of([one], [word]) == ((one,) if kept else ())


def test_clear_of_no_words_keeps_all_in_order() -> None:
    assert clear_of(bank(), ()) == bank()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"key": "Uranus 1"}, "the key 'Uranus 1' is not a slug of small letters and hyphens"),
        ({"source": " "}, "the source is empty"),
        ({"alternatives": ("Galileo", "Messier")}, "2 alternatives, expected 3 or more"),
        ({"alternatives": ("Galileo", "Messier", "HERSCHEL")}, "an option is listed twice"),
        (
            {"alternatives": ("Galileo", "Messier", "Tycho of Hven")},
            "option 'Tycho of Hven' is longer than 2 words",
        ),
        (
            {"alternatives": ("Galileo", "Messier", "kepler")},
            "option 'kepler' is not a label: capitalised plain letters",
        ),
        (
            {"alternatives": ("Galileo", "Messier", "Kepler3")},
            "option 'Kepler3' is not a label: capitalised plain letters",
        ),
        (
            {"alternatives": ("Galileo", "Messier", "Register")},
            "option 'Register' is a word that records use",
        ),
        (
            {"alternatives": ("Galileo", "Messier", "Herschels")},
            "option 'Herschels' contains option 'Herschel'",
        ),
        ({"question": "Who found Uranus"}, "the question does not end with a question mark"),
        (
            {"subject": "a man who found Uranus"},
            "the subject is not a phrase that starts with 'the' and has no stop in it",
        ),
        (
            {"subject": "the man, who found Uranus"},
            "the subject is not a phrase that starts with 'the' and has no stop in it",
        ),
        ({"note": "where was that garden?"}, "the note is not a sentence"),
        ({"note": "Where was that garden"}, "the note is not a sentence"),
        ({"subject": "the man whom Galileo envied"}, "the subject contains option 'Galileo'"),
        ({"question": "Did Herschel find it?"}, "the question contains option 'Herschel'"),
        ({"note": "Old Herschel's organ is gone."}, "the note contains option 'Herschel'"),
        ({"note": "Where is tube 7 now?"}, "the note contains a digit"),
        ({"subject": "the man of planet 7"}, "the subject contains a digit"),
        (
            {"question": "Who found it  first?"},
            "the question has space at its ends, doubled or broken",
        ),
        (
            {"note": "The caf\u0065\u0301 is shut."},
            "'The caf\u0065\u0301 is shut.' is not in Unicode form NFC",
        ),
        (
            {"note": "Please hold the door."},
            "the note uses 'hold', a word that records use for orders, hedges or counts",
        ),
        (
            {"note": "They say it rained."},
            "the note uses 'say', a word that records use for orders, hedges or counts",
        ),
        (
            {"subject": "the man whose sign rose"},
            "the subject uses 'sign', a word that records use for orders, hedges or counts",
        ),
    ],
)
def test_findings_name_the_rule_a_fact_breaks(changes: dict[str, object], said: str) -> None:
    key = changes.get("key", URANUS)
    assert findings(_bank_with(**changes)) == (f"{key}: {said}",)


@pytest.mark.parametrize("name", ["key", "subject", "question", "note"])
def test_findings_name_what_two_facts_share(name: str) -> None:
    shared = getattr(fact("river-of-london"), name)
    assert f"{name} {shared.casefold()!r} stands 2 times" in findings(_bank_with(**{name: shared}))


def test_findings_refuse_one_answer_twice_in_a_topic() -> None:
    twin = replace(fact(URANUS), key="twin", subject="the twin", question="Twin?", note="Twin.")
    assert findings((*bank(), twin)) == ("topic astronomy: 2 facts have the answer 'herschel'",)


def test_findings_of_no_facts_say_what_is_missing() -> None:
    assert findings(()) == ("0 facts, expected 200 or more", "0 topics, expected 12 or more")


def test_findings_name_a_thin_topic() -> None:
    rivers = [one for one in bank() if one.topic == "rivers"]
    thin = tuple(one for one in bank() if one not in rivers[5:])
    assert len(thin) >= LEAST_FACTS
    assert findings(thin) == ("topic rivers: 5 facts, expected 12 or more",)


def test_no_opening_of_a_note_is_worn_out() -> None:
    openings = Counter(" ".join(one.note.split()[:3]) for one in bank())
    assert openings.most_common(1)[0][1] <= 4


def test_read_topic_gives_the_facts_in_file_order() -> None:
    (one,) = read_topic("rivers", TOPIC)
    assert one == BridgeFact(
        key="river-of-london",
        topic="rivers",
        subject="the river that runs through London",
        question="Which river runs through London?",
        answer="Thames",
        alternatives=("Severn", "Mersey", "Tyne"),
        source="A gazetteer",
        note="The fog came up from the bridges.",
    )


@pytest.mark.parametrize(
    ("topic", "text", "said"),
    [
        ("lakes", TOPIC, r"lakes.toml topic: found 'rivers', expected the file's name, 'lakes'"),
        ("rivers", "topic = ", r"rivers.toml: .* expected valid TOML"),
        ("rivers", 'topic = "rivers"', r"expected a topic and a list of \[\[fact\]\] tables"),
        ("rivers", 'topic = "rivers"\nfact = 1', r"expected a topic and a list"),
        ("rivers", 'topic = "rivers"\nfact = [1]', r"fact\[0\]: found 1, expected the keys"),
        ("rivers", TOPIC.replace("note", "remark"), r"fact\[0\]: .* expected the keys"),
        ("rivers", TOPIC.replace('"Thames"', "7"), r"fact\[0\] answer: found 7, expected a text"),
        ("rivers", TOPIC.replace('"Tyne"', "7"), r"alternatives: .* expected a list of texts"),
    ],
)
def test_read_topic_names_what_is_malformed(topic: str, text: str, said: str) -> None:
    with pytest.raises(BadFormat, match=said):
        read_topic(topic, text)
