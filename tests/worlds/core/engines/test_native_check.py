"""DPLL and the oracle as processes: they agree with each other, and name what they cannot read."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given

from tests.worlds.core.engines.problems import Small, models, small_problems
from worlds.core.constraints import AllDifferent, Constraint, Inequality, Value
from worlds.core.engines import Answer
from worlds.core.engines.native_check import ask_dpll, ask_oracle
from worlds.core.engines.question import Question, problem_json, read_problem
from worlds.core.errors import BadFormat

DOMAINS: dict[str, tuple[Value, ...]] = {"V0": ("Jüno", "b"), "V1": (1, 2)}
CONSTRAINTS: dict[str, Constraint] = {"E1": Inequality("<", "V1", value=2)}


def _run(engine: str, line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "worlds.core.engines.native_check", engine],
        input=line,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("engine", ["dpll", "oracle"])
def test_the_process_answers_one_problem(engine: str) -> None:
    line = problem_json(DOMAINS, CONSTRAINTS, banned={"V0": "b", "V1": 1})
    done = _run(engine, line)
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    ask = {"dpll": ask_dpll, "oracle": ask_oracle}[engine]
    assert told == ask(read_problem(line))
    assert told["answer"] == "sat"


@pytest.mark.parametrize(("engine", "line"), [("dpll", ""), ("oracle", "{}"), ("z4", "{}")])
def test_the_process_names_what_is_wrong(engine: str, line: str) -> None:
    done = _run(engine, line)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("native_check: ")
    assert done.stderr.count("\n") == 1


def test_a_problem_comes_back_as_it_was_written() -> None:
    banned: dict[str, Value] = {"V0": "b"}
    question = read_problem(problem_json(DOMAINS, CONSTRAINTS, banned=banned, rlimit=7))
    assert question == Question(DOMAINS, CONSTRAINTS, banned, 7)


def test_a_problem_of_another_shape_is_named() -> None:
    with pytest.raises(BadFormat):
        read_problem('{"domains": {}}')


@given(small_problems)
def test_both_engines_say_what_enumeration_says(problem: Small) -> None:
    found = models(problem.domains, problem.constraints.values())
    for banned in (None, *found[:1]):
        question = Question(problem.domains, problem.constraints, banned, 0)
        answer = Answer.SAT if len(found) > (banned is not None) else Answer.UNSAT
        assert ask_dpll(question)["answer"] is answer
        assert ask_oracle(question) == {"answer": answer, "models": len(found)}


def test_a_ban_that_is_no_model_takes_none_away() -> None:
    banned: dict[str, Value] = {"V1": 2}
    assert ask_oracle(Question(DOMAINS, CONSTRAINTS, banned, 0))["answer"] is Answer.SAT


def test_an_elimination_that_is_too_wide_is_unknown() -> None:
    terms = tuple(f"V{n}" for n in range(14))
    domains: dict[str, tuple[Value, ...]] = {term: tuple(range(14)) for term in terms}
    constraints: dict[str, Constraint] = {"E1": AllDifferent(terms)}
    assert ask_oracle(Question(domains, constraints, None, 0)) == {"answer": Answer.UNKNOWN}
