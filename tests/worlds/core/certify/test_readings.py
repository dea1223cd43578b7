"""Every reading comes to what trying all assignments says, and an open one is caught."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worlds.core.builders import observatory
from tests.worlds.core.certify.enumerated import enumerated
from tests.worlds.core.certify.small import framed, small_world, world_of
from tests.worlds.core.forge.lexicons import FACTS, LEXICON
from worlds.core.certify import certify
from worlds.core.certify.examination import Engines, Examination
from worlds.core.certify.readings import Exclusion, excluded_by, readings
from worlds.core.constraints import (
    Arithmetic,
    Constraint,
    Equality,
    Implication,
    Inequality,
    Literal,
    Value,
)
from worlds.core.engines.dpll import Dpll
from worlds.core.engines.oracle import Oracle
from worlds.core.errors import EnginesDisagree, ForgeError, NotProved
from worlds.core.forge.pipeline import sample_world
from worlds.core.levels import level_spec
from worlds.core.model import World
from worlds.core.policy import Branch, Rule
from worlds.core.seeds import derive

ANN = Literal("V0", "=", "Ann")
KEEP, SEND = Branch("keep", "V0", "V0"), Branch("send", "V0", "V1")
RULE, OLD_RULE = Rule((ANN,), KEEP, SEND), Rule((ANN,), Branch("keep", "V0", "V1"), SEND)
ALONE = Rule((ANN,), KEEP, Branch("send", "V0", "V0"))
IS_ANN, IS_BOB = Equality("V0", value="Ann"), Equality("V1", value="Bob")
ALTERNATIVES = "the conditions of the rule as alternatives"


class _Everything(dict[str, Exclusion]):
    """A text that rules every reading out, so that all of them are told."""

    def get(self, key: str, default: Any = None) -> Exclusion:
        return Exclusion("the test")


def _results(world: World) -> dict[tuple[str, str], str]:
    told: dict[tuple[str, str], str] = {}
    for entry in readings(Examination(world), _Everything()):
        for unit in entry.get("units", [""]):
            assert (entry["reading"], unit) not in told
            told[entry["reading"], unit] = entry["solved"]
    return told


def _entry(world: World, name: str) -> dict[str, Any]:
    (entry,) = (e for e in readings(Examination(world)) if e["reading"] == name)
    return entry


def _refusal(world: World, excluded: Mapping[str, Exclusion] | None = None) -> str:
    with pytest.raises(NotProved) as caught:
        readings(Examination(world), excluded)
    assert (caught.value.certificate, caught.value.verdict) == ("readings", "refuted")
    return caught.value.detail


def _forged(profile: str, level: str) -> World:
    for attempt in range(60):
        try:
            stream = derive(attempt, "readings", profile, level)
            return sample_world(level_spec(profile, level), LEXICON, FACTS, stream)
        except ForgeError:
            continue
    raise AssertionError("no world in 60 attempts")


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**40))
def test_each_reading_comes_to_what_trying_every_assignment_says(seed: int) -> None:
    world = small_world(seed)
    assert _results(world) == enumerated(world)


@pytest.mark.parametrize("profile", ["chain", "case"])
def test_every_verdict_occurs_in_a_forged_world(profile: str) -> None:
    told = certify(_forged(profile, "L01"))["readings"]
    verdicts = {entry["verdict"] for entry in told}
    assert verdicts == {"excluded", "no_world", "same", "undetermined"}
    assert "another" in {entry["solved"] for entry in told if "solved" in entry}
    assert all(("by" in entry) == (entry["verdict"] == "excluded") for entry in told)


def _plain(*clues: Constraint, rule: Rule = RULE, provisional: Rule = OLD_RULE) -> World:
    return world_of([IS_ANN, IS_BOB, *clues], rule, provisional)


def _step_up(low: str, high: str, value: int) -> tuple[Constraint, Constraint]:
    return Equality(low, value=value), Arithmetic("offset", high, low, 1)


def _backwards(low: str, high: str, gap: int, top: int) -> tuple[Constraint, Constraint]:
    """The steps are (1, 1 + gap) or (2, top), and not the former; by the converse they are."""
    premise, conclusion = Literal(low, "=", 1), Literal(high, "=", top)
    return Arithmetic("offset", high, low, gap), Implication.of(premise, conclusion)


TURNED = _plain(*_step_up("V4", "V5", 2))
TWO_SCALES = _plain(*_step_up("V2", "V3", 2), *_step_up("V4", "V5", 2))
CONVERSE = _plain(*_backwards("V4", "V5", 1, 3))
CONVERSES = _plain(*_backwards("V2", "V3", 2, 4), *_backwards("V4", "V5", 1, 3))
EITHER = _plain(rule=Rule((ANN, Literal("V1", "=", "Cid")), KEEP, SEND))
ABOVE_2 = Literal("V4", ">", 2)
AT_THE_STEP = _plain(Equality("V4", value=2), rule=Rule((ANN, ABOVE_2), KEEP, SEND))
BY_ELIMINATION = world_of(
    [Inequality("!=", "V0", value="Bob"), Inequality("!=", "V0", value="Cid")], ALONE
)


class TestWhatTheTextRulesOut:
    """Each of these worlds has another complete answer for whoever reads it so."""

    @pytest.mark.parametrize(
        ("name", "world", "by", "stated_in", "facts_changed", "action_changed"),
        [
            (
                "the scale notch turned round",
                TURNED,
                "scale",
                ["E7"],
                1,
                False,
            ),
            ("every scale turned round", TWO_SCALES, "scale", ["E8", "E9"], 2, False),
            (
                "the provisional rule in force",
                TURNED,
                "supersession",
                ["E11"],
                0,
                True,
            ),
            (ALTERNATIVES, EITHER, "wording", ["E9"], 0, True),
            ("a condition of the rule left out", EITHER, "wording", ["E9"], 0, True),
            ("a comparison in the rule read loosely", AT_THE_STEP, "wording", ["E10"], 0, True),
        ],
    )
    def test_it_is_told_and_ruled_out_where_the_text_says_so(
        self,
        name: str,
        world: World,
        by: str,
        stated_in: list[str],
        facts_changed: int,
        action_changed: bool,
    ) -> None:
        assert _entry(framed(world), name) == {
            "reading": name,
            "verdict": "excluded",
            "by": by,
            "stated_in": stated_in,
            "solved": "another",
            "facts_changed": facts_changed,
            "action_changed": action_changed,
        }
        excluded = excluded_by(framed(world))
        del excluded[name]
        assert _refusal(framed(world), excluded) == f"{name}: another complete answer"

    def test_without_a_frame_unit_a_scale_refutes_the_world(self) -> None:
        assert certify(framed(TURNED))["status"] == "proved"
        with pytest.raises(NotProved, match="the scale notch turned round"):
            certify(TURNED)

    def test_without_a_last_order_the_provisional_rule_refutes_the_world(self) -> None:
        units = tuple(unit for unit in framed(TURNED).units if unit.role != "policy")
        with pytest.raises(NotProved, match="the provisional rule in force"):
            certify(replace(TURNED, units=units))

    def test_a_clue_is_no_negation_of_itself_by_its_wording(self) -> None:
        entry = _entry(BY_ELIMINATION, "a clue as its negation")
        assert (entry["verdict"], entry["by"], entry["solved"]) == (
            "excluded",
            "wording",
            "another",
        )
        assert entry["units"] == ["E1", "E2"]
        assert (
            _refusal(BY_ELIMINATION, {})
            == "a clue as its negation (E1, E2): another complete answer"
        )

    def test_a_domain_is_closed_by_its_frame_unit(self) -> None:
        frames = {
            name: exclusion
            for name, exclusion in excluded_by(framed(BY_ELIMINATION)).items()
            if "opened" in name
        }
        assert frames == {
            "the domain crew opened by an unnamed value": Exclusion("closure", ("E3",)),
            "the scale gauge opened by a step above": Exclusion("scale", ("E4",)),
            "the scale gauge opened by a step below": Exclusion("scale", ("E4",)),
            "the scale notch opened by a step above": Exclusion("scale", ("E5",)),
            "the scale notch opened by a step below": Exclusion("scale", ("E5",)),
        }
        opened = _entry(framed(BY_ELIMINATION), "the domain crew opened by an unnamed value")
        assert (opened["verdict"], opened["solved"]) == ("excluded", "undetermined")


class TestWhatTheTextLeavesOpen:
    def test_a_converse_with_another_answer_refutes_the_world(self) -> None:
        with pytest.raises(NotProved) as caught:
            certify(framed(CONVERSE))
        assert caught.value.detail == "an implication as its converse (E4): another complete answer"

    def test_all_converses_together_may_do_so_too(self) -> None:
        excluded = {
            **excluded_by(framed(CONVERSES)),
            "an implication as its converse": Exclusion("the test"),
        }
        detail = "every implication as its converse: another complete answer"
        assert _refusal(framed(CONVERSES), excluded) == detail


def test_the_observatory_is_read_in_every_way() -> None:
    told = certify(observatory())["readings"]
    by_name = {(entry["reading"], entry["verdict"]): entry for entry in told}
    assert by_name["a report taken as true", "no_world"]["units"] == ["E3"]
    assert by_name["a report taken as true", "same"]["units"] == ["E11"]
    assert by_name["every report taken as true", "no_world"]
    assert by_name["a report taken as false", "same"]["units"] == ["E3"]
    assert by_name["the clues of a channel left out", "undetermined"]["models_at_least"] == 2
    assert by_name["general knowledge left out", "undetermined"]
    assert by_name["an implication as if and only if", "same"]["units"] == ["E5", "E6", "E8"]


class _Uncounting(Oracle):
    def count(self, constraints: Any) -> int | None:
        return None


class _Overcounting(Oracle):
    def count(self, constraints: Any) -> int | None:
        counted = super().count(constraints)
        return None if counted is None else counted + 1


class _Tired(Dpll):
    def __init__(self, domains: Mapping[str, tuple[Value, ...]]) -> None:
        super().__init__(domains, budget=-1)


@pytest.mark.parametrize("engines", [Engines(oracle=_Uncounting), Engines(dpll=_Tired)])
def test_a_reading_that_no_engine_decides_is_no_pass(engines: Engines) -> None:
    with pytest.raises(NotProved) as caught:
        readings(Examination(framed(TWO_SCALES), engines))
    assert caught.value.verdict == "unknown"


def test_engines_that_differ_on_a_reading_are_found_out() -> None:
    with pytest.raises(EnginesDisagree):
        readings(Examination(framed(TWO_SCALES), Engines(oracle=_Overcounting)))
