"""The six classes: what holds, that clauses say the same, words, and the JSON shape."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worlds.core.engines.problems import CLASSES, of_class, random_problem
from worlds.core.constraints import CLASSES as KINDS
from worlds.core.constraints import (
    AllDifferent,
    Arithmetic,
    Constraint,
    Equality,
    ExactlyOne,
    Implication,
    Inequality,
    Literal,
    Value,
    read_constraint,
)
from worlds.core.engines.cnf import OneHot
from worlds.core.errors import BadFormat

WORLD: dict[str, Value] = {"V0": "ash", "V1": "ash", "V2": "bay", "V3": 2, "V4": 3, "V5": 2}


def _is(term: str, value: Value) -> Literal:
    return Literal(term, "=", value)


@pytest.mark.parametrize(
    ("constraint", "expected"),
    [
        (Equality("V0", value="ash"), True),
        (Equality("V0", value="bay"), False),
        (Equality("V0", right="V1"), True),
        (Equality("V0", right="V2"), False),
        (Equality("V0", right="V3"), False),
        (Equality("V0", right="V0"), True),
        (Inequality("!=", "V0", right="V2"), True),
        (Inequality("!=", "V0", right="V1"), False),
        (Inequality("!=", "V0", right="V3"), True),
        (Inequality("!=", "V0", right="V0"), False),
        (Inequality("<", "V3", right="V4"), True),
        (Inequality("<", "V3", right="V5"), False),
        (Inequality(">", "V4", value=2), True),
        (Inequality("<", "V3", right="V3"), False),
        (Inequality("<", "V0", right="V2"), False),
        (Inequality("<", "V0", value="zinc"), False),
        (Implication.of(_is("V0", "ash"), _is("V2", "bay")), True),
        (Implication.of(_is("V0", "ash"), _is("V2", "ash")), False),
        (Implication.of(_is("V0", "bay"), _is("V2", "ash")), True),
        (Implication.of(_is("V0", "ash"), _is("V0", "bay")), False),
        (Implication.of(_is("V0", "ash"), Literal("V0", "!=", "bay")), True),
        (
            Implication(((_is("V0", "bay"), _is("V3", 1)), (_is("V0", "ash"), _is("V3", 2))), True),
            True,
        ),
        (AllDifferent(("V0", "V2", "V3")), True),
        (AllDifferent(("V0", "V2", "V1")), False),
        (AllDifferent(("V0", "V0")), False),
        (ExactlyOne((_is("V0", "ash"), _is("V2", "ash"))), True),
        (ExactlyOne((_is("V0", "ash"), _is("V1", "ash"))), False),
        (ExactlyOne((_is("V0", "bay"), _is("V2", "ash"))), False),
        (ExactlyOne((_is("V0", "ash"),)), True),
        (ExactlyOne((_is("V0", "bay"),)), False),
        (ExactlyOne((_is("V0", "ash"), _is("V0", "ash"))), False),
        (Arithmetic("offset", "V4", "V3", 1), True),
        (Arithmetic("offset", "V3", "V4", 1), False),
        (Arithmetic("sum", "V3", "V4", 5), True),
        (Arithmetic("difference", "V4", "V3", 1), True),
        (Arithmetic("offset", "V3", "V3", 0), True),
        (Arithmetic("offset", "V3", "V3", 1), False),
        (Arithmetic("sum", "V3", "V3", 4), True),
        (Arithmetic("sum", "V0", "V3", 4), False),
    ],
)
def test_holds(constraint: Constraint, expected: bool) -> None:
    assert constraint.holds(WORLD) is expected


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(CLASSES), st.integers(0, 2**40))
def test_clauses_have_the_models_on_which_it_holds(kind: str, seed: int) -> None:
    stream = random.Random(seed)
    domains = random_problem(stream, clues=(0, 0)).domains
    constraint = of_class(kind, domains, stream)
    cnf = OneHot(domains)
    clauses = cnf.clauses_of(constraint)
    for values in product(*domains.values()):
        assignment = dict(zip(domains, values, strict=True))
        true = {cnf.literal(term, value) for term, value in assignment.items()}
        satisfied = all(
            any((literal > 0) == (abs(literal) in true) for literal in clause) for clause in clauses
        )
        assert satisfied == constraint.holds(assignment)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(CLASSES), st.integers(0, 2**40))
def test_the_payload_reads_back(kind: str, seed: int) -> None:
    stream = random.Random(seed)
    constraint = of_class(kind, random_problem(stream, clues=(0, 0)).domains, stream)
    assert constraint.kind == kind
    assert read_constraint(constraint.payload()) == constraint


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(CLASSES), st.integers(0, 2**40))
def test_the_scope_names_each_term_once_and_all_that_matter(kind: str, seed: int) -> None:
    stream = random.Random(seed)
    domains = random_problem(stream, clues=(0, 0)).domains
    constraint = of_class(kind, domains, stream)
    assert len(set(constraint.scope)) == len(constraint.scope)
    assert constraint.holds({t: domains[t][0] for t in constraint.scope}) in (True, False)


def test_the_classes_are_the_six_of_the_specification() -> None:
    assert set(KINDS) == set(CLASSES)


@pytest.mark.parametrize(
    ("constraint", "words"),
    [
        (Equality("V0", value="ash"), "M-V0 is ash"),
        (Equality("V0", right="V1"), "M-V0 is the same as M-V1"),
        (Inequality("<", "V3", right="V4"), "M-V3 is lower than M-V4"),
        (Inequality("!=", "V0", value="ash"), "M-V0 differs from ash"),
        (
            Implication.of(_is("V0", "ash"), Literal("V3", ">", 1)),
            "if M-V0 is ash, then M-V3 is higher than 1",
        ),
        (AllDifferent(("V0", "V1", "V2")), "M-V0, M-V1 and M-V2 are all different"),
        (
            ExactlyOne((_is("V0", "ash"), Literal("V1", "!=", "bay"))),
            "exactly one of these is so: M-V0 is ash; M-V1 is not bay",
        ),
        (Arithmetic("offset", "V3", "V4", -2), "M-V3 is 2 lower than M-V4"),
        (Arithmetic("offset", "V3", "V4", 0), "M-V3 is equal to M-V4"),
        (Arithmetic("sum", "V3", "V4", 5), "M-V3 and M-V4 add up to 5"),
    ],
)
def test_a_constraint_in_words(constraint: Constraint, words: str) -> None:
    assert constraint.describe(lambda term: f"M-{term}") == words


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        {},
        {"class": "hexagon"},
        {"class": "equality", "left": "V0"},
        {"class": "equality", "left": "V0", "right": "V1", "value": "ash"},
        {"class": "equality", "left": "V0", "value": 1.5},
        {"class": "equality", "left": "V0", "value": True},
        {"class": "inequality", "op": "<=", "left": "V0", "right": "V1"},
        {"class": "implication", "if": ["V0", "=", "ash"]},
        {"class": "implication", "table": []},
        {"class": "all_different", "terms": ["V0"]},
        {"class": "all_different", "terms": ["V0", 1]},
        {"class": "exactly_one", "literals": []},
        {"class": "exactly_one", "literals": [["V0", "~", "ash"]]},
        {"class": "arithmetic", "form": "product", "left": "V0", "right": "V1", "k": 1},
        {"class": "arithmetic", "form": "sum", "left": "V0", "right": "V1", "k": True},
        {"class": "arithmetic", "form": "sum", "left": "V0", "right": "V1", "k": "1"},
    ],
)
def test_a_wrong_shape_names_its_place(raw: object) -> None:
    with pytest.raises(BadFormat) as caught:
        read_constraint(raw, "truth.units.E4")
    assert caught.value.field.startswith("truth.units.E4")


@pytest.mark.parametrize(
    "make",
    [
        lambda: Equality("V0"),
        lambda: Equality("V0", right="V1", value="ash"),
        lambda: Inequality("=", "V0", right="V1"),
        lambda: Implication(()),
        lambda: AllDifferent(("V0",)),
        lambda: ExactlyOne(()),
        lambda: Arithmetic("product", "V0", "V1", 1),
    ],
)
def test_a_constraint_without_a_meaning_is_refused(make: Callable[[], Constraint]) -> None:
    with pytest.raises(ValueError, match="has"):
        make()
