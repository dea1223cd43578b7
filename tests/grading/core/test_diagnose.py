"""Why a reply is wrong, as the engines see it; the observatory can be followed on paper."""

from __future__ import annotations

from typing import Any

import pytest

from grading.core.diagnose import Diagnosis, Kind, diagnose
from tests.grading.core.builders import ACTION, FACTS, KEY, graded, reply, right

PROVISIONAL = ["P-86", "hold", "Pryce"]


def found(text: str) -> Diagnosis:
    return diagnose(KEY, graded(text))


def told(text: str) -> list[str]:
    return [str(finding) for finding in found(text).findings]


def changed(**facts: Any) -> dict[str, Any]:
    return {**FACTS, **{mark.replace("_", "-"): value for mark, value in facts.items()}}


def test_task_success_needs_no_explanation() -> None:
    assert found(right()) == Diagnosis()


def test_unreadable() -> None:
    assert told("no") == ["unreadable"]


def test_empty_answer_is_a_partial_world() -> None:
    assert told('{"answer": []}') == ["partial-world"]


def test_partial_world_that_is_right_so_far_contradicts_nothing() -> None:
    assert found(reply({"P-33": "Pryce"})).contradicted == ()
    assert told(reply({"P-33": "Pryce"})) == ["partial-world"]


def test_right_world_wrong_action() -> None:
    assert told(reply(FACTS, ["P-86", "hold", "Quill"])) == ["right-world-wrong-action"]


def test_followed_provisional_on_the_true_world() -> None:
    assert told(reply(FACTS, PROVISIONAL)) == ["right-world-wrong-action", "followed-provisional"]


def test_followed_provisional_on_the_stated_world() -> None:
    misread = changed(W_21="Quill")
    assert "followed-provisional" in told(reply(misread, ["P-86", "hold", "Quill"]))


def test_action_in_force_is_not_provisional() -> None:
    assert "followed-provisional" not in told(reply(changed(N_18=3), ACTION))


def test_stopped_at_apparent_goal() -> None:
    assert told(reply({"G-68": "Halloran"})) == ["partial-world", "stopped-at-apparent-goal"]
    assert "stopped-at-apparent-goal" not in told(reply({"G-68": "Quill"}))
    assert "stopped-at-apparent-goal" not in told(reply({"G-68": "Halloran"}, PROVISIONAL))


def test_adopted_distractor_and_lucky_action() -> None:
    diagnosis = found(reply(changed(W_21="Quill"), ACTION))
    assert [str(f) for f in diagnosis.findings] == ["adopted-distractor E3", "lucky-action"]
    assert diagnosis.contradicted == ("E1",)


def test_idle_distractor_is_never_adopted() -> None:
    assert not any("E11" in finding for finding in told(reply(changed(P_33="Quill"))))


def test_missed_bridge() -> None:
    diagnosis = found(reply(changed(L_44="Thorne"), ["P-86", "register", "Thorne"]))
    assert [str(f) for f in diagnosis.findings] == ["missed-bridge K0"]
    assert diagnosis.contradicted == ("E8",)


def test_missed_bridge_of_a_partial_world() -> None:
    assert told(reply({"L-44": "Thorne"})) == ["partial-world", "missed-bridge K0"]


def test_no_bridge_explains_a_world_against_the_clues() -> None:
    diagnosis = found(reply(changed(N_18=3)))
    assert Kind.MISSED_BRIDGE not in {finding.kind for finding in diagnosis.findings}
    assert diagnosis.contradicted == ("E2", "E4")


def test_contradicted_clue_with_part_of_its_scope_stated() -> None:
    # All different P-33, P-86, L-44, G-68: two of them are enough.
    assert found(reply({"P-33": "Quill", "P-86": "Quill"})).contradicted == ("E7",)
    # N-57 one notch higher than N-18, on a dial from 1 to 4.
    assert found(reply({"N-57": 1})).contradicted == ("E2",)


def test_value_outside_its_domain_contradicts_no_clue() -> None:
    assert found(reply(changed(P_33="Nobody"))).contradicted == ()


@pytest.mark.parametrize("mark", list(FACTS))
def test_every_wrong_fact_contradicts_some_clue(mark: str) -> None:
    """The world is unique, so a full wrong world fails some clue, given what the bridges answer."""
    variable = KEY.variable_of[mark.lower()]
    for value in KEY.world.term_values[variable]:
        if value != FACTS[mark]:
            assert found(reply({**FACTS, mark: value}, ACTION)).contradicted


def test_payload_is_json() -> None:
    assert found(reply(changed(W_21="Quill"), ACTION)).payload() == {
        "findings": [
            {"kind": "adopted-distractor", "unit": "E3"},
            {"kind": "lucky-action", "unit": None},
        ],
        "contradicted": ["E1"],
    }
