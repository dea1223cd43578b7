"""Names that people and files give: cleaned for show, folded for comparison, never used as paths.

Only space, Unicode form and case are levelled. `gpt-x` and `vendor/gpt-x` stay two models: whether
they are one is not for a program to guess.
"""

from __future__ import annotations

import unicodedata

from worlds.core.errors import BadInput

__all__ = ["MAX_FILE_NAME", "MAX_MODEL_NAME", "clean_model_name", "model_key", "shown_file_name"]

MAX_MODEL_NAME = 120
MAX_FILE_NAME = 200

# Controls, format characters (direction marks, zero-width space), surrogates, private, unassigned.
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn")


def clean_model_name(text: str) -> str:
    r"""A model's name as it is shown: NFC, each run of space one space, none at the ends.

    Raises BadInput for an empty name, one that is too long or one with invisible characters.

    >>> clean_model_name("  kestrel\u00a0 large ")
    'kestrel large'
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name:
        raise BadInput("model", text, "a name")
    if len(name) > MAX_MODEL_NAME:
        raise BadInput("model", name, f"at most {MAX_MODEL_NAME} characters")
    hidden = [f"U+{ord(char):04X}" for char in name if unicodedata.category(char) in _INVISIBLE]
    if hidden:
        raise BadInput("model", name, f"visible characters only, without {', '.join(hidden[:3])}")
    return name


def model_key(name: str) -> str:
    """What names are compared by: without case, without space at the ends.

    >>> model_key("GPT-X") == model_key(" gpt-x ")
    True
    """
    folded = unicodedata.normalize("NFC", name).casefold()
    return " ".join(unicodedata.normalize("NFC", folded).split())


def shown_file_name(name: str) -> str:
    """A file's name without folders and invisible characters, cut in the middle when long.

    >>> shown_file_name("../../settings.py")
    'settings.py'
    """
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    seen = "".join(
        "\ufffd" if unicodedata.category(char) in _INVISIBLE else char for char in last.strip()
    )
    if len(seen) > MAX_FILE_NAME:
        seen = f"{seen[: MAX_FILE_NAME - 21]}…{seen[-20:]}"
    return seen or "unnamed"
