"""A small lexicon and a few bridge facts: enough for a world of any level, in no genre."""

from __future__ import annotations

from worlds.core.bridges import BridgeFact
from worlds.core.lexicon import Lexicon, Measure, PersonRole, Roster

__all__ = ["FACTS", "LEXICON"]

_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"


def _role(letter: str, roster: str) -> PersonRole:
    noun = f"{roster} thing {letter.lower()}"
    return PersonRole(
        key=noun,
        letter=letter,
        roster=roster,
        noun=noun,
        plural=f"{noun}s",
        past="moved",
        done="moved",
        agent="mover",
    )


def _measure(letter: str) -> Measure:
    return Measure(
        key=f"gauge {letter.lower()}",
        letter=letter,
        subject=f"gauge {letter.lower()}",
        verb="stood",
        value="at step {n}",
        preposition="at",
        occasion="reading",
        occasions="readings",
        step="step",
        steps="steps",
        more="higher",
        less="lower",
        whole="the whole of a reading",
        asked=f"at which step gauge {letter.lower()} stood",
    )


LEXICON = Lexicon(
    genre="plain",
    names=tuple(f"N{first}{second}" for first in "aeiou" for second in "bcdfg"),
    rosters=(Roster("crew", "the crew"), Roster("office", "the office")),
    roles=tuple(_role(letter, roster) for roster in ("crew", "office") for letter in _LETTERS),
    measures=tuple(_measure(letter) for letter in _LETTERS),
    verbs=(("keep", "send"), ("lift", "lower")),
)

FACTS = tuple(
    BridgeFact(
        key=f"fact-{i}",
        topic=f"topic-{i}",
        subject=f"the answer of fact {i}",
        question=f"What is the answer of fact {i}?",
        answer=f"Right{i}",
        alternatives=tuple(f"Wrong{i}{letter}" for letter in "abcd"),
        source="made up",
        note="A note.",
    )
    for i in range(8)
)
