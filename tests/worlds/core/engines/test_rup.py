"""The checker of refutations: what it accepts, and the line at which it rejects."""

from __future__ import annotations

import ast
import inspect
import random
from collections.abc import Iterable, Sequence
from itertools import combinations, product
from pathlib import Path

import pytest
from dratify import check_proof, parse_dimacs
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from worlds.core.engines.rup import check_refutation
from worlds.core.errors import ProofRejected

Clauses = Sequence[Sequence[int]]

EITHER = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n"
"""Refuted by a case split, and not by units alone."""

UNITS = "p cnf 1 2\n1 0\n-1 0\n"


def _rejected(cnf: str, drat: str) -> str:
    with pytest.raises(ProofRejected) as caught:
        check_refutation(cnf, drat)
    return str(caught.value)


def _accepts(cnf: str, drat: str) -> bool:
    try:
        check_refutation(cnf, drat)
    except ProofRejected:
        return False
    return True


def _dimacs(size: int, clauses: Clauses) -> str:
    lines = [" ".join(map(str, (*clause, 0))) for clause in clauses]
    return "\n".join([f"p cnf {size} {len(lines)}", *lines, ""])


def _pigeons(count: int) -> tuple[int, list[list[int]]]:
    """Pigeons in one hole too few: variable `p * holes + h + 1` puts pigeon p in hole h."""
    holes = count - 1
    clauses = [[p * holes + h + 1 for h in range(holes)] for p in range(count)]
    for hole in range(1, count):
        guests = [p * holes + hole for p in range(count)]
        clauses += [[-first, -second] for first, second in combinations(guests, 2)]
    return count * holes, clauses


def test_it_shares_no_code_with_the_engine() -> None:
    tree = ast.parse(Path(inspect.getfile(check_refutation)).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {
        a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names
    }
    assert imported == {"__future__", "collections.abc", "re", "worlds.core.errors"}


class TestRefutations:
    def test_a_case_split_is_followed_to_the_empty_clause(self) -> None:
        assert check_refutation(EITHER, "2 0\n0\n") == 2

    def test_the_empty_clause_alone_does_not_follow(self) -> None:
        expected = "drat line 1: the empty clause does not follow by unit propagation"
        assert _rejected(EITHER, "0\n") == expected

    def test_the_line_that_does_not_follow_is_named(self) -> None:
        cnf = "p cnf 3 3\n1 2 3 0\n-1 2 0\n-2 3 0\n"
        expected = "drat line 3: the clause 1 2 does not follow by unit propagation"
        assert _rejected(cnf, "c lines\n-1 3 0\n1 2 0\n0\n") == expected

    def test_a_refutation_of_a_satisfiable_formula_is_rejected(self) -> None:
        assert "line 2: the empty clause" in _rejected("p cnf 2 2\n1 2 0\n-1 2 0\n", "2 0\n0\n")

    @pytest.mark.parametrize("cnf", [UNITS, "p cnf 0 1\n0\n"])
    def test_the_empty_clause_must_be_said_even_where_units_conflict(self, cnf: str) -> None:
        expected = "drat line 1: ends without the empty clause, a line of 0"
        assert _rejected(cnf, "") == expected
        assert check_refutation(cnf, "0\n") == 1

    def test_a_proof_that_stops_short_is_rejected(self) -> None:
        assert _rejected(EITHER, "2 0\n") == (
            "drat line 2: ends without the empty clause, a line of 0"
        )

    def test_a_clause_that_was_deleted_helps_no_more(self) -> None:
        assert "line 2: the clause 2" in _rejected(EITHER, "d 2 1 0\n2 0\n0\n")

    def test_one_of_two_copies_may_go(self) -> None:
        cnf = "p cnf 2 5\n1 2 0\n2 1 0\n-1 2 0\n1 -2 0\n-1 -2 0\n"
        assert check_refutation(cnf, "d 1 2 0\n2 0\n0\n") == 3
        assert not _accepts(cnf, "d 1 2 0\nd 1 2 0\n2 0\n0\n")

    def test_what_a_deleted_unit_implied_stays(self) -> None:
        assert check_refutation("p cnf 2 3\n1 0\n-1 2 0\n-2 -1 0\n", "2 0\nd 1 0\n0\n") == 3

    def test_a_clause_that_is_not_there_cannot_be_deleted(self) -> None:
        assert _rejected(EITHER, "d 1 0\n") == "drat line 1: the clause 1 is not there to delete"

    def test_clauses_may_repeat_a_literal_or_say_nothing(self) -> None:
        cnf = "p cnf 2 5\n1 1 2 0\n1 -1 0\n-1 2 0\n1 -2 -2 0\n-1 -2 0\n"
        assert check_refutation(cnf, "2 2 0\n1 -1 2 0\n0\n") == 3

    def test_clauses_of_a_formula_may_span_lines(self) -> None:
        cnf = "c told\np cnf 2 4\n1 2\n0 -1 2 0 1\n-2 0\n\nc told\n-1 -2 0"
        assert check_refutation(cnf, "2 0\r\n0\r\n") == 2


@pytest.mark.parametrize(
    ("cnf", "reason"),
    [
        ("1 0\n", "cnf line 1: a clause before the line of p"),
        ("", "cnf line 1: there is no line of p"),
        ("p cnf 1\n", "cnf line 1: expected p cnf VARIABLES CLAUSES"),
        ("p sat 1 1\n", "cnf line 1: expected p cnf VARIABLES CLAUSES"),
        ("p cnf -1 1\n", "cnf line 1: expected 0 to 1000000 variables"),
        ("p cnf 999999999 1\n", "cnf line 1: expected 0 to 1000000 variables"),
        ("p cnf 1 0\np cnf 1 0\n", "cnf line 2: a second line of p"),
        ("p cnf 1 1\n1 0\n-1 0\n", "cnf line 4: 2 clauses, the line of p promises 1"),
        ("p cnf 1 1\n1", "cnf line 2: the last clause does not end in 0"),
        ("p cnf 1 1\n2 0\n", "cnf line 2: 2 is beyond the 1 variables"),
        ("p cnf 1 1\n1.0 0\n", "cnf line 2: '1.0' is not a literal"),
        ("p cnf 1 1\n\u0661 0\n", "cnf line 2: '\u0661' is not a literal"),
        ("p cnf 1 1\n" + "9" * 5000 + " 0\n", f"cnf line 2: '{'9' * 20}' is not a literal"),
    ],
)
def test_a_formula_that_cannot_be_read_is_named_by_its_line(cnf: str, reason: str) -> None:
    assert _rejected(cnf, "0\n") == reason


@pytest.mark.parametrize(
    ("drat", "reason"),
    [
        ("2\n0\n", "drat line 1: expected literals and one 0 at the end"),
        ("2 0 0\n", "drat line 1: expected literals and one 0 at the end"),
        ("2 0 1 0\n", "drat line 1: expected literals and one 0 at the end"),
        ("d\n", "drat line 1: expected literals and one 0 at the end"),
        ("2 0\n3 0\n", "drat line 2: 3 is beyond the 2 variables"),
        ("2 0\n-0\n", "drat line 2: '-0' is not a literal"),
        ("a\x00b 0\n", "drat line 1: 'a\\x00b' is not a literal"),
    ],
)
def test_a_proof_that_cannot_be_read_is_named_by_its_line(drat: str, reason: str) -> None:
    assert _rejected(EITHER, drat) == reason


def test_an_empty_formula_has_no_refutation() -> None:
    assert not _accepts("p cnf 0 0\n", "0\n")


def _by_the_book(clauses: Iterable[Sequence[int]], steps: Iterable[Sequence[int]]) -> bool:
    """Check a proof without deletions, with unit propagation that looks at everything again."""
    known = [set(clause) for clause in clauses]
    for step in steps:
        true = {-literal for literal in step}
        grown = True
        conflict = any(-literal in true for literal in true)
        while grown and not conflict:
            grown = False
            for clause in known:
                left = [literal for literal in clause if -literal not in true]
                conflict = conflict or not left
                if len(left) == 1 and left[0] not in true:
                    true.add(left[0])
                    grown = True
        if not conflict:
            return False
        if not step:
            return True
        known.append(set(step))
    return False


def _random_clauses(stream: random.Random, size: int, count: int) -> list[list[int]]:
    lengths = [0, *[1] * 4, *[2] * 20, *[3] * 20]
    return [
        [stream.choice((-1, 1)) * stream.randint(1, size) for _ in range(stream.choice(lengths))]
        for _ in range(count)
    ]


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**40), st.integers(1, 6), st.integers(0, 20), st.integers(0, 6))
def test_it_judges_random_proofs_by_the_book(seed: int, size: int, count: int, steps: int) -> None:
    stream = random.Random(seed)
    clauses = _random_clauses(stream, size, count)
    lines = [*_random_clauses(stream, size, steps), []]
    drat = "".join(" ".join(map(str, (*line, 0))) + "\n" for line in lines)
    expected = _by_the_book(clauses, lines)
    assert _accepts(_dimacs(size, clauses), drat) == expected
    formula = parse_dimacs(_dimacs(size, clauses))
    assert check_proof(formula, drat, check_rat=False).ok or not expected
    if expected:
        assert not any(
            all(any(signs[abs(each) - 1] == (each > 0) for each in clause) for clause in clauses)
            for signs in product((False, True), repeat=size)
        )


@pytest.mark.parametrize("solver", ["cadical195", "glucose4", "lingeling"])
def test_it_accepts_the_refutations_of_public_solvers(solver: str) -> None:
    size, clauses = _pigeons(6)
    with Solver(name=solver, bootstrap_with=clauses, with_proof=True) as engine:
        assert engine.solve() is False
        lines = engine.get_proof()
    drat = "\n".join(lines) + "\n"
    if "0" not in lines:
        drat += "0\n"
    assert any(line.startswith("d") for line in lines)
    assert check_refutation(_dimacs(size, clauses), drat) > 20
    assert not _accepts(_dimacs(size, clauses[1:]), drat)
