"""Everyone who is compared gives the right answers; a wrong one stops the suite."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.worlds.core.builders import observatory
from worlds.bench import cadical_side, certificates, dpll_side, oracle, z3_side
from worlds.bench.plan import Plan, subjects
from worlds.bench.report import Report
from worlds.core.constraints import Equality
from worlds.core.engines import Answer
from worlds.core.errors import EnginesDisagree
from worlds.core.ids import parse_family_id
from worlds.core.model import World

Answering = Callable[[World], tuple[Answer, ...]]

_LOADS = {
    "native": dpll_side.load,
    "z3 QF_LIA": lambda world: z3_side.load_integers(world, "QF_LIA"),
    "z3 QF_FD": lambda world: z3_side.load_integers(world, "QF_FD"),
    "z3 on our clauses": z3_side.load_clauses,
    "CaDiCaL": cadical_side.load,
    "oracle": oracle.load,
}


@pytest.fixture(params=_LOADS)
def answers(request: pytest.FixtureRequest) -> Answering:
    """Return one contender: from a world to its answers."""
    load = _LOADS[request.param]
    return lambda world: load(world)()


def test_a_certified_world_is_unique_and_needs_every_clue(answers: Answering) -> None:
    world = observatory()
    assert answers(world) == (Answer.UNSAT, *[Answer.SAT] * len(world.clues))


def test_a_clue_said_twice_is_not_needed(answers: Answering) -> None:
    world = observatory()
    said = next(unit for unit in world.clues if unit.constraint == Equality("V3", value=2))
    twice = replace(world, units=(*world.units, replace(said, id="E99")))
    found = dict(zip((None, *(u.id for u in twice.clues)), answers(twice), strict=True))
    idle = [unit for unit, answer in found.items() if unit and answer is Answer.UNSAT]
    assert idle == [said.id, "E99"]


def test_a_world_without_a_clue_has_others(answers: Answering) -> None:
    world = observatory()
    fewer = tuple(unit for unit in world.units if unit.id != "E9")
    assert answers(replace(world, units=fewer))[0] is Answer.SAT


def test_contenders_are_those_whose_answers_are_tested_here() -> None:
    names = set(certificates.contenders(Report(1, {})))
    assert names == set(_LOADS) - {"oracle"}


def test_disagreement_names_the_family_and_the_query() -> None:
    family, world = next(subjects("chain", "L00", 1))
    right = dpll_side.load(world)()
    wrong = (*right[:-1], Answer.UNSAT)
    last = world.clues[-1].id
    with pytest.raises(EnginesDisagree, match=rf"{family}: the evidence without {last}: native"):
        certificates.check_agreement(family, world, {"native": right, "z3": wrong})


def test_a_faulty_engine_stops_the_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(world: World) -> object:
        return lambda: (Answer.SAT,) * (1 + len(world.clues))

    monkeypatch.setattr(dpll_side, "load", faulty)
    plan = Plan(worlds=1, levels=("L00",), profiles=("chain",), rounds=1)
    with pytest.raises(EnginesDisagree, match="ef1-chain-L00-maritime-s0: uniqueness"):
        list(certificates.measure(plan, Report(1, {})))


def test_subjects_are_the_families_of_the_first_seeds() -> None:
    families = [family for family, _ in subjects("case", "L00", 2)]
    assert families == [parse_family_id(f"ef1-case-L00-maritime-s{seed}") for seed in (0, 1)]
