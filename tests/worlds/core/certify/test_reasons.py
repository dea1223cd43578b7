"""A reason forces its fact, and no part of it can be spared."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worlds.core.builders import clue, observatory, with_units
from tests.worlds.core.certify.small import fitting, small_world
from worlds.core.certify.reasons import Reasons, minimal_reason
from worlds.core.constraints import Inequality
from worlds.core.engines import problem_of
from worlds.core.errors import NotProved
from worlds.core.model import World


def _values(world: World, term: str, labels: tuple[str, ...]) -> set[object]:
    """The values of a term that these clues and bridges leave, by trying everything."""
    constraints = problem_of(world).constraints
    models = fitting(world.term_values, [constraints[label].holds for label in labels])
    return {model[term] for model in models}


@pytest.mark.parametrize(
    ("term", "reason"),
    [
        ("V3", ("E4",)),
        ("V4", ("E2", "E4")),
        ("V0", ("E2", "E4", "E5")),
        ("V1", ("E1", "E2", "E4", "E5")),
        ("V5", ("E8", "K0")),
        ("V7", ("E4", "E9")),
    ],
)
def test_the_observatory_says_why(term: str, reason: tuple[str, ...]) -> None:
    assert minimal_reason(observatory(), term) == reason
    assert Reasons(observatory()).minimal(term, tries=1) == reason


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**40))
def test_a_reason_forces_its_fact_and_has_no_idle_part(seed: int) -> None:
    world = small_world(seed)
    reasons = Reasons(world)
    for term, value in world.solution.items():
        reason = reasons.minimal(term)
        assert _values(world, term, reason) == {value}
        for part in reason:
            rest = tuple(label for label in reason if label != part)
            assert len(_values(world, term, rest)) > 1


def test_more_tries_never_give_a_longer_reason() -> None:
    for seed in range(20):
        world = small_world(seed)
        for term in world.solution:
            few, many = (len(minimal_reason(world, term, tries=tries)) for tries in (1, 6))
            assert many <= few


@pytest.mark.parametrize("world", [observatory(), small_world(3), small_world(4)])
def test_a_reason_is_the_same_whatever_was_asked_before(world: World) -> None:
    reasons = Reasons(world)
    first = {term: reasons.minimal(term) for term in world.solution}
    assert {term: reasons.minimal(term) for term in reversed(world.solution)} == first
    assert {term: minimal_reason(world, term) for term in world.solution} == first


def test_a_domain_of_one_value_needs_no_reason() -> None:
    world = observatory()
    domains = tuple(replace(d, values=(2,)) if d.name == "notches" else d for d in world.domains)
    assert minimal_reason(replace(world, domains=domains), "V3") == ()


def test_what_the_evidence_leaves_open_has_no_reason() -> None:
    world = with_units(observatory(), clue("E4", Inequality("<", "V3", value=4)))
    with pytest.raises(NotProved, match="force V3"):
        minimal_reason(world, "V3")


def test_a_term_that_is_no_variable_is_refused() -> None:
    with pytest.raises(KeyError):
        minimal_reason(observatory(), "K0")
