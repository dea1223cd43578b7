from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

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
from worlds.core.prose.normal import normal, renamed

TERMS = ("A", "B", "C")
terms = st.sampled_from(TERMS)
values = st.integers(1, 4)
literals = st.builds(Literal, terms, st.sampled_from(("=", "!=", "<", ">")), values)
rows = st.tuples(literals, literals)
constraints: st.SearchStrategy[Constraint] = st.one_of(
    st.builds(Equality, terms, right=terms),
    st.builds(Equality, terms, value=values),
    st.builds(Inequality, st.sampled_from(("!=", "<", ">")), terms, right=terms),
    st.builds(Inequality, st.sampled_from(("!=", "<", ">")), terms, value=values),
    st.builds(Implication.of, literals, literals),
    st.lists(rows, min_size=1, max_size=3).map(lambda r: Implication(tuple(r), is_table=True)),
    st.lists(terms, min_size=2, max_size=3).map(lambda t: AllDifferent(tuple(t))),
    st.lists(literals, min_size=1, max_size=3).map(lambda t: ExactlyOne(tuple(t))),
    st.builds(
        Arithmetic,
        st.sampled_from(("offset", "sum", "difference")),
        terms,
        terms,
        st.integers(-3, 8),
    ),
)
assignments = st.fixed_dictionaries(dict.fromkeys(TERMS, values))


@given(constraints, assignments)
def test_normal_form_says_the_same(constraint: Constraint, assignment: dict[str, int]) -> None:
    assert normal(constraint).holds(assignment) == constraint.holds(assignment)


@given(constraints)
def test_normal_form_is_its_own(constraint: Constraint) -> None:
    assert normal(normal(constraint)) == normal(constraint)


@given(constraints, constraints, assignments)
def test_one_normal_form_is_never_given_to_a_difference(
    one: Constraint, other: Constraint, assignment: dict[str, int]
) -> None:
    if normal(one) == normal(other):
        assert one.holds(assignment) == other.holds(assignment)


def test_harmless_symmetries() -> None:
    pairs: list[tuple[Constraint, Constraint]] = [
        (Equality("A", right="B"), Equality("B", right="A")),
        (Inequality(">", "A", right="B"), Inequality("<", "B", right="A")),
        (Inequality("!=", "A", right="B"), Inequality("!=", "B", right="A")),
        (Arithmetic("offset", "A", "B", -2), Arithmetic("offset", "B", "A", 2)),
        (Arithmetic("difference", "A", "B", -2), Arithmetic("difference", "B", "A", 2)),
        (Arithmetic("sum", "A", "B", 5), Arithmetic("sum", "B", "A", 5)),
        (AllDifferent(("C", "A", "B")), AllDifferent(("A", "B", "C"))),
    ]
    assert all(normal(one) == normal(other) for one, other in pairs)


def test_what_looks_alike_and_is_not() -> None:
    pairs: list[tuple[Constraint, Constraint]] = [
        (Inequality("<", "A", right="B"), Inequality("<", "B", right="A")),
        (Inequality("<", "A", value=2), Inequality(">", "A", value=2)),
        (Arithmetic("offset", "A", "B", 2), Arithmetic("offset", "B", "A", 2)),
        (Arithmetic("sum", "A", "B", 5), Arithmetic("sum", "A", "B", 6)),
        (Inequality("!=", "A", right="B"), AllDifferent(("A", "B"))),
        (
            Implication.of(Literal("A", "=", 1), Literal("B", "=", 2)),
            Implication.of(Literal("B", "=", 2), Literal("A", "=", 1)),
        ),
    ]
    assert not any(normal(one) == normal(other) for one, other in pairs)


@given(constraints)
def test_renaming_there_and_back_changes_nothing(constraint: Constraint) -> None:
    there = renamed(constraint, lambda term: f"{term}-1")
    assert renamed(there, lambda term: term[0]) == constraint
