"""What a page may ask: why a fact is so, and what there is without a clue."""

from __future__ import annotations

from worlds.core.certify.reasons import minimal_reason
from worlds.core.engines import problem_of
from worlds.models import Instance
from worlds.services.evidence import action_in_words
from worlds.services.instances import world_of
from worlds.services.questions import reason_of, world_without


def test_a_reason_is_the_minimal_one_with_its_words(implicit: Instance) -> None:
    world = world_of(implicit.family)
    for variable in world.variables:
        reason = reason_of(world, variable.mark)
        assert reason is not None
        assert reason.units == minimal_reason(world, variable.id)
        assert reason.value == world.solution[variable.id]
        assert all(each.words for each in reason.statements)


def test_a_mark_that_no_fact_has_has_no_reason(implicit: Instance) -> None:
    assert reason_of(world_of(implicit.family), "Z-99") is None


def test_the_second_world_fits_everything_but_the_clue(implicit: Instance) -> None:
    world, certificate = world_of(implicit.family), implicit.family.certificate
    constraints = problem_of(world).constraints
    terms = {world.mark_of(term): term for term in world.term_values}
    for entry in certificate["ablations"]:
        both = world_without(world, certificate, entry["unit"])
        assert both is not None
        rows = [*both.differing, *both.same]
        other = {terms[row.mark]: row.other for row in rows}
        assert {terms[row.mark]: row.true for row in rows} == world.truth
        broken = [label for label, each in constraints.items() if not each.holds(other)]
        assert broken == [entry["unit"]]
        assert both.models == entry["models_without"]
        assert all(row.differs for row in both.differing)
        assert not any(row.differs for row in both.same)
        assert both.action == action_in_words(world.action)
        assert both.other_action == action_in_words(world.action_on(other))


def test_without_a_distractor_nothing_is_lost(implicit: Instance) -> None:
    world = world_of(implicit.family)
    for unit in world.distractors:
        assert world_without(world, implicit.family.certificate, unit.id) is None
    assert world_without(world, implicit.family.certificate, "\0") is None
