"""What a forged world promises: unique, squeezed, staged, and the same every time."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.worlds.core.forge.lexicons import FACTS, LEXICON
from worlds.core.codec import digest, read_world, truth_payload
from worlds.core.constraints import CLASSES, Equality, Implication
from worlds.core.engines import Answer, problem_of
from worlds.core.engines.dpll import Dpll
from worlds.core.errors import BadInput, EnginesDisagree, Exhausted, ForgeError
from worlds.core.forge.distract import form_of
from worlds.core.forge.pipeline import ATTEMPTS, forge, sample_world
from worlds.core.ids import FamilyId
from worlds.core.levels import CASE, CHAIN, LevelSpec
from worlds.core.model import World
from worlds.core.policy import resolve
from worlds.core.seeds import derive

SPECS = [*list(CHAIN.values())[:6], *list(CASE.values())[:6]]
LARGE = [CHAIN["L09"], CASE["L09"]]


def _name(spec: LevelSpec) -> str:
    return f"{spec.profile} {spec.level}"


def _worlds(spec: LevelSpec, count: int) -> list[World]:
    found: list[World] = []
    for attempt in range(60 * count):
        if len(found) == count:
            break
        stream = derive(9, spec.profile, spec.level, attempt)
        try:
            found.append(sample_world(spec, LEXICON, FACTS, stream))
        except ForgeError:
            continue
    assert len(found) == count
    return found


def _engine(world: World) -> Dpll:
    problem = problem_of(world)
    engine = Dpll(problem.domains)
    for label, constraint in problem.constraints.items():
        engine.add(label, constraint)
    engine.ban("ban", world.solution)
    return engine


@pytest.mark.parametrize("spec", [*SPECS, *LARGE], ids=_name)
def test_one_world_survives_and_every_clue_is_needed(spec: LevelSpec) -> None:
    for world in _worlds(spec, 1 if spec in LARGE else 3):
        engine = _engine(world)
        labels = [*problem_of(world).constraints, "ban"]
        assert engine.solve(labels).answer is Answer.UNSAT
        for clue in world.clues:
            assert engine.solve([x for x in labels if x != clue.id]).answer is Answer.SAT


@pytest.mark.parametrize("spec", SPECS, ids=_name)
def test_the_size_is_that_of_the_level(spec: LevelSpec) -> None:
    for world in _worlds(spec, 3):
        pins = [c for u in world.clues if isinstance(c := u.constraint, Equality) and c.is_pin]
        kinds = Counter(unit.kind for unit in world.distractors)
        assert len(world.variables) == spec.variables
        assert abs(len(world.clues) - spec.variables) <= spec.slack
        assert len(pins) <= spec.pins
        assert kinds == {"false": spec.false_distractors, "idle": spec.idle_distractors}


def test_a_smallest_world_has_ten_statements() -> None:
    assert all(len(w.clues) + len(w.distractors) == 10 for w in _worlds(CHAIN["L00"], 5))


@pytest.mark.parametrize("spec", [s for s in SPECS if s.variables >= 20], ids=_name)
def test_all_six_classes_occur_in_the_clues(spec: LevelSpec) -> None:
    for world in _worlds(spec, 2):
        assert {u.constraint.kind for u in world.clues if u.constraint} == set(CLASSES)


@pytest.mark.parametrize("spec", SPECS, ids=_name)
def test_the_three_outcomes_differ(spec: LevelSpec) -> None:
    for world in _worlds(spec, 3):
        rule, provisional = world.policy.rule, world.policy.provisional
        outcomes = {
            resolve(branch, world.truth, world.mark_of)
            for branch in (
                rule.live(world.truth),
                rule.dead(world.truth),
                provisional.live(world.truth),
            )
        }
        assert len(outcomes) == 3
        assert len({outcome.party for outcome in outcomes}) == 3


def test_the_apparent_goal_is_not_the_item_of_the_action() -> None:
    for world in _worlds(CHAIN["L01"], 5):
        assert world.apparent != world.policy.rule.then.item


def test_false_distractors_are_false_and_idle_ones_true() -> None:
    for world in _worlds(CHAIN["L03"], 4):
        stated = {unit.constraint for unit in world.clues}
        for unit in world.distractors:
            assert unit.hypothesis is not None
            assert unit.hypothesis.holds(world.truth) == (unit.kind == "idle")
            assert unit.hypothesis not in stated


@pytest.mark.parametrize("spec", [CHAIN["L03"], CASE["L03"]], ids=_name)
def test_every_distractor_has_the_form_of_a_clue(spec: LevelSpec) -> None:
    shapes: set[object] = set()
    for world in _worlds(spec, 12):
        forms = {
            form_of(clue.constraint, world.term_values) for clue in world.clues if clue.constraint
        }
        for unit in world.distractors:
            assert unit.hypothesis is not None
            form = form_of(unit.hypothesis, world.term_values)
            assert form in forms
            shapes.add(form[0])
    assert {"pin", "implication", "table"} <= shapes


def test_a_table_that_others_tell_of_turns_on_a_bridge_of_the_world() -> None:
    tables = [
        (world, unit)
        for world in _worlds(CHAIN["L03"], 12)
        for unit in world.distractors
        if isinstance(unit.hypothesis, Implication) and unit.hypothesis.is_table
    ]
    assert tables
    for world, unit in tables:
        assert isinstance(unit.hypothesis, Implication)
        assert unit.bridge in world.knowledge
        assert {premise.value for premise, _ in unit.hypothesis.rows} == set(
            world.term_values[unit.bridge]
        )


@pytest.mark.parametrize("spec", list(CHAIN.values())[:6], ids=_name)
def test_a_chain_is_walked_by_unit_propagation(spec: LevelSpec) -> None:
    for world in _worlds(spec, 3):
        round_of = _engine(world).propagate(problem_of(world).constraints).round_of
        rounds = [round_of[v.id] for v in world.variables if v.id in round_of]
        assert len(rounds) >= 0.9 * spec.variables
        assert max(rounds) >= spec.depth


@pytest.mark.parametrize("spec", list(CASE.values())[2:6], ids=_name)
def test_a_case_is_not_walked_by_unit_propagation(spec: LevelSpec) -> None:
    for world in _worlds(spec, 3):
        round_of = _engine(world).propagate(problem_of(world).constraints).round_of
        assert sum(v.id in round_of for v in world.variables) <= 0.6 * spec.variables


def test_numbers_do_not_tell_distractors_from_clues() -> None:
    firsts = Counter(
        unit.role for world in _worlds(CHAIN["L02"], 30) for unit in world.units if unit.id == "E1"
    )
    assert set(firsts) == {"clue", "distractor"}


def test_a_world_reads_back_from_its_truth() -> None:
    for world in _worlds(CHAIN["L02"], 2):
        assert read_world(truth_payload(world)) == world


def test_the_same_family_is_the_same_world() -> None:
    family = FamilyId("chain", "L01", "plain", 0)
    first, second = (forge(family, LEXICON, FACTS) for _ in range(2))
    assert digest(truth_payload(first.world)) == digest(truth_payload(second.world))
    assert first.certificate == second.certificate


def test_neighbouring_seeds_share_nothing() -> None:
    worlds = [forge(FamilyId("chain", "L01", "plain", s), LEXICON, FACTS).world for s in range(3)]
    clues = [{str(u.constraint) for u in world.clues} for world in worlds]
    assert all(len(clues[a] & clues[b]) <= 2 for a, b in ((0, 1), (1, 2), (0, 2)))


def test_an_attempt_that_dies_is_counted_and_the_next_one_lives() -> None:
    deaths = 2

    def certifier(world: World) -> dict[str, Any]:
        nonlocal deaths
        if deaths:
            deaths -= 1
            raise EnginesDisagree("uniqueness", {"dpll": "proved", "oracle": 2})
        return {"status": "proved"}

    forged = forge(FamilyId("chain", "L00", "plain", 5), LEXICON, FACTS, certifier)
    assert forged.deaths["EnginesDisagree"] == 2
    assert forged.attempts == sum(forged.deaths.values()) + 1


def test_a_family_without_a_certified_world_fails_the_same_way_twice() -> None:
    def certifier(world: World) -> dict[str, Any]:
        raise EnginesDisagree("uniqueness", {"dpll": "proved", "oracle": 2})

    family = FamilyId("chain", "L00", "plain", 6)
    messages = []
    for _ in range(2):
        with pytest.raises(Exhausted, match=f"in {ATTEMPTS} attempts") as caught:
            forge(family, LEXICON, FACTS, certifier)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_a_level_that_is_not_offered_is_named() -> None:
    with pytest.raises(BadInput, match="from L00 to L09"):
        forge(FamilyId("chain", "L10", "plain", 1), LEXICON, FACTS)
