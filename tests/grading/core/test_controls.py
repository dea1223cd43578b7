"""Controls on real instances, through the path of an upload."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from functools import cache

import pytest

from grading.core.controls import (
    CONTROLS,
    EXPECTED,
    Control,
    check_control,
    majority_control,
)
from grading.core.formats import Row, open_upload
from grading.core.records import GradedRow, assess
from grading.core.score import AnswerKey
from grading.core.statuses import Status
from worlds.core.ids import parse_id
from worlds.core.instance import Instance
from worlds.core.mint import mint

IDS = [
    *(
        f"ef1-chain-L00-maritime-s{seed}-{surface}"
        for seed in (0, 1)
        for surface in ("exp1", "imp1")
    ),
    "ef1-chain-L00-maritime-s0-frm1",
    "ef1-chain-L01-maritime-s0-imp2",
]
BY_NAME = {control.name: control for control in CONTROLS}


@cache
def instances() -> tuple[Instance, ...]:
    return tuple(mint(parse_id(one)) for one in IDS)


def rows(control: Control) -> list[GradedRow]:
    """A control's replies, written to a file and read back as anybody's would be."""
    lines = [
        json.dumps(
            {"sample_id": str(one.id), "completion": control.reply(one), "status": "answered"}
        )
        for one in instances()
    ]
    upload = open_upload(io.BytesIO("\n".join(lines).encode()), control.name)
    worlds = {str(one.id): one.world for one in instances()}
    graded = []
    for row in upload.rows:
        assert isinstance(row, Row)
        key = AnswerKey.of(worlds[row.sample_id])
        found = assess(key, row.completion, row.status, row.stop_unknown)
        graded.append(GradedRow.of(row.sample_id, row.epoch, found))
    return graded


@pytest.mark.parametrize("control", CONTROLS, ids=lambda control: control.name)
def test_control_comes_out_as_expected(control: Control) -> None:
    result = check_control(control, rows(control))
    assert result.ok, (result.expected, result.found)
    assert result.exact == (control.name in EXPECTED)


def test_exact_values_by_count() -> None:
    facts = sum(len(one.world.variables) for one in instances())
    count = len(IDS)
    assert check_control(BY_NAME["reader"], rows(BY_NAME["reader"])).found == {
        "records": count,
        "answered": count,
        "facts": facts,
        "stated": facts,
        "right": facts,
        "worlds": count,
        "actions": count,
        "consistent": count,
        "successes": count,
    }
    provisional = check_control(BY_NAME["provisional"], rows(BY_NAME["provisional"])).found
    assert (provisional["right"], provisional["worlds"]) == (facts, count)
    assert (provisional["actions"], provisional["successes"]) == (0, 0)


@pytest.mark.parametrize("name", ["solver", "reader"])
@pytest.mark.parametrize("count", ["stated", "tp"])
def test_one_fact_off_breaks_a_perfect_control(name: str, count: str) -> None:
    found = rows(BY_NAME[name])
    found[0] = replace(found[0], **{count: getattr(found[0], count) - 1})
    assert not check_control(BY_NAME[name], found).ok


@pytest.mark.parametrize(
    "name", ["copier", "hedger-lists", "hedger-entries", "hedger-drafts", "empty", "example"]
)
@pytest.mark.parametrize("count", ["tp", "world_exact", "action_correct", "task_success"])
def test_one_point_breaks_a_control_that_must_earn_nothing(name: str, count: str) -> None:
    found = rows(BY_NAME[name])
    found[-1] = replace(found[-1], **{count: 1})
    assert not check_control(BY_NAME[name], found).ok


def test_control_without_rows_or_with_missing_mass_is_not_right() -> None:
    solver = BY_NAME["solver"]
    assert not check_control(solver, []).ok
    failed = [*rows(solver)[1:], GradedRow("x", 1, Status.FAILED)]
    assert not check_control(solver, failed).ok


def test_drafting_hedger_says_every_option_and_ends_on_none_that_is_right() -> None:
    instance = instances()[0]
    drafts = [json.loads(text) for text in BY_NAME["hedger-drafts"].reply(instance).split("\n\n")]
    said = {
        (mark, value) for draft in drafts for mark, word, value in draft["answer"] if word == "is"
    }
    world = instance.world
    assert said == {(v.mark, value) for v in world.variables for value in world.term_values[v.id]}
    last = {mark: value for mark, word, value in drafts[-1]["answer"] if word == "is"}
    assert not any(last[v.mark] == world.solution[v.id] for v in world.variables)


def test_chance_depends_on_the_instance_alone() -> None:
    chance = BY_NAME["chance"]
    replies = [chance.reply(one) for one in instances()]
    assert replies == [chance.reply(one) for one in reversed(instances())][::-1]
    assert len(set(replies)) == len(replies)


def test_direct_states_only_what_is_right() -> None:
    assert all(row.stated == row.tp < row.n for row in rows(BY_NAME["direct"]))


def test_majority_answers_every_mark() -> None:
    control = majority_control(instances())
    result = check_control(control, rows(control))
    assert result.ok
    assert result.found["stated"] == result.found["facts"]
