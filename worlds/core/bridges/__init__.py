"""The knowledge bank: facts that a reader brings along and a record never states.

One TOML file per topic lies beside this module; adding a topic adds its file and nothing else.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from worlds.core.bridges.checks import findings
from worlds.core.bridges.facts import BridgeFact, clear_of, read_topic
from worlds.core.errors import BadInput

__all__ = ["BridgeFact", "bank", "clear_of", "fact", "findings", "read_topic"]

_SUFFIX = ".toml"


@cache
def bank() -> tuple[BridgeFact, ...]:
    """Every fact, sorted by key; raises BadFormat for a topic file that cannot be read."""
    read = [
        one
        for path in files(__name__).iterdir()
        if path.name.endswith(_SUFFIX)
        for one in read_topic(path.name.removesuffix(_SUFFIX), path.read_text(encoding="utf-8"))
    ]
    return tuple(sorted(read, key=lambda one: (one.key, one.topic)))


def fact(key: str) -> BridgeFact:
    """The fact of that key; raises BadInput that names the nearest keys there are."""
    facts = {one.key: one for one in bank()}
    if key not in facts:
        near = get_close_matches(key, facts, n=3) or sorted(facts)[:3]
        expected = f"one of the {len(facts)} keys of the bank, such as " + " or ".join(near)
        raise BadInput("bridge fact", key, expected)
    return facts[key]
