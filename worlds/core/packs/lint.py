"""Grammar that a program can check: a and an by sound, doubled words, blanks, capitals, braces."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

__all__ = ["article_fits", "lint"]

_ARTICLE = re.compile(r"\b([Aa]n?) (?=([\w'’-]+))")
_DOUBLED = re.compile(r"\b([^\W\d_]+) \1\b", re.IGNORECASE)
_LOWER_START = re.compile(r"[.!?]['’\"”)]? +[a-zß-ÿ]")
_ABBREVIATED = re.compile(
    r"(?:\b[A-Za-z]|\b(?:Mrs?|Messrs|Dr|St|Revd?|Capt|Lieut|inst|ult|prox|viz|etc|Bros|Co|No))\.$"
)
_BLANKS = {
    "two blanks in a row": re.compile(r"[ \t]{2,}"),
    "a blank before a mark": re.compile(r" [,.;:!?](?!\.)"),
    "a blank at a line's end or start": re.compile(r"(?m)^[ \t]+|[ \t]+$"),
    "doubled marks": re.compile(r",,|;;|::|\.\.(?!\.)|,\.|;\.|:\.|\.,|\.;|!\.|\?\.|\.\?"),
    "a leftover brace": re.compile(r"[{}]"),
    "an empty line": re.compile(r"\n\n"),
    "a carriage return or tab": re.compile(r"[\r\t]"),
}
_SILENT = ("hour", "honest", "honour", "heir")
_YOU = ("uni", "use", "usu", "uti", "eur", "ewe", "one", "once", "ubi", "uro", "ura")
_SPELT = re.compile(r"[A-Z](?:[A-Z0-9]*)(?![a-z'’])")
_VOWEL_LETTERS = "AEFHILMNORSX"
_MEANT_DOUBLE = {"had", "that", "so", "well", "never", "very", "hear", "now", "no"}


def lint(text: str, *, loud: bool = False) -> tuple[str, ...]:
    """What is wrong with a text, one sentence each; `loud` skips what capitals cannot show."""
    return tuple(_findings(text, loud))


def article_fits(article: str, word: str) -> bool:
    """Whether `a` or `an` goes before a word, by how the word sounds."""
    return (article.lower() == "an") == _begins_with_vowel(word)


def _findings(text: str, loud: bool) -> Iterator[str]:
    if text != unicodedata.normalize("NFC", text):
        yield "the text is not NFC"
    for what, pattern in _BLANKS.items():
        found = pattern.search(text)
        if found:
            yield f"{what}: {_around(text, found.start())}"
    for found in _DOUBLED.finditer(text):
        if found[1].lower() not in _MEANT_DOUBLE or found[0].split(" ")[1][0].isupper():
            yield f"a doubled word: {_around(text, found.start())}"
    if loud:
        return
    for found in _ARTICLE.finditer(text):
        if found[1] == "A" and found.start() and text[found.start() - 1] not in ' \n"“‘(':
            continue
        if not article_fits(found[1], found[2]):
            yield f"a or an: {_around(text, found.start())}"
    for found in _LOWER_START.finditer(text):
        if not _ABBREVIATED.search(text[: found.start() + 1]):
            yield f"no capital after a full stop: {_around(text, found.start())}"


def _begins_with_vowel(word: str) -> bool:
    lower = word.lower()
    if _SPELT.match(word):
        # Said letter by letter: an MS, an X-ray, a U-boat.
        return word[0] in _VOWEL_LETTERS
    if lower.startswith(_SILENT):
        return True
    if lower.startswith(_YOU) and not lower.startswith(("unim", "unin")):
        return False
    if lower[0].isdigit():
        return lower.startswith(("8", "11", "18"))
    return lower[0] in "aeiouàáâäæèéêëìíîïòóôöùúûü"


def _around(text: str, at: int) -> str:
    return repr(text[max(0, at - 20) : at + 20])
