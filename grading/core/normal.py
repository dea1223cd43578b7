"""The one normaliser: when two marks, words or values written differently are the same.

Gold and reply go through the same functions, so a pack may print a name in any form. A text is
compared after these steps, in this order:

1. Unicode NFC;
2. invisible format characters (zero-width space, byte order mark, direction marks) are dropped;
3. curly, low and angle quotes become straight, every kind of hyphen and dash becomes `-`;
4. each run of white space, no-break space included, becomes one space;
5. white space, quotes, backticks and the `*` and `_` of Markdown are cut from both ends, and a
   full stop or colon from the right end;
6. case is folded.

Nothing else: a missing word, another alphabet or another spelling is another value.

| written                                  | on a scale (gold 4)  | as a name (gold "Pryce")  |
| ---------------------------------------- | -------------------- | ------------------------- |
| `4`, `4.0`, `"4"`, `"4.0"`, `"**4**"`    | 4                    | the text `4`              |
| `"04"`, `"+4"`, `"4."`                   | 4: numerals of 4     | `04`, `+4`, `4`           |
| `4.0000001`, `4e0`, `"four"`, `"berth 4"`| no value             | another text              |
| `true`, `NaN`, `1e999`, `[4]`, `{…}`     | no value             | no value                  |
| `"pryce"`, `" “Pryce” "`, `"**Pryce**"`  | no value             | Pryce                     |
| `"Pryce or Quill"`, `["Pryce"]`          | no value             | another text; no value    |

Something that is no value is still *stated*, and wrong. Only null states nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from worlds.core.constraints import Value

__all__ = ["NotAValue", "Number", "normalise", "storable", "value_key"]


class Number(str):
    """A JSON number that is not a plain short integer, kept as it was written."""

    __slots__ = ()


class NotAValue:
    """NaN or infinity where a value should stand; `text` is what was written."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NotAValue) and self.text == other.text

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return f"NotAValue({self.text!r})"


_FOLDED = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛‹›", "'"),
        **dict.fromkeys("“”„‟«»", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d", "-"),
    }
)
_SPACE = re.compile(r"\s+")
_BOTH_ENDS = " '\"`*_"
_RIGHT_END = _BOTH_ENDS + ".:"
_NUMERAL = re.compile(r"([+-]?[0-9]{1,18})(?:\.0*)?")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_CACHED_LENGTH = 64


def normalise(text: str) -> str:
    """The form in which two texts are compared.

    >>> normalise(" “**Quill’s   Rest**” ")
    "quill's rest"
    """
    # Marks and values are short and repeat in every record of a corpus; anything longer is junk.
    return _cached(text) if len(text) <= _CACHED_LENGTH else _normalise(text)


def _normalise(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_FOLDED)
        text = "".join(char for char in text if unicodedata.category(char) != "Cf")
    text = _SPACE.sub(" ", text).lstrip(_BOTH_ENDS).rstrip(_RIGHT_END).casefold()
    return text if text.isascii() else unicodedata.normalize("NFC", text)


_cached = lru_cache(maxsize=8192)(_normalise)


def value_key(raw: object, ordinal: bool) -> Value | None:
    """What a stated value is compared by; None for something that is never a value.

    `ordinal` tells whether the mark stands on a scale. A name may be printed as a number, so on
    other marks the number 4 is the text `4`.
    """
    if isinstance(raw, bool) or not isinstance(raw, str | int):
        return None
    if not ordinal:
        whole = _whole(raw) if isinstance(raw, Number) else None
        return normalise(str(raw if whole is None else whole))
    return _whole(normalise(raw)) if isinstance(raw, str) else raw


def gold_keys(values: Sequence[Value]) -> dict[Value, Value]:
    """The key of each value of a domain, mapped to the value itself."""
    ordinal = all(isinstance(value, int) for value in values)
    keys: dict[Value, Value] = {}
    for value in values:
        key = value_key(value, ordinal)
        assert key is not None
        keys[key] = value
    return keys


def storable(text: str) -> str:
    """The text with NUL and lone surrogates replaced by U+FFFD, one for one.

    No database takes either, and no value holds them: a reply that does is not repaired by this.
    """
    # Whether a text is ASCII is known; a pattern would look at each character.
    if text.isascii() and "\0" not in text:
        return str(text)
    return _UNSTORABLE.sub("\ufffd", text)


def _whole(text: str) -> int | None:
    found = _NUMERAL.fullmatch(text)
    return int(found[1]) if found else None
