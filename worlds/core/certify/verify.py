"""Verify a certificate: recompute all of it from the constraints and name what differs.

What follows from the world alone (counts, verdicts, actions) must be equal. Where a certificate may
choose (which second model, which minimal set of clues), another choice than ours is accepted if it
is as good, and checked for that. The engine's work figures and the digests of its proof hold for
the version that made the certificate, so they are compared unless the caller says that another
version did.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from worlds.core.certify.examination import Examination, hypothesis_label
from worlds.core.certify.proving import certificate_of
from worlds.core.certify.safety import bait, flip
from worlds.core.codec import read_world
from worlds.core.constraints import Constraint, Value, read_literal
from worlds.core.engines import Answer
from worlds.core.errors import EnigmaError, ForgeError, NotProved
from worlds.core.model import World

__all__ = ["Finding", "verify"]

_WORK = {"decisions", "propagations"}
_FILES = {"cnf_sha256", "proof_sha256"}
_SHA256 = re.compile("[0-9a-f]{64}")
_CHOSEN = {
    "witness",
    "refuted_by",
    "decided_by",
    "with_bridges",
    "plausible_without",
    "falsifiable_without",
    "bait",
}
_NAMES = ("unit", "bridge", "answer", "literal", "reading")
_ABSENT = "nothing"
_PATH = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing in a certificate that is not so; `unit` is empty for the world as a whole."""

    certificate: str
    unit: str
    field: str
    found: object
    recomputed: object

    def __str__(self) -> str:
        where = " ".join(part for part in (self.certificate, self.unit, self.field) if part)
        return f"{where}: found {self.found}, recomputed {self.recomputed}"


def verify(
    world: World | Mapping[str, Any], certificate: Mapping[str, Any], *, work: bool = True
) -> tuple[Finding, ...]:
    """What is wrong with a certificate; empty means verified.

    Takes a world, or the `truth` of an instance (BadFormat if it is none). `work=False` leaves the
    engine's work figures and proof out, for certificates that another version of the engine made.
    """
    subject = world if isinstance(world, World) else read_world(world)
    try:
        examination = Examination(subject)
        recomputed = certificate_of(examination)
    except ForgeError as error:
        claim = error.certificate if isinstance(error, NotProved) else "engines"
        return (Finding(claim, "", "", certificate.get("status", _ABSENT), str(error)),)
    return tuple(_findings(examination, certificate, recomputed, work))


def _findings(
    examination: Examination, found: Mapping[str, Any], recomputed: Mapping[str, Any], work: bool
) -> Iterator[Finding]:
    for path in _differences(found, recomputed):
        here, there = _at(found, path), _at(recomputed, path)
        last = path[-1]
        if last == "version" and isinstance(here, str):
            continue
        if last in _WORK and not work and isinstance(here, int) and here >= 0:
            continue
        if last in _FILES and not work and _SHA256.fullmatch(str(here)):
            continue
        if last in _CHOSEN and _as_good(examination, found, path):
            continue
        yield Finding(str(path[0]), _unit(recomputed, path), _field(path), here, there)


def _differences(found: Any, recomputed: Any, path: _PATH = ()) -> Iterator[_PATH]:
    """The paths at which two certificates differ, not looking into what may be chosen."""
    if path and path[-1] in _CHOSEN:
        if found != recomputed:
            yield path
    elif isinstance(found, Mapping) and isinstance(recomputed, Mapping):
        for key in dict.fromkeys([*recomputed, *found]):
            yield from _differences(
                found.get(key, _ABSENT), recomputed.get(key, _ABSENT), (*path, key)
            )
    elif _lists(found, recomputed) and len(found) == len(recomputed):
        for place, (here, there) in enumerate(zip(found, recomputed, strict=True)):
            yield from _differences(here, there, (*path, place))
    elif type(found) is not type(recomputed) or found != recomputed:
        yield path


def _lists(found: Any, recomputed: Any) -> bool:
    return isinstance(found, list) and isinstance(recomputed, list)


def _at(certificate: Any, path: _PATH) -> Any:
    for key in path:
        if isinstance(certificate, Mapping):
            certificate = certificate.get(str(key), _ABSENT)
        else:
            certificate = certificate[key]
    return certificate


def _unit(recomputed: Mapping[str, Any], path: _PATH) -> str:
    """The unit, bridge, answer or literal that a path is about."""
    parts = []
    for end in range(1, len(path)):
        entry = _at(recomputed, path[:end])
        if isinstance(entry, Mapping):
            parts += [
                str(entry[name])
                for name in _NAMES
                if isinstance(path[end - 1], int) and name in entry
            ]
    return " ".join(parts)


def _field(path: _PATH) -> str:
    return ".".join(key for key in path[1:] if isinstance(key, str))


def _as_good(examination: Examination, found: Mapping[str, Any], path: _PATH) -> bool:
    """Whether another choice than ours proves the same."""
    check = _CHECKS[str(path[0])]
    try:
        return check(examination, [_at(found, path[:end]) for end in range(1, len(path))])
    except (LookupError, TypeError, ValueError, AttributeError, EnigmaError):
        # A choice of the wrong shape proves nothing.
        return False


def _ablation(examination: Examination, entries: Sequence[Any]) -> bool:
    entry = entries[1]
    clue = entry["unit"]
    others = [examination.constraints[label] for label in examination.without(clue)]
    model = _model(examination, entry["witness"], others)
    return model is not None and not examination.constraints[clue].holds(model)


def _alternative(examination: Examination, entries: Sequence[Any]) -> bool:
    bridge, entry = entries[1]["bridge"], entries[3]
    others = [examination.constraints[label] for label in examination.without(bridge)]
    return _model(examination, entry["witness"], others, {bridge: entry["answer"]}) is not None


def _distractor(examination: Examination, entries: Sequence[Any]) -> bool:
    entry = entries[1]
    unit, clue, changed = entry["unit"], entry["plausible_without"], entry["witness"]
    hypothesis = examination.hypotheses[unit]
    others = [examination.constraints[label] for label in examination.without(clue)]
    models = examination.oracle.count([hypothesis, *others])
    return (
        _is_core(examination, entry, "refuted_by", hypothesis_label(unit))
        and clue in entry["refuted_by"]
        and _model(examination, changed, [hypothesis, *others]) is not None
        and models is not None
        and bool(entry["bait"] == bait(examination, clue, changed, models))
    )


def _literal(examination: Examination, entries: Sequence[Any]) -> bool:
    entry = entries[2]
    label = flip(examination, read_literal(entry["literal"], "literal"))
    if not _is_core(examination, entry, "decided_by", label):
        return False
    if entry["rule"] != "rule":
        return "falsifiable_without" not in entry
    clue = entry["falsifiable_without"]
    without = examination.dpll.solve(examination.without(clue), given=[label])
    return clue in examination.clues and without.answer is Answer.SAT


_CHECKS: dict[str, Callable[[Examination, Sequence[Any]], bool]] = {
    "ablations": _ablation,
    "bridges": _alternative,
    "distractors": _distractor,
    "policy": _literal,
}


def _is_core(examination: Examination, entry: Mapping[str, Any], key: str, label: str) -> bool:
    """Whether the named clues and bridges exclude the label, and none of them is idle."""
    clues, bridges = entry[key], entry.get("with_bridges", [])
    named = [*clues, *bridges]
    if not set(clues) <= set(examination.clues) or not set(bridges) <= set(examination.bridges):
        return False
    core = examination.dpll.core(named, given=[label])
    return core is not None and sorted(core) == sorted(named)


def _model(
    examination: Examination,
    changed: Mapping[str, Value],
    holding: Sequence[Constraint],
    believed: Mapping[str, Value] | None = None,
) -> dict[str, Value] | None:
    """The world that a witness describes, if it names real changes only and all of this holds."""
    world = examination.world
    for term, value in changed.items():
        if value not in world.term_values[term] or value == world.solution[term]:
            return None
    model = {**examination.truth, **(believed or {}), **changed}
    return model if all(constraint.holds(model) for constraint in holding) else None
