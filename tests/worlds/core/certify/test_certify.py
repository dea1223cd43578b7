"""A hand-made world is certified in full, and every defect that can be planted is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import log2
from typing import Any

import pytest

from tests.worlds.core.builders import clue, observatory, with_units
from worlds.core.certify import certify
from worlds.core.certify.examination import Engines
from worlds.core.codec import digest, truth_payload
from worlds.core.constraints import (
    AllDifferent,
    Assignment,
    Constraint,
    Equality,
    Implication,
    Inequality,
    Literal,
    Value,
)
from worlds.core.engines import Answer, Outcome, problem_of, z3_check
from worlds.core.engines.dpll import Dpll
from worlds.core.engines.enumeration import enumerate_models
from worlds.core.engines.oracle import Census, Oracle
from worlds.core.errors import EnginesDisagree, NotProved
from worlds.core.model import Unit, World
from worlds.core.policy import Branch, Rule


def _models(world: World, constraints: Mapping[str, Constraint]) -> list[dict[str, Value]]:
    """The facts of every world that fits, with the bridges' answers held."""
    domains = {**world.term_values, **{b.id: (b.answer,) for b in world.bridges}}
    found = enumerate_models(domains, constraints.values())
    return [{v: model[v] for v in world.solution} for model in found]


def _without(world: World, unit: str) -> World:
    return replace(world, units=tuple(each for each in world.units if each.id != unit))


def _refusal(world: World) -> str:
    with pytest.raises(NotProved) as caught:
        certify(world)
    return str(caught.value)


class TestTheObservatory:
    def test_it_is_proved_unique_by_every_engine(self) -> None:
        certificate = certify(observatory())
        assert certificate["status"] == "proved"
        assert certificate["world_sha256"] == digest(truth_payload(observatory()))
        assert certificate["uniqueness"]["oracle"] == {
            "models": 1,
            "method": "elimination, enumeration",
        }
        assert certificate["uniqueness"]["dpll"]["verdict"] == "proved"
        assert certificate["uniqueness"]["z3"] == {
            "verdict": "proved",
            "version": z3_check.version(),
        }

    def test_every_clue_has_a_witness_that_violates_it_alone(self) -> None:
        world = observatory()
        constraints = dict(problem_of(world).constraints)
        entries = certify(world)["ablations"]
        assert [entry["unit"] for entry in entries] == [unit.id for unit in world.clues]
        for entry in entries:
            others = {k: c for k, c in constraints.items() if k != entry["unit"]}
            every = _models(world, others)
            assert entry["models_without"] == len(every)
            assert entry["load_bits"] == round(log2(len(every)), 2)
            assert all(world.solution[v] != value for v, value in entry["witness"].items())
            other_world = {**world.solution, **entry["witness"]}
            assert other_world in every
            assert not constraints[entry["unit"]].holds({**world.knowledge, **other_world})

    def test_two_of_three_wrong_discoverers_lead_to_another_world(self) -> None:
        essential, confirmatory = certify(observatory())["bridges"]
        assert essential == {
            "bridge": "K0",
            "role": "essential",
            "models_without": 4,
            "alternatives": [
                {"answer": "Galileo", "models": 2, "witness": {"V5": "Thorne"}},
                {
                    "answer": "Kepler",
                    "models": 1,
                    "witness": {"V5": "Halloran", "V6": "Wetherby"},
                },
                {"answer": "Messier", "models": 0},
            ],
        }
        assert confirmatory == {
            "bridge": "K1",
            "role": "confirmatory",
            "models_with": {"Boyle": 1, "Halley": 1, "Hooke": 1, "Newton": 1},
        }

    def test_the_false_report_is_refuted_plausible_and_a_bait(self) -> None:
        world = observatory()
        report, idle = certify(world)["distractors"]
        assert report["refuted_by"] == ["E1", "E2", "E4", "E5"]
        assert report["plausible_without"] == report["bait"]["clue"] == "E1"
        constraints = dict(problem_of(world).constraints)
        hypothesis = world.unit("E3").hypothesis
        assert hypothesis is not None
        swapped = {**constraints, "E1": hypothesis}
        every = _models(world, swapped)
        other_world = {**world.solution, **report["witness"]}
        assert other_world in every
        assert report["bait"]["models"] == len(every)
        assert report["bait"]["facts_changed"] == len(report["witness"])
        assert report["bait"]["action"] == world.action_on(other_world).payload()
        assert report["bait"]["action_changed"] == (world.action_on(other_world) != world.action)
        assert idle == {"unit": "E11", "kind": "idle", "models_with": 1, "models_without": 1}

    def test_the_three_actions_differ_and_every_literal_is_decided(self) -> None:
        policy = certify(observatory())["policy"]
        assert policy["action"] == {"verb": "register", "item": "P-86", "party": "Wetherby"}
        assert policy["other_branch_action"] == {"verb": "hold", "item": "P-86", "party": "Quill"}
        assert policy["provisional_action"] == {"verb": "hold", "item": "P-86", "party": "Pryce"}
        assert [(each["rule"], each["literal"], each["truth"]) for each in policy["literals"]] == [
            ("rule", ["V6", "=", "Halloran"], True),
            ("rule", ["V7", "<", 2], True),
            ("provisional", ["V4", ">", 1], True),
        ]
        assert policy["literals"][1]["decided_by"] == ["E4", "E9"]
        assert policy["literals"][1]["falsifiable_without"] == "E4"
        assert "falsifiable_without" not in policy["literals"][2]

    def test_it_is_a_chain_of_six_rounds(self) -> None:
        assert certify(observatory())["inference"] == {
            "facts": 8,
            "direct": 1,
            "propagated": 8,
            "rounds": 6,
            "decisions": 0,
            "elimination_rounds": 0,
            "techniques": {"reading": 2, "chaining": 6, "elimination": 0, "case_split": 0},
        }

    def test_it_is_certified_alike_each_time_and_between_others(self) -> None:
        # Leftovers of one examination must not reach the next (cases C14 and C17).
        first = certify(observatory())
        changed = with_units(observatory(), clue("E4", Equality("V3", value=3)))
        with pytest.raises(NotProved):
            certify(changed)
        assert certify(observatory()) == first
        assert json.loads(json.dumps(first)) == first

    @pytest.mark.parametrize("seed", ["0", "1", "31337"])
    def test_it_is_certified_alike_under_every_hash_seed(self, seed: str) -> None:
        code = (
            "from tests.worlds.core.builders import observatory\n"
            "from worlds.core.certify import certify\n"
            "from worlds.core.codec import digest\n"
            "print(digest(certify(observatory())))\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == digest(certify(observatory()))


class TestRefusals:
    @pytest.mark.parametrize("unit", [unit.id for unit in observatory().clues])
    def test_a_missing_clue(self, unit: str) -> None:
        assert "uniqueness is refuted" in _refusal(_without(observatory(), unit))

    def test_a_clue_that_is_false_of_the_solution(self) -> None:
        world = with_units(observatory(), clue("E4", Equality("V3", value=3)))
        assert _refusal(world) == "uniqueness is refuted: E4 is false of the solution"

    def test_a_clue_told_twice_makes_both_idle(self) -> None:
        # Neither copy is needed, whichever the solver meets first (case C20).
        world = with_units(observatory(), clue("E16", Equality("V3", value=2)))
        assert _refusal(world) == "ablation is refuted: not needed: E4, E16"

    def test_a_clue_that_two_others_imply(self) -> None:
        world = with_units(observatory(), clue("E16", Inequality("<", "V7", right="V4")))
        assert _refusal(world) == "ablation is refuted: not needed: E16"

    def test_an_essential_bridge_that_nothing_hangs_on(self) -> None:
        world = with_units(observatory(), clue("E8", Equality("V5", value="Wetherby")))
        assert _refusal(world) == "bridge is refuted: K0 is not needed"

    def test_an_essential_bridge_whose_wrong_answers_exclude_themselves(self) -> None:
        pegs = (("Herschel", "Wetherby"), ("Galileo", "Quill"), ("Messier", "Pryce"))
        table = tuple((Literal("K0", "=", k), Literal("V5", "=", v)) for k, v in pegs)
        rows = (*table, (Literal("K0", "=", "Kepler"), Literal("V5", "=", "Halloran")))
        world = with_units(observatory(), clue("E8", Implication(rows, is_table=True)))
        assert "too few wrong answers of K0" in _refusal(world)

    def test_a_confirmatory_bridge_that_something_hangs_on(self) -> None:
        world = observatory()
        essential, confirmatory = world.bridges
        world = replace(world, bridges=(replace(essential, role="confirmatory"), confirmatory))
        assert _refusal(world) == "bridge is refuted: the world depends on K0"

    @pytest.mark.parametrize(
        ("unit", "hypothesis", "reason"),
        [
            ("E3", Equality("V1", value="Pryce"), "E3 is true of the world"),
            ("E3", AllDifferent(("V1", "V1")), "no single clue makes E3 impossible"),
            ("E11", Equality("V2", right="V1"), "E11 is not true of the world"),
        ],
    )
    def test_a_distractor_of_the_wrong_kind(
        self, unit: str, hypothesis: Constraint, reason: str
    ) -> None:
        world = observatory()
        changed = Unit(unit, "distractor", hypothesis=hypothesis, kind=world.unit(unit).kind)
        assert _refusal(with_units(world, changed)) == f"distractor is refuted: {reason}"

    @pytest.mark.parametrize(
        ("rule", "reason"),
        [
            (
                Rule(
                    (Literal("V6", "=", "Halloran"),),
                    Branch("hold", "V2", "V1"),
                    Branch("hold", "V2", "V2"),
                ),
                "two of the three actions are the same",
            ),
            (
                Rule(
                    (Literal("V6", "=", "Halloran"), Literal("V7", "<", 5)),
                    Branch("register", "V2", "V5"),
                    Branch("hold", "V2", "V2"),
                ),
                "V7 < 5: the domain alone decides it",
            ),
        ],
    )
    def test_a_policy_that_cannot_tell(self, rule: Rule, reason: str) -> None:
        world = observatory()
        world = replace(world, policy=replace(world.policy, rule=rule))
        told = reason.replace("V7 < 5", "N-95 is lower than 5")
        assert _refusal(world) == f"policy is refuted: {told}"


class _Tired(Dpll):
    """Gives up at once."""

    def __init__(self, domains: Mapping[str, tuple[Value, ...]]) -> None:
        super().__init__(domains, budget=-1)


class _Narrow(Oracle):
    """Counts nothing that needs more than a handful of rows."""

    def __init__(self, domains: Mapping[str, Sequence[Value]]) -> None:
        super().__init__(domains, width=4)


def _tired_z3(
    domains: Mapping[str, Sequence[Value]],
    constraints: Iterable[Constraint],
    *,
    banned: Assignment | None = None,
) -> Outcome:
    return z3_check.check(domains, constraints, banned=banned, rlimit=1)


class TestBudgets:
    @pytest.mark.parametrize(
        "engines", [Engines(dpll=_Tired), Engines(oracle=_Narrow), Engines(z3=_tired_z3)]
    )
    def test_unknown_is_never_a_pass(self, engines: Engines) -> None:
        with pytest.raises(NotProved) as caught:
            certify(observatory(), engines)
        assert caught.value.verdict == "unknown"


class _Denies(Dpll):
    """Overlooks every model."""

    def solve(self, *args: Any, **options: Any) -> Outcome:
        return replace(super().solve(*args, **options), answer=Answer.UNSAT, model=None)


class _Insists(Dpll):
    """Finds the solution again where it was banned."""

    def solve(self, active: Iterable[str], **options: Any) -> Outcome:
        return super().solve([label for label in active if " " not in label], **options)


class _Invents(Dpll):
    """Finds models without looking at the constraints."""

    def without_each(
        self, labels: Sequence[str], background: Iterable[str], **options: Any
    ) -> dict[str, Outcome]:
        model = {term: values[0] for term, values in self.cnf.domains.items()}
        return {label: Outcome(Answer.SAT, model) for label in labels}


class _Miscounts(Oracle):
    """One off, in every count without a clue."""

    def census(self, *args: Any, **options: Any) -> Census | None:
        census = super().census(*args, **options)
        assert census is not None
        return replace(census, without={k: n + 1 for k, n in census.without.items()})


class _Doubles(Oracle):
    """Counts every world twice."""

    def census(self, *args: Any, **options: Any) -> Census | None:
        census = super().census(*args, **options)
        assert census is not None
        return replace(census, models=2 * census.models)


def _contrary_z3(*args: Any, **options: Any) -> Outcome:
    return Outcome(Answer.SAT)


class TestPlantedBugs:
    @pytest.mark.parametrize(
        "engines",
        [
            Engines(dpll=_Denies),
            Engines(dpll=_Insists),
            Engines(dpll=_Invents),
            Engines(oracle=_Miscounts),
            Engines(oracle=_Doubles),
            Engines(z3=_contrary_z3),
        ],
    )
    def test_an_engine_with_a_bug_is_found_out(self, engines: Engines) -> None:
        with pytest.raises(EnginesDisagree):
            certify(observatory(), engines)
