from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.worlds.core.prose.mill import FACTS, mill_id, mill_pack, mill_world
from worlds.core.constraints import (
    AllDifferent,
    Arithmetic,
    Equality,
    ExactlyOne,
    Inequality,
    Literal,
)
from worlds.core.errors import GateRejected
from worlds.core.instance import Document, Span
from worlds.core.model import Unit, Variable, World
from worlds.core.prose.compiler import compile_record
from worlds.core.prose.gate import RULES, Breach, Gate, check_record
from worlds.core.prose.mutations import mutations
from worlds.core.prose.surface import write_surface
from worlds.core.seeds import derive

KINDS_OF_DAMAGE = {
    "operands swapped",
    "not dropped",
    "off by one",
    "off by one in words",
    "another mark",
    "another name",
    "a bystander's name",
    "turned round",
    "hedge removed",
    "hedge put before",
}


def record(seed: int = 7) -> tuple[Document, ...]:
    return write_surface(mill_world(), mill_id(seed=seed), genre=mill_pack(), facts=FACTS).documents


def breaches(documents: tuple[Document, ...], world: World | None = None) -> list[Breach]:
    return list(Gate(world or mill_world(), mill_pack(), FACTS).findings(documents))


def findings(documents: tuple[Document, ...], world: World | None = None) -> list[str]:
    return list(map(str, breaches(documents, world)))


def holder(documents: tuple[Document, ...], role: str) -> tuple[int, Document, Span]:
    """The first paper that holds a unit of this role, with its place and span."""
    units = {unit.id for unit in mill_world().units if unit.role == role}
    return next(
        (i, document, span)
        for i, document in enumerate(documents)
        for span in document.spans
        if span.unit in units
    )


def with_paper(documents: tuple[Document, ...], i: int, paper: Document) -> tuple[Document, ...]:
    return (*documents[:i], paper, *documents[i + 1 :])


def is_symmetric(unit: Unit) -> bool:
    carried = unit.constraint or unit.hypothesis
    # A frame lists names, a table its rows and a sum its parts in any order.
    return carried is None or isinstance(
        carried, Equality | Inequality | AllDifferent | ExactlyOne | Arithmetic
    )


@pytest.mark.parametrize("seed", range(8))
def test_what_the_compiler_writes_passes_at_once(seed: int) -> None:
    documents = compile_record(mill_world(), mill_pack(), FACTS, derive(seed, "gate test"))
    check_record(mill_world(), mill_pack(), FACTS, documents)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_damage_is_refused(seed: int) -> None:
    world = mill_world()
    gate = Gate(world, mill_pack(), FACTS)
    seen: Counter[str] = Counter()
    for document in record(seed):
        for damage in mutations(document, gate.grammar):
            seen[damage.how] += 1
            refused = any(True for _ in gate.paper_findings(damage.document))
            harmless = damage.how == "operands swapped" and is_symmetric(world.unit(damage.unit))
            assert refused or harmless, (damage.how, damage.document.text)
    assert set(seen) <= KINDS_OF_DAMAGE
    assert sum(seen.values()) > 200


def test_all_kinds_of_damage_occur() -> None:
    gate = Gate(mill_world(), mill_pack(), FACTS)
    seen = {
        damage.how
        for seed in (1, 2, 3)
        for document in record(seed)
        for damage in mutations(document, gate.grammar)
    }
    assert seen == KINDS_OF_DAMAGE


def test_a_span_that_is_off_by_one_is_refused() -> None:
    documents = record()
    i, paper, span = holder(documents, "clue")
    moved = tuple(replace(s, start=s.start + 1) if s == span else s for s in paper.spans)
    found = findings(with_paper(documents, i, replace(paper, spans=moved)))
    assert any(f"unit {span.unit} does not read back" in finding for finding in found)


def test_a_statement_that_no_unit_makes_is_refused() -> None:
    documents = record()
    i, paper, _ = holder(documents, "clue")
    loud = paper.channel == "telegram"
    extra = " S-21 DUNNING" if loud else " Dunning dressed stone S-21, and that is that."
    if paper.channel == "ledger":
        extra = "\nS-21, dressed: Dunning"
    found = findings(with_paper(documents, i, replace(paper, text=paper.text + extra)))
    assert any("states what no unit says" in finding for finding in found)


@pytest.mark.parametrize(
    ("extra", "told"),
    [
        (" I saw stone S-21.", "mark S-21 stands outside every unit"),
        (" Ashdown is well.", "the name Ashdown stands outside every unit"),
        (" They may loan me a hat.", "the action verb 'loan' stands outside every order"),
        (" A otter came.", "a or an"),
        (" It is is late.", "a doubled word"),
        (" It is  late.", "two blanks in a row"),
        (" It is late. we slept.", "no capital after a full stop"),
        (" It is late , they said.", "a blank before a mark"),
        (" It is {late}.", "a leftover brace"),
    ],
)
def test_loose_ends_are_refused(extra: str, told: str) -> None:
    documents = record()
    i, paper, _ = holder(documents, "frame")
    found = findings(with_paper(documents, i, replace(paper, text=paper.text + extra)))
    assert any(told in finding for finding in found)


def test_a_missing_unit_is_refused() -> None:
    documents = record()
    i, paper, span = holder(documents, "clue")
    kept = tuple(s for s in paper.spans if s != span)
    found = findings(with_paper(documents, i, replace(paper, spans=kept)))
    assert f"unit {span.unit} has 0 spans instead of one" in found


def test_orders_out_of_date_are_refused() -> None:
    documents = record()
    i, paper, _ = holder(documents, "policy")
    writer, _, _ = paper.heading.rpartition(", ")
    early = replace(paper, heading=f"{writer}, 1 January")
    found = findings(with_paper(documents, i, early))
    assert any("do not ascend within one month" in finding for finding in found)


def test_an_order_that_retires_other_dates_is_refused() -> None:
    documents = record()
    i, paper, span = holder(documents, "provisional")
    writer, _, date = paper.heading.rpartition(", ")
    day, month = date.split()
    first = holder(documents, "objective")[1].heading.rpartition(", ")[2].split()[0]
    other = int(first) + 1 if int(first) + 1 != int(day) else int(first) + 2
    moved = replace(paper, heading=f"{writer}, {other} {month}")
    found = findings(with_paper(documents, i, moved))
    assert any("retires" in finding or "do not ascend" in finding for finding in found)
    assert span.unit in {s.unit for s in paper.spans}


def test_three_outcomes_must_differ() -> None:
    world = mill_world()
    same = replace(
        world.policy, provisional=replace(world.policy.provisional, then=world.policy.rule.then)
    )
    found = findings(record(), replace(world, policy=same))
    assert any("do not lead to three actions" in finding for finding in found)


def test_a_record_of_another_world_is_refused() -> None:
    world = mill_world()
    other = replace(
        world,
        units=tuple(
            replace(u, constraint=Equality("V0", value="Brewster")) if u.id == "E1" else u
            for u in world.units
        ),
    )
    with pytest.raises(GateRejected, match="unit E1 reads as something else"):
        check_record(other, mill_pack(), FACTS, record())


def test_a_fourth_unit_in_a_paper_is_refused() -> None:
    documents = record()
    i, paper, _ = holder(documents, "clue")
    spare = tuple(Span(unit, 0, 1) for unit in ("E1", "E2", "E3", "E4"))
    found = findings(with_paper(documents, i, replace(paper, spans=spare)))
    assert any("holds 4 evidence units" in finding for finding in found)


def rules_broken(documents: tuple[Document, ...], world: World | None = None) -> set[str]:
    found = {breach.rule for breach in breaches(documents, world)}
    assert found <= set(RULES)
    return found


def reworded(role: str, old: str, new: str) -> tuple[Document, ...]:
    """The record with other words in its first unit of a role that holds the old ones."""
    documents = record()
    units = {unit.id for unit in mill_world().units if unit.role == role}
    for i, paper in enumerate(documents):
        for span in paper.spans:
            clause = paper.clause(span)
            if span.unit in units and old in clause:
                text = paper.text.replace(clause, clause.replace(old, new))
                grown = len(text) - len(paper.text)
                spans = tuple(
                    replace(s, end=s.end + grown) if s == span else s for s in paper.spans
                )
                return with_paper(documents, i, replace(paper, text=text, spans=spans))
    raise AssertionError(f"no {role} says {old!r}")


def test_a_clue_that_sounds_like_hearsay_is_refused() -> None:
    told = reworded("clue", "Ashdown ", "it seems Ashdown ")
    assert "voice" in rules_broken(told)


def test_a_scale_that_does_not_say_which_end_is_up_is_refused() -> None:
    assert "scales" in rules_broken(reworded("frame", "the highest", "the other end"))


@pytest.mark.parametrize("heading", ["Of stone and water", "Ashdown, his book", "Paper S-21"])
def test_a_label_that_can_be_taken_for_something_else_is_refused(heading: str) -> None:
    documents = record()
    i, paper, _ = holder(documents, "clue")
    assert rules_broken(with_paper(documents, i, replace(paper, heading=heading))) == {"labels"}


def test_a_mark_of_one_digit_is_refused() -> None:
    world = mill_world()
    short = Variable("V6", "N-9", "the pond on night N-9", "pond")
    changed = replace(world, variables=(*world.variables[:-1], short))
    assert "mark N-9 is not a letter and two digits or more" in findings(record(), changed)


def test_papers_out_of_number_are_refused() -> None:
    first, second, *rest = record()
    swapped = (replace(first, number=2), replace(second, number=1), *rest)
    assert "papers are not numbered from 1 in their order" in findings(swapped)


def test_a_name_within_a_name_is_refused() -> None:
    world = mill_world()
    domains = tuple(
        replace(d, values=(*d.values, "Ash")) if "Ashdown" in d.values else d for d in world.domains
    )
    found = findings(record(), replace(world, domains=domains))
    assert "the name Ash stands inside the name Ashdown" in found


def test_a_report_without_its_hedge_is_refused() -> None:
    world = mill_world()
    gate = Gate(world, mill_pack(), FACTS)
    damaged = [
        damage
        for document in record()
        for damage in mutations(document, gate.grammar)
        if damage.how == "hedge removed"
    ]
    assert damaged
    for damage in damaged:
        assert {"round trip"} <= {b.rule for b in gate.paper_findings(damage.document)}


def test_a_condition_that_cannot_fail_is_refused() -> None:
    world = mill_world()
    rule = replace(
        world.policy.rule, condition=(Literal("V5", ">", 0), Literal("V1", "=", "Udall"))
    )
    found = findings(record(), replace(world, policy=replace(world.policy, rule=rule)))
    assert [told for told in found if told.startswith("the condition")] == [
        "the condition N-57 is higher than 0 cannot be both true and false",
        "the condition S-34 is Udall cannot be both true and false",
    ]


def test_a_sound_record_breaks_no_rule() -> None:
    assert rules_broken(record()) == set()
