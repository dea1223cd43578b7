"""What makes a set of facts fit to be a bank; the one place that says so.

Truth cannot be checked here: that an answer is right and its alternatives are wrong takes a
reader with the source. Everything about form can, because options are printed as labels, subjects
stand inside clauses, and notes stand in margins where they must not be mistaken for evidence.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from worlds.core.bridges.facts import BridgeFact

__all__ = ["LEAST_ALTERNATIVES", "LEAST_FACTS", "LEAST_PER_TOPIC", "LEAST_TOPICS", "findings"]

LEAST_FACTS = 200
LEAST_TOPICS = 12
LEAST_PER_TOPIC = 12
LEAST_ALTERNATIVES = 3
_MOST_WORDS = 2

_SLUG = re.compile(r"[a-z]+(-[a-z]+)*")
_STOP = re.compile(r"[.,;:?!]")
_LABEL = re.compile(r"[A-Z][A-Za-z]*( [A-Z][A-Za-z]*)?")

# Words by which a record orders, hedges or counts. A note holds none of them, so that no reader
# and no gate takes it for a direction or for evidence; an option is none of them.
_ORDERS = "charge charged held hold is not register registered release released sign signed"
_HEDGES = "apparently believe believed gossip hear heard rumour said say says seems tell tells told"
_COUNTS = "two three four five six seven eight nine ten eleven twelve twenty hundred thousand"
_LABEL_BARRED = frozenset(f"{_ORDERS} {_HEDGES} {_COUNTS} one".split())
_NOTE_BARRED = _LABEL_BARRED - {"is", "not", "one"}
_SUBJECT_BARRED = frozenset(_ORDERS.split()) - {"is", "not"}

FactRule = Callable[[BridgeFact], Iterator[str]]


def findings(facts: Sequence[BridgeFact]) -> tuple[str, ...]:
    """What is wrong with these facts as a bank, one sentence each; empty when nothing is."""
    found = [f"{one.key}: {said}" for one in facts for rule in _RULES for said in rule(one)]
    return (*found, *_repeated(facts), *_too_few(facts))


def _key_and_source(one: BridgeFact) -> Iterator[str]:
    for name, slug in (("key", one.key), ("topic", one.topic)):
        if not _SLUG.fullmatch(slug):
            yield f"the {name} {slug!r} is not a slug of small letters and hyphens"
    if not one.source.strip():
        yield "the source is empty"


def _options(one: BridgeFact) -> Iterator[str]:
    if len(one.alternatives) < LEAST_ALTERNATIVES:
        yield f"{len(one.alternatives)} alternatives, expected {LEAST_ALTERNATIVES} or more"
    folded = [option.casefold() for option in one.options]
    if len(set(folded)) < len(folded):
        yield "an option is listed twice"
    for option in one.options:
        if len(option.split()) > _MOST_WORDS:
            yield f"option {option!r} is longer than {_MOST_WORDS} words"
        elif not _LABEL.fullmatch(option):
            yield f"option {option!r} is not a label: capitalised plain letters"
        if option.casefold() in _LABEL_BARRED:
            yield f"option {option!r} is a word that records use"
        for other in one.options:
            if option.casefold() != other.casefold() and _mentions(option, other):
                yield f"option {option!r} contains option {other!r}"


def _sentences(one: BridgeFact) -> Iterator[str]:
    if not one.question.endswith("?"):
        yield "the question does not end with a question mark"
    if not one.subject.startswith("the ") or _STOP.search(one.subject):
        yield "the subject is not a phrase that starts with 'the' and has no stop in it"
    if not one.note[:1].isupper() or one.note[-1:] not in (".", "!", "?"):
        yield "the note is not a sentence"


def _leaks(one: BridgeFact) -> Iterator[str]:
    for name, text in _texts(one):
        for option in one.options:
            if _mentions(text, option):
                yield f"the {name} contains option {option!r}"


def _plain(one: BridgeFact) -> Iterator[str]:
    for name, text in _texts(one):
        if any(character.isdigit() for character in text):
            yield f"the {name} contains a digit"
        if " ".join(text.split()) != text:
            yield f"the {name} has space at its ends, doubled or broken"
    for text in (one.subject, one.question, one.note, one.source, *one.options):
        if not unicodedata.is_normalized("NFC", text):
            yield f"{text!r} is not in Unicode form NFC"


def _barred(one: BridgeFact) -> Iterator[str]:
    for name, text, barred in (
        ("note", one.note, _NOTE_BARRED),
        ("subject", one.subject, _SUBJECT_BARRED),
    ):
        for word in sorted(barred.intersection(re.findall(r"[a-z]+", text.casefold()))):
            yield f"the {name} uses {word!r}, a word that records use for orders, hedges or counts"


_RULES: tuple[FactRule, ...] = (_key_and_source, _options, _sentences, _leaks, _plain, _barred)


def _repeated(facts: Sequence[BridgeFact]) -> Iterator[str]:
    """Two facts that share what tells them apart; one topic asks for each answer once."""
    for name in ("key", "subject", "question", "note"):
        counts = Counter(getattr(one, name).casefold() for one in facts)
        yield from (f"{name} {text!r} stands {n} times" for text, n in counts.items() if n > 1)
    answers = Counter((one.topic, one.answer.casefold()) for one in facts)
    yield from (
        f"topic {topic}: {n} facts have the answer {answer!r}"
        for (topic, answer), n in answers.items()
        if n > 1
    )


def _too_few(facts: Sequence[BridgeFact]) -> Iterator[str]:
    topics = Counter(one.topic for one in facts)
    if len(facts) < LEAST_FACTS:
        yield f"{len(facts)} facts, expected {LEAST_FACTS} or more"
    if len(topics) < LEAST_TOPICS:
        yield f"{len(topics)} topics, expected {LEAST_TOPICS} or more"
    for topic, n in sorted(topics.items()):
        if n < LEAST_PER_TOPIC:
            yield f"topic {topic}: {n} facts, expected {LEAST_PER_TOPIC} or more"


def _texts(one: BridgeFact) -> tuple[tuple[str, str], ...]:
    """What can be printed of a fact besides its labels."""
    return (("subject", one.subject), ("question", one.question), ("note", one.note))


def _mentions(text: str, option: str) -> bool:
    return option.casefold() in text.casefold()
