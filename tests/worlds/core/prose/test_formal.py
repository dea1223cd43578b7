from __future__ import annotations

import pytest
from hypothesis import given

from tests.worlds.core.prose.mill import mill_world
from tests.worlds.core.prose.test_normal import constraints
from worlds.core.constraints import Constraint, ExactlyOne
from worlds.core.errors import Unreadable
from worlds.core.prose.formal import constraint_text, write_formal
from worlds.core.prose.formal_reader import read_constraint_text, read_formal
from worlds.core.prose.normal import on_marks, renamed, renamed_rule
from worlds.core.seeds import derive


@given(constraints)
def test_every_constraint_reads_back(constraint: Constraint) -> None:
    marked = renamed(constraint, lambda term: f"{term}-11")
    assert read_constraint_text(constraint_text(marked)) == marked


def test_a_whole_record_reads_back() -> None:
    world = mill_world()
    name = on_marks(world, str)
    found = read_formal(write_formal(world, derive(1, "formal")))
    assert found.domains == {domain.name: domain.values for domain in world.domains}
    assert found.variables == {v.mark: v.domain for v in world.variables}
    assert sorted(map(repr, found.clues)) == sorted(
        repr(renamed(unit.constraint, name)) for unit in world.clues if unit.constraint
    )
    assert found.rule == renamed_rule(world.policy.rule, name)
    assert found.provisional == renamed_rule(world.policy.provisional, name)
    assert found.questions == {b.id: b.question for b in world.bridges}
    assert found.options == {b.id: b.options for b in world.bridges}


def test_the_order_of_constraints_tells_nothing() -> None:
    one, other = (write_formal(mill_world(), derive(seed, "formal")) for seed in (1, 2))
    assert one != other
    assert sorted(one.splitlines()) == sorted(other.splitlines())


@pytest.mark.parametrize("line", ["S-21 is Ashdown", "sum(S-21, 4)", ""])
def test_an_odd_line_is_quoted(line: str) -> None:
    with pytest.raises(Unreadable, match="odd line"):
        read_constraint_text(line)


def test_a_missing_section_is_named() -> None:
    text = write_formal(mill_world(), derive(1, "formal")).replace("RULES\n", "LAWS\n")
    with pytest.raises(Unreadable, match="no RULES"):
        read_formal(text)


def test_a_single_literal_may_be_exactly_one() -> None:
    text = "exactly-one(S-21 = Ashdown)"
    assert isinstance(read_constraint_text(text), ExactlyOne)
