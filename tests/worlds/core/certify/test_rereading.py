"""What each rereading says is told apart by its truth table over a small scale."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from worlds.core.certify.rereading import (
    AtLeastOne,
    both_ways,
    converse,
    negated,
    next_step,
    none_is,
    turned,
    turned_rule,
    weaker,
    weaker_conditions,
    with_alternatives,
    without_a_condition,
)
from worlds.core.constraints import (
    AllDifferent,
    Arithmetic,
    Constraint,
    Equality,
    ExactlyOne,
    Implication,
    Inequality,
    Literal,
)
from worlds.core.engines.dpll import Dpll
from worlds.core.policy import Branch, Rule

STEPS = (1, 2, 3, 4)
PAIRS = list(product(STEPS, STEPS))
IS_2, IS_3 = Literal("V0", "=", 2), Literal("V1", "=", 3)
LOW, HIGH = Literal("V0", "<", 3), Literal("V1", ">", 2)
RULE = Rule((LOW, IS_3), Branch("keep", "V0", "V0"), Branch("send", "V0", "V1"))


def _where(constraint: Constraint) -> set[tuple[int, int]]:
    return {(a, b) for a, b in PAIRS if constraint.holds({"V0": a, "V1": b})}


def _pairs(condition: Callable[[int, int], bool]) -> set[tuple[int, int]]:
    return {(a, b) for a, b in PAIRS if condition(a, b)}


@pytest.mark.parametrize("op", ["=", "!=", "<", ">"])
def test_a_negated_literal_is_true_exactly_where_the_literal_is_false(op: str) -> None:
    for value in (0, *STEPS, 5):
        literal = Literal("V0", op, value)
        for step in STEPS:
            assert negated(literal).holds({"V0": step}) != literal.holds({"V0": step})


@pytest.mark.parametrize(
    ("constraint", "reread"),
    [
        (Inequality("<", "V0", right="V1"), lambda a, b: a > b),
        (Inequality(">", "V0", right="V1"), lambda a, b: a < b),
        (Inequality("<", "V0", value=3), lambda a, b: a > 3),
        (Arithmetic("offset", "V0", "V1", 1), lambda a, b: a == b - 1),
        (Arithmetic("difference", "V0", "V1", 2), lambda a, b: b - a == 2),
        (Implication.of(LOW, HIGH), lambda a, b: a <= 3 or b < 2),
        (ExactlyOne((LOW, HIGH)), lambda a, b: (a > 3) != (b < 2)),
    ],
)
def test_a_turned_scale_exchanges_lower_and_higher(
    constraint: Constraint, reread: Callable[[int, int], bool]
) -> None:
    assert _where(turned(constraint, {"V0", "V1"})) == _pairs(reread)
    assert turned(turned(constraint, {"V0", "V1"}), {"V0", "V1"}) == constraint
    assert turned(constraint, {"V7"}) == constraint


@pytest.mark.parametrize(
    "constraint",
    [
        Equality("V0", value=2),
        Equality("V0", right="V1"),
        Inequality("!=", "V0", right="V1"),
        Inequality("!=", "V0", value=2),
        Arithmetic("sum", "V0", "V1", 5),
        AllDifferent(("V0", "V1")),
        Implication.of(IS_2, IS_3),
    ],
)
def test_what_names_no_direction_stays_on_a_turned_scale(constraint: Constraint) -> None:
    assert turned(constraint, {"V0", "V1"}) == constraint


def test_only_the_terms_of_the_scale_are_turned() -> None:
    said = turned(Implication.of(LOW, HIGH), {"V1"})
    assert said == Implication.of(LOW, Literal("V1", "<", 2))
    assert turned_rule(RULE, {"V0"}).condition == (Literal("V0", ">", 3), IS_3)
    assert turned_rule(RULE, {"V1"}) == RULE


@pytest.mark.parametrize(
    ("constraint", "reread"),
    [
        (Inequality("<", "V0", right="V1"), lambda a, b: a <= b),
        (Inequality(">", "V0", right="V1"), lambda a, b: a >= b),
        (Inequality("<", "V0", value=3), lambda a, b: a <= 3),
        (Inequality(">", "V0", value=3), lambda a, b: a >= 3),
        (Arithmetic("offset", "V0", "V1", 2), lambda a, b: a > b),
        (Arithmetic("difference", "V0", "V1", -1), lambda a, b: a < b),
        (ExactlyOne((IS_2, IS_3)), lambda a, b: a == 2 or b == 3),
    ],
)
def test_a_loose_reading_allows_what_the_statement_does_and_more(
    constraint: Constraint, reread: Callable[[int, int], bool]
) -> None:
    loose = weaker(constraint, STEPS)
    assert loose is not None
    assert _where(loose) == _pairs(reread) > _where(constraint)


@pytest.mark.parametrize(
    "constraint",
    [
        Equality("V0", value=2),
        Inequality("!=", "V0", right="V1"),
        Arithmetic("sum", "V0", "V1", 5),
        Arithmetic("offset", "V0", "V1", 0),
        AllDifferent(("V0", "V1")),
        Implication.of(IS_2, IS_3),
    ],
)
def test_some_statements_have_no_loose_reading(constraint: Constraint) -> None:
    assert weaker(constraint, STEPS) is None
    assert next_step(constraint) is None


@pytest.mark.parametrize(
    ("constraint", "reread"),
    [
        (Inequality("<", "V0", right="V1"), lambda a, b: a + 1 == b),
        (Inequality(">", "V0", right="V1"), lambda a, b: a == b + 1),
        (Inequality("<", "V0", value=3), lambda a, b: a == 2),
        (Inequality(">", "V0", value=2), lambda a, b: a == 3),
    ],
)
def test_one_step_is_a_stricter_reading_of_a_comparison(
    constraint: Constraint, reread: Callable[[int, int], bool]
) -> None:
    strict = next_step(constraint)
    assert strict is not None
    assert _where(strict) == _pairs(reread) < _where(constraint)


def test_if_has_a_converse_and_both_make_if_and_only_if() -> None:
    said = Implication.of(IS_2, IS_3)
    assert _where(converse(said)) == _pairs(lambda a, b: b != 3 or a == 2)
    assert _where(both_ways(said)) == _pairs(lambda a, b: (a == 2) == (b == 3))


def test_none_is_closes_a_value_off() -> None:
    assert _where(none_is(["V0", "V1"], 4)) == _pairs(lambda a, b: 4 not in (a, b))


@pytest.mark.parametrize(
    "said", [AtLeastOne((IS_2, IS_3)), AtLeastOne((LOW, HIGH)), none_is(["V0", "V1"], 4)]
)
def test_what_the_engine_is_told_is_what_holds(said: Constraint) -> None:
    engine = Dpll({"V0": STEPS, "V1": STEPS})
    engine.add("said", said)
    found = set()
    while (model := engine.solve(["said", *map(str, range(len(found)))]).model) is not None:
        engine.ban(str(len(found)), model)
        found.add((model["V0"], model["V1"]))
    assert found == _where(said)


def test_at_least_one_is_told_and_written_like_a_constraint() -> None:
    said = AtLeastOne((IS_2, HIGH))
    assert said.scope == ("V0", "V1")
    assert said.describe(str) == "at least one of these is so: V0 is 2; V1 is higher than 2"
    assert said.payload() == {
        "class": "at_least_one",
        "literals": [["V0", "=", 2], ["V1", ">", 2]],
    }


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_a_rule_is_misread_in_three_ways(a: int, b: int) -> None:
    facts = {"V0": a, "V1": b}
    low, is_3 = a < 3, b == 3

    def branch(met: bool) -> Branch:
        return RULE.then if met else RULE.otherwise

    assert with_alternatives(RULE).live(facts) == branch(low or is_3)
    assert [each.live(facts) for each in without_a_condition(RULE)] == [branch(is_3), branch(low)]
    assert [each.live(facts) for each in weaker_conditions(RULE)] == [branch(a <= 3 and is_3)]


def test_a_rule_with_one_condition_has_none_to_spare() -> None:
    rule = Rule((IS_2,), RULE.then, RULE.otherwise)
    assert without_a_condition(rule) == ()
    assert weaker_conditions(rule) == ()
    assert with_alternatives(rule).live({"V0": 2, "V1": 1}) == RULE.then
