"""One fact of the knowledge bank, and how a topic file is read into facts.

A topic file is TOML: `topic`, which repeats the name of the file, and one `[[fact]]` table per
fact. Reading checks the shape only, that every key is there and is text; whether a fact is fit
for a record is `worlds.core.bridges.checks`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, fields

from worlds.core.errors import BadFormat

__all__ = ["BridgeFact", "clear_of", "read_topic"]


@dataclass(frozen=True, slots=True)
class BridgeFact:
    """A piece of general knowledge that a record may lean on and never states.

    `subject` stands for the answer in a record, as in "the peg of the man who discovered Uranus".
    The `alternatives` are wrong, of the answer's kind and plausible; they and the answer are
    printed as labels. `note` is a remark for a margin: it touches what surrounds the fact, and
    neither names an option nor states anything about the record. `source` is a standard work in
    which the fact can be looked up.
    """

    key: str
    topic: str
    subject: str
    question: str
    answer: str
    alternatives: tuple[str, ...]
    source: str
    note: str

    @property
    def options(self) -> tuple[str, ...]:
        """The answer, then its alternatives as the bank lists them."""
        return (self.answer, *self.alternatives)


_COLUMNS = frozenset(field.name for field in fields(BridgeFact)) - {"topic"}


def read_topic(topic: str, text: str) -> tuple[BridgeFact, ...]:
    """The facts of one topic file, in its order; raises BadFormat that names file and key."""
    where = f"{topic}.toml"
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadFormat(where, str(error), "valid TOML") from error
    if table.get("topic") != topic:
        raise BadFormat(f"{where} topic", table.get("topic"), f"the file's name, {topic!r}")
    if set(table) != {"topic", "fact"} or not isinstance(table["fact"], list):
        raise BadFormat(where, sorted(table), "a topic and a list of [[fact]] tables")
    return tuple(
        _fact(topic, row, f"{where} fact[{place}]") for place, row in enumerate(table["fact"])
    )


def clear_of(facts: Iterable[BridgeFact], words: Iterable[str]) -> tuple[BridgeFact, ...]:
    """The facts that fit a record in which these words (persons, nouns) have a meaning already.

    No option of theirs contains such a word or lies inside one, and neither subject nor note uses
    one, in any case of letters. The order of the facts is kept.
    """
    taken = sorted({word.casefold() for word in words})
    return tuple(one for one in facts if not any(_uses(one, word) for word in taken))


def _uses(one: BridgeFact, word: str) -> bool:
    options = [option.casefold() for option in one.options]
    if any(word in option or option in word for option in options):
        return True
    said = f"{one.subject}\n{one.note}".casefold()
    return re.search(rf"\b{re.escape(word)}\b", said) is not None


def _fact(topic: str, row: object, where: str) -> BridgeFact:
    if not isinstance(row, dict) or set(row) != _COLUMNS:
        found = sorted(row) if isinstance(row, dict) else row
        raise BadFormat(where, found, "the keys " + ", ".join(sorted(_COLUMNS)))
    alternatives = row["alternatives"]
    if not isinstance(alternatives, list) or not all(isinstance(a, str) for a in alternatives):
        raise BadFormat(f"{where} alternatives", alternatives, "a list of texts")
    texts = {key: value for key, value in row.items() if key != "alternatives"}
    for key, value in texts.items():
        if not isinstance(value, str):
            raise BadFormat(f"{where} {key}", value, "a text")
    return BridgeFact(topic=topic, alternatives=tuple(alternatives), **texts)
