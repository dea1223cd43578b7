"""A certificate in words: equal to its JSON, and in the order asked for."""

from __future__ import annotations

from itertools import pairwise

import pytest

from worlds.core.model import World
from worlds.models import Instance
from worlds.services.certificates import (
    ablations_of,
    bridges_of,
    distractors_of,
    engines_of,
    policy_of,
)
from worlds.services.evidence import action_in_words, evidence_of
from worlds.services.instances import documents_of, world_of


def _world(row: Instance) -> World:
    return world_of(row.family)


def test_three_engines_proved_it(implicit: Instance) -> None:
    engines = engines_of(implicit.family.certificate)
    assert [(engine.key, engine.name, engine.verdict) for engine in engines] == [
        ("dpll", "DPLL", "proved"),
        ("oracle", "Oracle", "proved"),
        ("z3", "z3", "proved"),
    ]


def test_policy_shows_three_different_actions(implicit: Instance) -> None:
    world = _world(implicit)
    policy = policy_of(world, implicit.family.certificate)
    assert policy.action == action_in_words(world.action)
    assert len({policy.action, policy.other, policy.superseded}) == 3
    assert all(literal.decided_by for literal in policy.literals)


def test_bridges_show_every_answer_and_one_right_one(implicit: Instance) -> None:
    world = _world(implicit)
    for proof in bridges_of(world, implicit.family.certificate):
        assert sorted(answer.answer for answer in proof.answers) == list(proof.bridge.options)
        assert [a.answer for a in proof.answers if a.is_right] == [proof.bridge.answer]
        assert (proof.models_without is None) == (proof.bridge.role == "confirmatory")


def test_ablations_repeat_the_certificate(implicit: Instance) -> None:
    certificate = implicit.family.certificate
    world = _world(implicit)
    rows = ablations_of(world, certificate)
    assert [(row.clue.id, row.models, row.load_bits, len(row.changes)) for row in rows] == [
        (each["unit"], each["models_without"], each["load_bits"], len(each["witness"]))
        for each in certificate["ablations"]
    ]
    assert max(row.share for row in rows) == 100
    for row in rows:
        assert row.action_changed == (row.action != action_in_words(world.action))


@pytest.mark.parametrize("sort", ["models", "-models", "changed", "-changed", "unit", "-unit"])
def test_ablations_are_sorted_and_ties_keep_their_order(implicit: Instance, sort: str) -> None:
    rows = ablations_of(_world(implicit), implicit.family.certificate, sort)
    values = {
        "models": [row.models for row in rows],
        "changed": [len(row.changes) for row in rows],
        "unit": [int(row.clue.id[1:]) for row in rows],
    }[sort.removeprefix("-")]
    assert values == sorted(values, reverse=sort.startswith("-"))
    numbers = [(value, int(row.clue.id[1:])) for value, row in zip(values, rows, strict=True)]
    for (value, number), (next_value, next_number) in pairwise(numbers):
        assert value != next_value or number < next_number


@pytest.mark.parametrize("sort", ["__class__", "--models", "-", "models desc"])
def test_an_unknown_order_is_that_of_the_units(implicit: Instance, sort: str) -> None:
    certificate = implicit.family.certificate
    rows = ablations_of(_world(implicit), certificate, sort)
    assert [row.clue.id for row in rows] == [each["unit"] for each in certificate["ablations"]]


def test_distractors_show_their_clause_and_what_refutes_them(implicit: Instance) -> None:
    world, certificate = _world(implicit), implicit.family.certificate
    documents = documents_of(implicit.documents)
    panels = distractors_of(evidence_of(world, certificate, documents), world, documents)
    assert [panel.unit.id for panel in panels] == [unit.id for unit in world.distractors]
    told = {each["unit"]: each for each in certificate["distractors"]}
    for panel in panels:
        entry = told[panel.unit.id]
        cited = [*entry.get("refuted_by", ()), *entry.get("with_bridges", ())]
        assert [each.id for each in panel.core] == cited
        assert any(panel.quote in document.text for document in documents)
        if panel.unit.distractor is not None and "bait" in entry:
            assert panel.proof.models == entry["bait"]["models"]
            assert entry["bait"]["action"]["item"] in panel.proof.action
