"""What an order comes to, from what was timed and from nothing else."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.worlds.builders import OrderCorpus, fill
from worlds import services
from worlds.core.ids import FamilyId
from worlds.core.mint import corpus_families
from worlds.models import ForgingCost

pytestmark = pytest.mark.django_db


def _timed(level: str, profile: str = "chain", **seconds: float) -> None:
    parts = {name.removeprefix("b"): took for name, took in seconds.items()}
    services.note_cost(FamilyId(profile, level, "maritime", 1), parts)


def _estimate(families: int, *levels: str, burials: tuple[int, ...] = ()) -> services.Estimate:
    return services.estimate_corpus(
        families=families, profile="chain", levels=levels, burials=burials
    )


def test_without_a_measurement_there_are_instances_and_no_seconds() -> None:
    found = _estimate(3, "L00", "L01")
    assert (found.families, found.instances, found.seconds) == (3, 15, None)
    assert [(each.level, each.families) for each in found.unmeasured] == [("L00", 2), ("L01", 1)]


def test_seconds_are_means_of_what_was_timed() -> None:
    _timed("L00", world=1.0, papers=0.5)
    _timed("L00", world=3.0, papers=0.5)
    _timed("L00", profile="case", world=99.0, papers=99.0)
    found = _estimate(4, "L00")
    assert found.seconds == 4 * (2.0 + 0.5)
    assert [(each.seconds, each.measured) for each in found.levels] == [(2.5, 2)]
    assert found.unmeasured == ()


def test_a_level_without_a_measurement_is_named_and_left_out() -> None:
    _timed("L00", world=1.0, papers=1.0)
    found = _estimate(4, "L00", "L09")
    assert found.seconds == 4.0
    assert [each.level for each in found.unmeasured] == ["L09"]


def test_stories_are_more_surfaces_and_timed_by_burial() -> None:
    _timed("L00", world=1.0, papers=1.0, b3=0.25)
    assert _estimate(2, "L00", burials=(3,)).seconds == 2 * 2.25
    assert _estimate(2, "L00", burials=(3,)).instances == 2 * 7
    both = _estimate(2, "L00", burials=(3, 5))
    assert (both.instances, both.seconds) == (18, None)


def test_families_take_the_levels_as_a_corpus_has_them() -> None:
    levels = ["L03", "L00", "L01", "L00"]
    drawn = corpus_families(5, 8, profile="chain", levels=sorted(set(levels)), genres=["maritime"])
    counted = {each.level: each.families for each in _estimate(8, *levels).levels}
    assert counted == {
        level: sum(family.level == level for family in drawn) for level in set(levels)
    }


def test_fewer_families_than_levels_leave_levels_out() -> None:
    assert [each.level for each in _estimate(1, "L00", "L01").levels] == ["L00"]


def test_forging_a_corpus_times_its_level(order_corpus: OrderCorpus) -> None:
    fill(order_corpus())
    rows = list(ForgingCost.objects.values_list("profile", "level", "part"))
    assert rows == [("chain", "L00", "world"), ("chain", "L00", "papers")] * 2
    assert all(row.seconds > 0 for row in ForgingCost.objects.filter(part="papers"))
    assert (_estimate(10, "L00").seconds or 0) > 0


def test_an_estimate_costs_one_query() -> None:
    with CaptureQueriesContext(connection) as asked:
        _estimate(2000, "L00", "L01", "L02", burials=(0, 1))
    assert len(asked) == 1
