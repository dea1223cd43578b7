"""The inference profile tells every fact by the first technique that reaches it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worlds.core.builders import observatory
from tests.worlds.core.certify.small import small_world, world_of
from worlds.core.certify.examination import BAN, Engines, Examination
from worlds.core.certify.inference import inference
from worlds.core.constraints import (
    AllDifferent,
    Arithmetic,
    Constraint,
    Equality,
    Implication,
    Literal,
    Value,
)
from worlds.core.engines import problem_of
from worlds.core.engines.cnf import OneHot
from worlds.core.engines.dpll import Dpll
from worlds.core.engines.rounds import in_rounds
from worlds.core.errors import NotProved
from worlds.core.model import Domain, Unit, Variable, World
from worlds.core.policy import Branch, Policy, Rule

ANN = Literal("V0", "=", "Ann")
RULE = Rule((ANN,), Branch("keep", "V0", "V0"), Branch("send", "V0", "V0"))


def _profile(*clues: Constraint) -> dict[str, int]:
    told = inference(Examination(world_of([Equality("V0", value="Ann"), *clues], RULE)))
    return {**told["techniques"], "elimination_rounds": told["elimination_rounds"]}


def _never(step: int) -> list[Constraint]:
    """Two clues from which it follows that V4 has not this value, if one assumes that it has."""
    premise = Literal("V4", "=", step)
    return [Implication.of(premise, Literal("V5", "=", other)) for other in (1, 3)]


def _pigeons() -> World:
    """If V0 is not Ann, four terms that all differ have three values: no one step shows that."""
    steps = ("V1", "V2", "V3", "V4")
    clues: list[Constraint] = [AllDifferent(steps)]
    clues += [Implication.of(ANN, Literal(term, "=", i)) for i, term in enumerate(steps[:3], 1)]
    clues += [Implication.of(Literal("V0", "=", "Bob"), Literal(term, "!=", 4)) for term in steps]
    return World(
        domains=(Domain("crew", ("Ann", "Bob")), Domain("gauge", (1, 2, 3, 4))),
        variables=(
            Variable("V0", "M-10", "the one", "crew"),
            *(Variable(term, f"M-1{term[1]}", f"step {term}", "gauge") for term in steps),
        ),
        bridges=(),
        units=tuple(Unit(f"E{i}", "clue", constraint=each) for i, each in enumerate(clues, 1)),
        apparent="V0",
        policy=Policy(RULE, RULE),
        solution={"V0": "Ann", "V1": 1, "V2": 2, "V3": 3, "V4": 4},
    )


def test_a_stated_fact_and_a_known_table_are_read() -> None:
    told = inference(Examination(observatory()))
    # Notch 2 is stated in E4, and whose coat hangs on Herschel's peg in E8.
    assert told["techniques"] == {"reading": 2, "chaining": 6, "elimination": 0, "case_split": 0}
    assert (told["direct"], told["elimination_rounds"]) == (1, 0)


def test_what_propagation_reaches_is_chained() -> None:
    clues = [Equality("V4", value=1), Arithmetic("offset", "V5", "V4", 1)]
    assert _profile(*clues) == {
        "reading": 2,
        "chaining": 1,
        "elimination": 0,
        "case_split": 0,
        "elimination_rounds": 0,
    }


def test_what_falls_when_refuted_values_are_crossed_out_is_eliminated() -> None:
    # The lower step is neither 1 nor 2, though no clue says so.
    clues = [*_never(1), *_never(2), Arithmetic("sum", "V4", "V5", 4)]
    assert _profile(*clues) == {
        "reading": 1,
        "chaining": 0,
        "elimination": 2,
        "case_split": 0,
        "elimination_rounds": 1,
    }


def test_what_no_single_assumption_settles_takes_cases() -> None:
    told = inference(Examination(_pigeons()))
    assert told["techniques"] == {"reading": 0, "chaining": 0, "elimination": 0, "case_split": 5}
    assert told["decisions"] > 0


def test_what_the_engine_has_learned_makes_no_world_look_easier() -> None:
    world = _pigeons()
    examination = Examination(world)
    examination.dpll.solve([*examination.evidence, BAN])
    assert inference(examination) == inference(Examination(world))


def test_a_profile_that_no_engine_finds_in_its_budget_is_no_pass() -> None:
    with pytest.raises(NotProved) as caught:
        inference(Examination(_pigeons(), Engines(dpll=_Tired)))
    assert (caught.value.certificate, caught.value.verdict) == ("inference", "unknown")


class _Tired(Dpll):
    """Gives up at once."""

    def __init__(self, domains: Mapping[str, tuple[Value, ...]]) -> None:
        super().__init__(domains, budget=-1)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**40))
def test_the_profile_is_what_propagating_from_scratch_says(seed: int) -> None:
    world = small_world(seed)
    told = inference(Examination(world))
    eliminated, rounds = _from_scratch(world)
    techniques = told["techniques"]
    assert sum(techniques.values()) == told["facts"] == len(world.solution)
    assert techniques["reading"] + techniques["chaining"] == told["propagated"]
    assert (techniques["elimination"], told["elimination_rounds"]) == (eliminated, rounds)
    assert told["decisions"] == 0 or techniques["elimination"] + techniques["case_split"]


def _from_scratch(world: World) -> tuple[int, int]:
    """Facts and rounds of crossing out, each value assumed in a propagation of its own."""
    problem = problem_of(world)
    cnf = OneHot(problem.domains)
    clauses = [clause for each in problem.constraints.values() for clause in cnf.clauses_of(each)]
    chained = set(in_rounds(cnf, clauses).facts)
    rounds = 0
    while refuted := [
        v
        for fact in world.solution
        for v in cnf.variables[fact]
        if fact not in in_rounds(cnf, clauses).facts
        and (-v,) not in clauses
        and in_rounds(cnf, [*clauses, (v,)]).conflict
    ]:
        rounds += 1
        clauses += [(-v,) for v in refuted]
    found = set(in_rounds(cnf, clauses).facts)
    return len((found - chained) & set(world.solution)), rounds
