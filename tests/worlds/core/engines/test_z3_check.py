"""z3 in a context of its own, within a limit of its own, and as a process."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from worlds.core.constraints import AllDifferent, Constraint, Equality, Inequality, Value
from worlds.core.engines import Answer, z3_check
from worlds.core.engines.question import problem_json
from worlds.core.errors import BadFormat

Domains = dict[str, tuple[Value, ...]]


def _run(line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "worlds.core.engines.z3_check"],
        input=line,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_limit_that_runs_out_is_unknown() -> None:
    terms = tuple(f"V{i}" for i in range(12))
    domains: Domains = {term: tuple(range(11)) for term in terms}
    outcome = z3_check.check(domains, [AllDifferent(terms)], rlimit=5000)
    assert (outcome.answer, outcome.model) == (Answer.UNKNOWN, None)


def test_two_instances_interleaved_do_not_meet() -> None:
    # Equal names with other values, strange names, a domain of one value (case C17).
    one: Domains = {"V0": ("Jüno | 'x'", "b c"), "V1": ("only",)}
    other: Domains = {"V0": (1, 2), "V1": (2, 3)}
    for _ in range(2):
        first = z3_check.check(one, [Inequality("!=", "V0", value="b c")])
        second = z3_check.check(other, [Equality("V0", right="V1")])
        assert first.model == {"V0": "Jüno | 'x'", "V1": "only"}
        assert second.model == {"V0": 2, "V1": 2}


def test_a_number_that_a_name_is_coded_by_is_not_that_name() -> None:
    domains: Domains = {"V0": ("a", "b", "c"), "V1": (1, 2)}
    for number in range(-2, 9):
        constraint = Equality("V0", value=number)
        assert z3_check.check(domains, [constraint]).answer is Answer.UNSAT


def test_a_domain_with_gaps_keeps_them() -> None:
    domains: Domains = {"V0": (1, 4)}
    between: list[Constraint] = [Inequality(">", "V0", value=1), Inequality("<", "V0", value=4)]
    assert z3_check.check(domains, between).answer is Answer.UNSAT


def test_the_process_answers_one_problem() -> None:
    domains: Domains = {"V0": ("Jüno", "b"), "V1": (1, 2)}
    constraints: dict[str, Constraint] = {"E1": Inequality("<", "V1", value=2)}
    line = problem_json(domains, constraints, banned={"V0": "b", "V1": 1})
    done = _run(line)
    assert done.returncode == 0
    assert json.loads(done.stdout)["version"] == z3_check.version()
    outcome = z3_check.read_outcome(done.stdout)
    assert outcome == z3_check.check(domains, constraints.values(), banned={"V0": "b", "V1": 1})
    assert outcome.model == {"V0": "Jüno", "V1": 1}


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        "{}",
        '{"domains": {"V0": [true]}, "constraints": {}, "banned": null, "rlimit": 1}',
        '{"domains": {}, "constraints": {"E1": {"class": "no"}}, "banned": null, "rlimit": 1}',
    ],
)
def test_the_process_names_what_is_wrong_with_a_problem(line: str) -> None:
    done = _run(line)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("z3_check: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("line", ["", "[]", "{}", '{"answer": "perhaps"}'])
def test_an_answer_that_is_none_is_named(line: str) -> None:
    with pytest.raises(BadFormat):
        z3_check.read_outcome(line)
