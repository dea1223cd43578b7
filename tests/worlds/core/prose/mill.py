"""A hand-made world of the mill pack in which every clause form is needed once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from worlds.core.bridges import BridgeFact
from worlds.core.constraints import (
    AllDifferent,
    Arithmetic,
    Constraint,
    Equality,
    ExactlyOne,
    Implication,
    Inequality,
    Literal,
)
from worlds.core.ids import InstanceId, parse_id
from worlds.core.model import Bridge, Domain, Unit, Variable, World
from worlds.core.packs import Pack, read_pack
from worlds.core.policy import Branch, Policy, Rule

__all__ = ["FACTS", "mill_id", "mill_pack", "mill_world"]

MILL = Path(__file__).parent.parent / "packs" / "mill"

URANUS = BridgeFact(
    key="uranus",
    topic="astronomy",
    subject="the man who discovered Uranus",
    question="Who discovered Uranus?",
    answer="Herschel",
    alternatives=("Galileo", "Kepler", "Messier", "Tycho"),
    source="any almanac",
    note="Is the garden with the telescope at Bath still there?",
)
APPLE = BridgeFact(
    key="apple",
    topic="physics",
    subject="the man who watched an apple fall",
    question="Who watched an apple fall?",
    answer="Newton",
    alternatives=("Boyle", "Halley", "Hooke"),
    source="any schoolbook",
    note="The orchard at Woolsthorpe bore well, they write.",
)
FACTS = (URANUS, APPLE)

_DOMAINS = (
    Domain("hands", ("Ashdown", "Brewster", "Corbett", "Dunning")),
    Domain("pond", (1, 2, 3, 4)),
)
_VARIABLES = (
    ("V0", "S-21", "the dresser of stone S-21", "hands"),
    ("V1", "S-34", "the dresser of stone S-34", "hands"),
    ("V2", "H-12", "the filler of hopper H-12", "hands"),
    ("V3", "L-45", "the taker of lantern L-45", "hands"),
    ("V4", "N-18", "the pond on night N-18", "pond"),
    ("V5", "N-57", "the pond on night N-57", "pond"),
    ("V6", "N-95", "the pond on night N-95", "pond"),
)
_SOLUTION = {
    "V0": "Ashdown",
    "V1": "Brewster",
    "V2": "Ashdown",
    "V3": "Corbett",
    "V4": 2,
    "V5": 3,
    "V6": 2,
}
_HOOKS = (
    ("Herschel", "Corbett"),
    ("Galileo", "Ashdown"),
    ("Kepler", "Dunning"),
    ("Messier", "Brewster"),
)
_CLUES: tuple[Constraint, ...] = (
    Equality("V0", value="Ashdown"),
    Equality("V4", value=2),
    Equality("V2", right="V0"),
    Equality("V6", right="V4"),
    Inequality("!=", "V1", value="Corbett"),
    Inequality("!=", "V5", value=1),
    Inequality("!=", "V3", right="V1"),
    Inequality("!=", "V5", right="V4"),
    Inequality("<", "V4", value=3),
    Inequality(">", "V5", value=2),
    Inequality("<", "V4", right="V5"),
    Implication.of(Literal("V5", "=", 3), Literal("V1", "=", "Brewster")),
    Implication.of(Literal("V1", "!=", "Ashdown"), Literal("V4", "<", 4)),
    Implication(
        tuple((Literal("K0", "=", k), Literal("V3", "=", v)) for k, v in _HOOKS), is_table=True
    ),
    AllDifferent(("V0", "V1", "V3")),
    ExactlyOne((Literal("V0", "=", "Ashdown"), Literal("V5", "=", 1))),
    ExactlyOne((Literal("V1", "=", "Dunning"), Literal("V4", ">", 1), Literal("V6", "!=", 2))),
    ExactlyOne(
        (
            Literal("V0", "=", "Dunning"),
            Literal("V1", "=", "Dunning"),
            Literal("V2", "=", "Dunning"),
            Literal("V3", "=", "Corbett"),
        )
    ),
    Arithmetic("offset", "V5", "V4", 1),
    Arithmetic("offset", "V6", "V5", -1),
    Arithmetic("sum", "V4", "V5", 5),
    Arithmetic("difference", "V5", "V6", 1),
)
_REPORTS: tuple[Constraint, ...] = (
    Equality("V1", value="Dunning"),
    Inequality("<", "V5", right="V6"),
    Implication.of(Literal("V4", "=", 2), Literal("V3", "=", "Dunning")),
    AllDifferent(("V4", "V5", "V6")),
)


@cache
def mill_pack() -> Pack:
    """The small pack of the tests."""
    return read_pack(MILL)


def mill_id(condition: str = "imp", realization: int = 1, seed: int = 7) -> InstanceId:
    """An id of the mill's genre."""
    return parse_id(f"ef1-chain-L00-mill-s{seed}-{condition}{realization}")


def mill_world() -> World:
    """Seven facts, twenty-two clues, four reports, two rules; Herschel's hook was Corbett's."""
    units = [
        Unit(f"E{i}", "clue", constraint=c, bridge=_bridge(c)) for i, c in enumerate(_CLUES, 1)
    ]
    for i, report in enumerate(_REPORTS, len(units) + 1):
        units.append(Unit(f"E{i}", "distractor", hypothesis=report, kind="false"))
    roles = ("frame", "frame", "frame", "bridge-note", "objective", "provisional", "policy")
    for i, role in enumerate(roles, len(units) + 1):
        units.append(Unit(f"E{i}", role, bridge="K1" if role == "bridge-note" else None))
    return World(
        domains=_DOMAINS,
        variables=tuple(Variable(*variable) for variable in _VARIABLES),
        bridges=(_bridge_of("K0", URANUS, "essential"), _bridge_of("K1", APPLE, "confirmatory")),
        units=tuple(units),
        apparent="V6",
        policy=Policy(
            rule=Rule(
                (Literal("V1", "=", "Brewster"), Literal("V5", ">", 2)),
                Branch("loan", "V0", "V3"),
                Branch("pawn", "V0", "V1"),
            ),
            provisional=Rule(
                (Literal("V4", "!=", 1),), Branch("pawn", "V0", "V2"), Branch("loan", "V0", "V1")
            ),
        ),
        solution=dict(_SOLUTION),
    )


def _bridge(constraint: Constraint) -> str | None:
    return next((term for term in constraint.scope if term.startswith("K")), None)


def _bridge_of(term: str, fact: BridgeFact, role: str) -> Bridge:
    alternatives = (
        tuple(sorted(fact.alternatives)[:3]) if term == "K1" else ("Galileo", "Kepler", "Messier")
    )
    return Bridge(term, fact.question, fact.answer, alternatives, role, fact.source)
