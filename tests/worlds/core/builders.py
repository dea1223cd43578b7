"""Hand-made worlds, small enough to be followed on paper."""

from __future__ import annotations

from dataclasses import replace

from worlds.core.constraints import (
    AllDifferent,
    Arithmetic,
    Constraint,
    Equality,
    Implication,
    Inequality,
    Literal,
)
from worlds.core.model import Bridge, Domain, Unit, Variable, World
from worlds.core.policy import Branch, Policy, Rule

__all__ = ["clue", "observatory", "with_units"]

STAFF = ("Halloran", "Pryce", "Quill", "Thorne", "Wetherby")
NOTCHES = (1, 2, 3, 4)

_VARIABLES = (
    ("V0", "P-33", "the exposer of plate P-33", "staff"),
    ("V1", "W-21", "the keeper of watch W-21", "staff"),
    ("V2", "P-86", "the exposer of plate P-86", "staff"),
    ("V3", "N-18", "the shutter on night N-18", "notches"),
    ("V4", "N-57", "the shutter on night N-57", "notches"),
    ("V5", "L-44", "the remover of lens L-44", "staff"),
    ("V6", "G-68", "the signatory of log G-68", "staff"),
    ("V7", "N-95", "the shutter on night N-95", "notches"),
)

_PEGS = (
    ("Herschel", "Wetherby"),
    ("Galileo", "Thorne"),
    ("Messier", "Pryce"),
    ("Kepler", "Halloran"),
)


def clue(unit: str, constraint: Constraint) -> Unit:
    """An evidence unit that counts."""
    return Unit(unit, "clue", constraint=constraint)


def observatory() -> World:
    """Eight facts about a dome, a false report, an idle one, and who discovered Uranus.

    P-33 Pryce, W-21 Pryce, P-86 Quill, N-18 2, N-57 3, L-44 Wetherby, G-68 Halloran, N-95 1.
    """
    pegs = tuple((Literal("K0", "=", k), Literal("V5", "=", v)) for k, v in _PEGS)
    return World(
        domains=(Domain("notches", NOTCHES), Domain("staff", STAFF)),
        variables=tuple(Variable(*variable) for variable in _VARIABLES),
        bridges=(
            Bridge(
                id="K0",
                question="Who discovered Uranus?",
                answer="Herschel",
                alternatives=("Galileo", "Kepler", "Messier"),
                role="essential",
                source="any almanac",
            ),
            Bridge(
                id="K1",
                question="Who watched an apple fall?",
                answer="Newton",
                alternatives=("Boyle", "Halley", "Hooke"),
                role="confirmatory",
                source="any schoolbook",
            ),
        ),
        units=(
            clue("E1", Equality("V1", right="V0")),
            clue("E2", Arithmetic("offset", "V4", "V3", 1)),
            Unit("E3", "distractor", hypothesis=Equality("V1", value="Quill"), kind="false"),
            clue("E4", Equality("V3", value=2)),
            clue("E5", Implication.of(Literal("V4", "=", 3), Literal("V0", "=", "Pryce"))),
            clue("E6", Implication.of(Literal("V1", "=", "Pryce"), Literal("V2", "=", "Quill"))),
            clue("E7", AllDifferent(("V0", "V2", "V5", "V6"))),
            clue("E8", Implication(pegs, is_table=True)),
            clue("E9", Inequality("<", "V7", right="V3")),
            clue("E10", Inequality("!=", "V6", value="Thorne")),
            Unit("E11", "distractor", hypothesis=Inequality("!=", "V2", right="V1"), kind="idle"),
            Unit("E12", "frame"),
            Unit("E13", "objective"),
            Unit("E14", "provisional"),
            Unit("E15", "policy"),
        ),
        apparent="V6",
        policy=Policy(
            rule=Rule(
                condition=(Literal("V6", "=", "Halloran"), Literal("V7", "<", 2)),
                then=Branch("register", "V2", "V5"),
                otherwise=Branch("hold", "V2", "V2"),
            ),
            provisional=Rule(
                condition=(Literal("V4", ">", 1),),
                then=Branch("hold", "V2", "V1"),
                otherwise=Branch("hold", "V2", "V6"),
            ),
        ),
        solution={
            "V0": "Pryce",
            "V1": "Pryce",
            "V2": "Quill",
            "V3": 2,
            "V4": 3,
            "V5": "Wetherby",
            "V6": "Halloran",
            "V7": 1,
        },
    )


def with_units(world: World, *changed: Unit) -> World:
    """The world with units put in the place of those with the same id, or added at the end."""
    by_id = {unit.id: unit for unit in changed}
    kept = tuple(by_id.pop(unit.id, unit) for unit in world.units)
    return replace(world, units=(*kept, *by_id.values()))
