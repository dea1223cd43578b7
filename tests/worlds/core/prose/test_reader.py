from __future__ import annotations

import pytest

from tests.worlds.core.prose.mill import FACTS, mill_id, mill_pack, mill_world
from worlds.core.errors import Unreadable
from worlds.core.prose.conditions import CONTRACT
from worlds.core.prose.meaning import constraints
from worlds.core.prose.normal import normal, on_marks, renamed, renamed_rule
from worlds.core.prose.reader import read_prompt
from worlds.core.prose.record import ReadRecord
from worlds.core.prose.surface import write_surface

WORLD = mill_world()
KEYS = {"K0": "uranus", "K1": "apple"}


def read(condition: str = "imp", realization: int = 1, seed: int = 7) -> ReadRecord:
    identity = mill_id(condition, realization, seed)
    prompt = write_surface(WORLD, identity, genre=mill_pack(), facts=FACTS).prompt
    return read_prompt(prompt, mill_pack(), FACTS)


def said(role: str) -> list[str]:
    every = constraints(WORLD, FACTS)
    return sorted(repr(every[unit.id]) for unit in WORLD.units if unit.role == role)


@pytest.mark.parametrize("condition", ["exp", "imp"])
@pytest.mark.parametrize("realization", [1, 2, 3])
@pytest.mark.parametrize("seed", [7, 8])
def test_a_prompt_alone_gives_the_record(condition: str, realization: int, seed: int) -> None:
    found = read(condition, realization, seed)
    name = on_marks(WORLD, KEYS.__getitem__)
    assert found.variables == {v.mark: v.domain for v in WORLD.variables}
    assert found.domains["pond"] == (1, 2, 3, 4)
    assert set(found.domains["hands"]) == {"Ashdown", "Brewster", "Corbett", "Dunning"}
    assert sorted(map(repr, found.clues)) == said("clue")
    assert sorted(map(repr, found.reports)) == said("distractor")
    assert found.rule == renamed_rule(WORLD.policy.rule, name)
    assert found.provisional == renamed_rule(WORLD.policy.provisional, name)
    assert found.apparent == "N-95"
    assert found.questions == {"uranus": "Who discovered Uranus?"}
    assert set(found.options["uranus"]) == {"Herschel", "Galileo", "Kepler", "Messier"}


def test_the_formal_prompt_gives_the_same_evidence() -> None:
    found = read("frm")
    terms = {"K0": "uranus", "K1": "apple"}
    clues = [normal(renamed(clue, lambda term: terms.get(term, term))) for clue in found.clues]
    assert sorted(map(repr, clues)) == said("clue")


def test_the_truth_is_a_model_of_what_was_read() -> None:
    for condition in ("imp", "frm"):
        found = read(condition)
        problem = found.problem({b.question: b.answer for b in WORLD.bridges})
        truth = {v.mark: WORLD.solution[v.id] for v in WORLD.variables}
        truth.update(dict.fromkeys(found.options, "Herschel"))
        if "K1" in found.options:
            truth["K1"] = "Newton"
        assert all(c.holds(truth) for c in problem.constraints.values())
        assert set(problem.domains) == set(truth)


def test_an_answer_that_the_record_does_not_print_is_refused() -> None:
    with pytest.raises(Unreadable, match="no option of uranus"):
        read().problem({"Who discovered Uranus?": "Newton"})


def test_a_deferred_prompt_reads_the_same() -> None:
    prompt = write_surface(WORLD, mill_id(), genre=mill_pack(), facts=FACTS).prompt
    deferred = prompt.removesuffix(CONTRACT).rstrip()
    assert read_prompt(deferred, mill_pack(), FACTS) == read_prompt(prompt, mill_pack(), FACTS)


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("", "no numbered papers"),
        ("1. Letter\nDear Joan, all is well.", "no notice closes a roster"),
    ],
)
def test_a_prompt_without_a_record_says_what_is_missing(prompt: str, told: str) -> None:
    with pytest.raises(Unreadable, match=told):
        read_prompt(prompt, mill_pack(), FACTS)


def test_a_record_without_the_order_in_force_is_unreadable() -> None:
    documents = write_surface(WORLD, mill_id(), genre=mill_pack(), facts=FACTS).documents
    policy = next(unit.id for unit in WORLD.units if unit.role == "policy")
    kept = [d for d in documents if policy not in {span.unit for span in d.spans}]
    prompt = "\n\n".join(f"{d.number}. {d.heading}\n{d.text}" for d in kept)
    with pytest.raises(Unreadable, match="0 orders of role policy"):
        read_prompt(prompt, mill_pack(), FACTS)
