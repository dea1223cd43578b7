"""Instance and family ids: one string that says all that reproduces an instance.

``ef1-<profile>-<level>-<genre>-s<seed>-<condition><realization>[-b<burial>][-n<8 hex>][-d]``
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from worlds.core import GENERATOR_VERSION
from worlds.core.errors import BadId
from worlds.core.seeds import MAX_SEED, check_seed

__all__ = [
    "CONDITIONS",
    "LEVELS",
    "MAX_BURIAL",
    "MAX_REALIZATION",
    "PROFILES",
    "FamilyId",
    "InstanceId",
    "parse_family_id",
    "parse_id",
]

PROFILES = ("chain", "case")
LEVELS = tuple(f"L{number:02d}" for number in range(10))
CONDITIONS = {"exp": "explicit", "frm": "formal", "imp": "implicit"}
MAX_REALIZATION = 9
MAX_BURIAL = 5

_CODES = {name: code for code, name in CONDITIONS.items()}
_FAMILY = (
    r"ef(?P<version>[1-9][0-9]?)-(?P<profile>[a-z]+)-(?P<level>L[0-9]{2})"
    r"-(?P<genre>[a-z]{1,16})-s(?P<seed>0|[1-9][0-9]{0,15})"
)
_FAMILY_ID = re.compile(_FAMILY)
_INSTANCE_ID = re.compile(
    _FAMILY + r"-(?P<condition>exp|frm|imp)(?P<realization>[1-9])"
    r"(?:-b(?P<burial>[0-5]))?(?:-n(?P<narration>[0-9a-f]{8}))?(?P<deferred>-d)?"
)
_SHAPE = (
    "an id like ef1-chain-L03-maritime-s417-imp1 (ef1, a profile, a level, a genre, s and a seed, "
    "then exp, frm or imp with a realization from 1 to 9)"
)


@dataclass(frozen=True, slots=True, order=True)
class FamilyId:
    """One world: what all its realizations and conditions share."""

    profile: str
    level: str
    genre: str
    seed: int

    def __str__(self) -> str:
        return f"ef{GENERATOR_VERSION}-{self.profile}-{self.level}-{self.genre}-s{self.seed}"

    def instance(self, condition: str, realization: int = 1) -> InstanceId:
        """The id of one numbered-document realization of this family, inline contract."""
        return InstanceId(self, condition, realization)


@dataclass(frozen=True, slots=True)
class InstanceId:
    """A family in one condition and realization; `burial` None means numbered documents."""

    family: FamilyId
    condition: str
    realization: int = 1
    burial: int | None = None
    narration: str | None = None
    deferred: bool = False

    def __str__(self) -> str:
        parts = [str(self.family), f"{_CODES[self.condition]}{self.realization}"]
        if self.burial is not None:
            parts.append(f"b{self.burial}")
        if self.narration is not None:
            parts.append(f"n{self.narration}")
        if self.deferred:
            parts.append("d")
        return "-".join(parts)

    def in_condition(self, condition: str) -> InstanceId:
        """The same realization under another condition."""
        return replace(self, condition=condition)


def parse_family_id(text: str) -> FamilyId:
    """Read a family id; raises BadId with the part that is wrong."""
    found = _FAMILY_ID.fullmatch(text)
    if found is None:
        raise BadId("family id", text, "an id like ef1-chain-L03-maritime-s417")
    return _family(text, found)


def parse_id(text: str) -> InstanceId:
    """Read an instance id; raises BadId with the part that is wrong.

    `str(parse_id(text)) == text` for every text that parses.
    """
    found = _INSTANCE_ID.fullmatch(text)
    if found is None:
        raise BadId("instance id", text, _SHAPE)
    burial = found["burial"]
    return InstanceId(
        family=_family(text, found),
        condition=CONDITIONS[found["condition"]],
        realization=int(found["realization"]),
        burial=None if burial is None else int(burial),
        narration=found["narration"],
        deferred=found["deferred"] is not None,
    )


def _family(text: str, found: re.Match[str]) -> FamilyId:
    if int(found["version"]) != GENERATOR_VERSION:
        raise BadId("generator version in " + text, "ef" + found["version"], "ef1")
    if found["profile"] not in PROFILES:
        raise BadId("profile in " + text, found["profile"], " or ".join(PROFILES))
    if found["level"] not in LEVELS:
        raise BadId("level in " + text, found["level"], f"{LEVELS[0]} to {LEVELS[-1]}")
    seed = int(found["seed"])
    if seed > MAX_SEED:
        raise BadId("seed in " + text, seed, f"a whole number from 0 to {MAX_SEED}")
    return FamilyId(found["profile"], found["level"], found["genre"], check_seed(seed))
