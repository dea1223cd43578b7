"""Refutations of all other worlds: two checkers accept them, and the comments tell the world."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product

import pytest
from dratify import check_proof, parse_dimacs
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worlds.core.builders import observatory
from tests.worlds.core.engines.problems import Small, models, random_problem, small_problems
from worlds.core.certify import certify
from worlds.core.certify.examination import Engines
from worlds.core.constraints import AllDifferent, Assignment, Inequality, Value
from worlds.core.engines import Answer, Problem, problem_of
from worlds.core.engines.dpll import Dpll
from worlds.core.engines.proof import Proof, formula_text, proof_of, refutation_text
from worlds.core.engines.rup import check_refutation
from worlds.core.engines.trail import Entry, Trail
from worlds.core.errors import ForgeError, NotProved, ProofRejected
from worlds.core.ids import FamilyId
from worlds.core.mint import forge_family
from worlds.core.model import World

LEVELS = ("L00", "L01", "L02", "L03", "L04", "L05")
WORLDS = [
    "observatory",
    *(f"{profile} {level}" for profile in ("chain", "case") for level in LEVELS),
    *(pytest.param(f"{profile} L09", marks=pytest.mark.slow) for profile in ("chain", "case")),
]


@cache
def _world(name: str) -> World:
    if name == "observatory":
        return observatory()
    profile, level = name.split()
    return forge_family(FamilyId(profile, level, "maritime", 5)).world


def _rup(cnf: str, drat: str) -> bool:
    try:
        check_refutation(cnf, drat)
    except ProofRejected:
        return False
    return True


def _dratify(cnf: str, drat: str) -> bool:
    return check_proof(parse_dimacs(cnf), drat, check_rat=False).ok


def _both(cnf: str, drat: str) -> bool:
    accepted = _rup(cnf, drat)
    assert _dratify(cnf, drat) == accepted
    return accepted


def _without_ban(cnf: str) -> str:
    """The formula without its last clause, which the last comment says is the ban."""
    comments, clauses = _parted(cnf)
    assert comments[-2].endswith(': ban "some fact differs from the solution"')
    comments[-1] = re.sub(r"\d+$", str(len(clauses) - 1), comments[-1])
    return "\n".join([*comments, *clauses[:-1], ""])


def _parted(cnf: str) -> tuple[list[str], list[str]]:
    """The comments with the line of p, and the lines of clauses."""
    lines = cnf.splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("p ")) + 1
    return lines[:head], lines[head:]


class TestEveryWorld:
    @pytest.mark.parametrize("name", WORLDS)
    def test_both_checkers_accept_the_proof(self, name: str) -> None:
        proof = proof_of(_world(name))
        assert _both(proof.cnf, proof.drat)
        assert check_refutation(proof.cnf, proof.drat) == proof.learned + 1

    @pytest.mark.parametrize("name", WORLDS)
    def test_both_reject_it_without_the_ban(self, name: str) -> None:
        proof = proof_of(_world(name))
        assert not _both(_without_ban(proof.cnf), proof.drat)

    @pytest.mark.parametrize("name", WORLDS)
    def test_the_empty_clause_alone_is_enough_only_where_units_refute(self, name: str) -> None:
        proof = proof_of(_world(name))
        assert _both(proof.cnf, "0\n") == (proof.learned == 0)

    @pytest.mark.parametrize("name", WORLDS)
    def test_without_its_last_line_it_is_rejected(self, name: str) -> None:
        proof = proof_of(_world(name))
        shorter = proof.drat.removesuffix("0\n")
        assert not _rup(proof.cnf, shorter)
        # dratify asks for no empty clause where units refute the formula.
        assert _dratify(proof.cnf, shorter) == (proof.learned == 0)

    @pytest.mark.parametrize("name", WORLDS)
    def test_the_certificate_carries_the_digests_of_both_files(self, name: str) -> None:
        world, proof = _world(name), proof_of(_world(name))
        uniqueness = certify(world)["uniqueness"]
        assert uniqueness["cnf_sha256"] == proof.cnf_sha256
        assert uniqueness["proof_sha256"] == proof.drat_sha256


def test_most_worlds_of_the_case_profile_need_learned_clauses() -> None:
    learned = [proof_of(_world(f"case {level}")).learned for level in LEVELS]
    assert sum(count > 0 for count in learned) > 3


def test_checkers_agree_on_what_is_changed_in_a_proof() -> None:
    stream = random.Random(3)
    verdicts = []
    for proof in [*(proof_of(_world(f"case {level}")) for level in LEVELS), _pigeonhole(6)]:
        lines = proof.drat.splitlines()[:-1]
        rounds = range(10 if lines else 0)
        verdicts += [_both(proof.cnf, _changed(lines, stream)) for _ in rounds]
    assert verdicts.count(False) > 20
    assert verdicts.count(True) > 5


def _changed(lines: Sequence[str], stream: random.Random) -> str:
    """A proof with a line left out, a line changed in a literal, or its lines in another order."""
    changed = list(lines)
    place = stream.randrange(len(lines))
    literals = changed[place].split()[:-1]
    match stream.choice(["leave out", "shuffle", "drop", "flip"]):
        case "leave out":
            del changed[place]
        case "shuffle":
            stream.shuffle(changed)
        case "drop":
            literals.remove(stream.choice(literals))
            changed[place] = " ".join([*literals, "0"])
        case "flip":
            at = stream.randrange(len(literals))
            literals[at] = str(-int(literals[at]))
            changed[place] = " ".join([*literals, "0"])
    return "\n".join([*changed, "0", ""])


class TestComments:
    @pytest.mark.parametrize("name", ["observatory", "chain L03", "case L05"])
    def test_every_variable_is_mapped_to_a_mark_or_question_and_a_value(self, name: str) -> None:
        world = _world(name)
        values: dict[str, list[Value]] = {}
        called: dict[str, str] = {}
        for number, (term, spoken, value) in enumerate(_variables(proof_of(world).cnf), start=1):
            assert number == sum(map(len, values.values())) + 1
            values.setdefault(term, []).append(value)
            called[term] = spoken
        assert {term: tuple(each) for term, each in values.items()} == dict(world.term_values)
        marks = {variable.id: variable.mark for variable in world.variables}
        assert called == {**marks, **{b.id: b.question for b in world.bridges}}

    @pytest.mark.parametrize("name", ["observatory", "chain L02", "case L02"])
    def test_the_clauses_of_a_unit_say_what_the_unit_says(self, name: str) -> None:
        world = _world(name)
        cnf = proof_of(world).cnf
        variables = list(_variables(cnf))
        constraints = problem_of(world).constraints
        blocks = _blocks(cnf)
        assert [name for name, _, _ in blocks] == ["rule", "rule", *constraints, "ban"]
        for label, says, clauses in blocks[2:-1]:
            constraint = constraints[label]
            assert says == constraint.describe(world.mark_of)
            terms = constraint.scope
            for each in product(*(world.term_values[term] for term in terms)):
                assignment = dict(zip(terms, each, strict=True))
                assert _hold(clauses, variables, assignment) == constraint.holds(assignment)

    def test_the_rules_and_the_ban_say_what_they_should(self) -> None:
        world = observatory()
        cnf = proof_of(world).cnf
        variables = list(_variables(cnf))
        some, single, *_, ban = (clauses for _, _, clauses in _blocks(cnf))
        told = [[variables[literal - 1][0] for literal in clause] for clause in some]
        assert told == [[term] * len(values) for term, values in world.term_values.items()]
        pairs = {(a, b) for a in range(1, 48) for b in range(1, a) if _same(variables, a, b)}
        assert {tuple(sorted((-a, -b), reverse=True)) for a, b in single} == pairs
        (clause,) = ban
        banned = {variables[-literal - 1][0]: variables[-literal - 1][2] for literal in clause}
        assert banned == world.solution

    def test_every_line_is_ascii(self) -> None:
        world = observatory()
        bridge = replace(world.bridges[0], question="Qui découvrit\nUranus « le 7e » ?")
        world = replace(world, bridges=(bridge, *world.bridges[1:]))
        proof = proof_of(world)
        assert proof.cnf.isascii()
        assert _both(proof.cnf, proof.drat)
        assert bridge.question in {spoken for _, spoken, _ in _variables(proof.cnf)}


def _variables(cnf: str) -> list[tuple[str, str, Value]]:
    """The term, what it is called, and the value of each variable, from the comments alone."""
    found = []
    decoder = json.JSONDecoder()
    for line in cnf.splitlines():
        told = re.fullmatch(r"c variable (\d+): (\w+) (.*)", line)
        if told:
            assert int(told[1]) == len(found) + 1
            called, end = decoder.raw_decode(told[3])
            assert told[3][end : end + 3] == " = "
            found.append((told[2], called, json.loads(told[3][end + 3 :])))
    return found


def _blocks(cnf: str) -> list[tuple[str, str, list[list[int]]]]:
    """Whose each run of clauses is, what that says, and the clauses, from the comments."""
    comments, lines = _parted(cnf)
    clauses = [[int(word) for word in line.split()[:-1]] for line in lines]
    found: list[tuple[str, str, list[list[int]]]] = []
    end = 0
    for line in comments:
        told = re.fullmatch(r"c clauses (\d+)-(\d+): (\w+) (.*)", line)
        if told:
            assert int(told[1]) == end + 1
            end = int(told[2])
            found.append((told[3], json.loads(told[4]), clauses[int(told[1]) - 1 : end]))
    assert end == len(clauses)
    return found


def _hold(
    clauses: Sequence[Sequence[int]],
    variables: Sequence[tuple[str, str, Value]],
    assignment: Assignment,
) -> bool:
    def is_true(literal: int) -> bool:
        term, _, value = variables[abs(literal) - 1]
        return (assignment[term] == value) == (literal > 0)

    return all(any(map(is_true, clause)) for clause in clauses)


def _same(variables: Sequence[tuple[str, str, Value]], first: int, second: int) -> bool:
    return (
        max(first, second) <= len(variables) and variables[first - 1][0] == variables[second - 1][0]
    )


def test_a_world_that_is_not_the_only_one_has_no_proof() -> None:
    world = observatory()
    clues = [unit for unit in world.units if unit.id != "E4"]
    with pytest.raises(NotProved, match="uniqueness is refuted: so there is no refutation"):
        proof_of(replace(world, units=tuple(clues)))


@pytest.mark.parametrize("seed", ["0", "1", "31337"])
def test_the_bytes_do_not_depend_on_the_hash_seed(seed: str) -> None:
    code = (
        "from worlds.core.engines.proof import proof_of\n"
        "from worlds.core.ids import FamilyId\n"
        "from worlds.core.mint import forge_family\n"
        "proof = proof_of(forge_family(FamilyId('case', 'L02', 'maritime', 5)).world)\n"
        "print(proof.cnf_sha256, proof.drat_sha256)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    proof = proof_of(_world("case L02"))
    assert done.stdout.split() == [proof.cnf_sha256, proof.drat_sha256]


def _engine(problem: Small, kind: type[Dpll] = Dpll) -> Dpll:
    engine = kind(problem.domains)
    for label, constraint in problem.constraints.items():
        engine.add(label, constraint)
    return engine


def _written(problem: Small, engine: Dpll, banned: Assignment | None = None) -> Proof:
    labels = {label: label for label in problem.constraints}
    terms = {term: term for term in problem.domains}
    whole = Problem(problem.domains, problem.constraints)
    formula = formula_text(whole, named=terms, says=labels, banned=banned)
    return Proof(formula, refutation_text(engine.learned()))


def _pigeonhole(count: int) -> Proof:
    """Hundreds of clauses to learn."""
    terms = tuple(f"V{i}" for i in range(count))
    domains: Mapping[str, tuple[Value, ...]] = {term: tuple(range(count - 1)) for term in terms}
    problem = Small(domains, {"E1": AllDifferent(terms)})
    engine = _engine(problem)
    assert engine.solve(["E1"]).answer is Answer.UNSAT
    return _written(problem, engine)


def test_a_long_search_is_a_long_proof() -> None:
    proof = _pigeonhole(7)
    assert proof.learned > 100
    assert _both(proof.cnf, proof.drat)


@settings(max_examples=300, deadline=None)
@given(small_problems, st.booleans(), st.integers(0, 2**20))
def test_proofs_of_small_problems_check(problem: Small, wished: bool, seed: int) -> None:
    """Whatever the constraints, with one model banned if there is one."""
    every = models(problem.domains, problem.constraints.values())
    engine = _engine(problem)
    active = list(problem.constraints)
    banned = random.Random(seed).choice(every) if every else None
    if banned is not None:
        engine.ban("ban", banned)
        active.append("ban")
    near = {term: values[0] for term, values in problem.domains.items()} if wished else None
    refuted = engine.solve(active, near=near).answer is Answer.UNSAT
    assert refuted == (len(every) < 2)
    proof = _written(problem, engine, banned)
    assert _rup(proof.cnf, proof.drat) == refuted
    assert _dratify(proof.cnf, proof.drat) == refuted


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**40))
def test_what_other_queries_taught_is_in_the_proof(seed: int) -> None:
    stream = random.Random(seed)
    problem = random_problem(stream, terms=(4, 7), clues=(6, 10))
    engine = _engine(problem)
    labels = list(problem.constraints)
    for _ in range(3):
        engine.without_each(stream.sample(labels, stream.randint(1, len(labels))), [])
        engine.core(stream.sample(labels, len(labels)))
    if engine.solve(labels).answer is Answer.UNSAT:
        proof = _written(problem, engine)
        assert _both(proof.cnf, proof.drat)


class _Forgetful(Trail):
    """Drops a literal of every clause that it learns."""

    def _first_uip(self, conflict: Entry, base: int) -> tuple[int, list[int], int]:
        uip, lower, mask = super()._first_uip(conflict, base)
        return uip, lower[1:], mask


class _Hasty(Dpll):
    """Learns too much."""

    def __init__(self, domains: Mapping[str, tuple[Value, ...]]) -> None:
        super().__init__(domains)
        self._trail = _Forgetful(self.cnf)


def _colouring(stream: random.Random) -> Small:
    """Nine terms, four values and pairs that differ: hard enough to learn from."""
    terms = [f"V{i}" for i in range(9)]
    pairs = stream.sample(list(combinations(terms, 2)), 24)
    told = [Inequality("!=", left, right=right) for left, right in pairs]
    told += [Inequality("!=", stream.choice(terms), value=stream.randint(1, 4)) for _ in range(5)]
    return Small(dict.fromkeys(terms, (1, 2, 3, 4)), {f"E{i}": c for i, c in enumerate(told)})


def test_an_engine_that_learns_too_much_is_found_out_by_its_proof() -> None:
    stream = random.Random(8)
    rejected = {Answer.SAT: 0, Answer.UNSAT: 0}
    for _ in range(300):
        problem = _colouring(stream)
        sound, hasty = _engine(problem), _engine(problem, _Hasty)
        truth = sound.solve(problem.constraints)
        if hasty.solve(problem.constraints).answer is not Answer.UNSAT:
            continue
        proof = _written(problem, hasty)
        rejected[truth.answer] += not _both(proof.cnf, proof.drat)
        if truth.model is None:
            proof = _written(problem, sound)
            assert _both(proof.cnf, proof.drat)
        else:
            assert all(constraint.holds(truth.model) for constraint in problem.constraints.values())
            assert not _both(proof.cnf, proof.drat)
    # A verdict that is wrong, and many that are right by luck.
    assert rejected[Answer.SAT] > 0
    assert rejected[Answer.UNSAT] > 50


def test_worlds_die_of_an_engine_that_learns_too_much() -> None:
    """Though its verdict may be right: there is one world, and only the proof is wrong."""
    reasons = []
    for level in LEVELS:
        try:
            certify(_world(f"case {level}"), Engines(dpll=_Hasty))
        except ForgeError as error:
            reasons.append(str(error))
    told = "engines disagree on uniqueness: dpll says proved, the checker says drat line "
    assert any(reason.startswith(told) for reason in reasons)
