"""The third opinion: z3, with its own encoding straight from the constraints.

Every term is an integer, a scale's value is itself and a name is a number beyond every scale. No
clause of ours and no `holds` takes part, so a bug in either shows. Every check has a context of its
own, so that nothing is left over for the next, and a resource limit that counts z3's steps. This is
the only module that imports z3.

As a process, `python -m worlds.core.engines.z3_check` reads one problem from standard input, in the
form that `question` tells, and writes one line, so that its caller can kill it at any time::

    out  {"answer": "sat" | "unsat" | "unknown", "model": {…} | null, "decisions": 12,
          "propagations": 345, "version": "5.4.1"}

It exits with 0 when it wrote an answer, also an unknown one, and with 2 and one line on standard
error when the problem is not of this form. `read_outcome` reads such an answer.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import z3

from worlds.core.constraints import (
    AllDifferent,
    Arithmetic,
    Assignment,
    Constraint,
    Equality,
    ExactlyOne,
    Implication,
    Inequality,
    Literal,
    Value,
)
from worlds.core.engines import Answer, Outcome
from worlds.core.engines.question import RLIMIT, read_problem
from worlds.core.errors import BadFormat, BadInput

__all__ = ["Encoding", "check", "main", "read_outcome", "version"]

Domains = Mapping[str, Sequence[Value]]


def version() -> str:
    """The version of the z3 library in use."""
    return str(z3.get_version_string())


def check(
    domains: Domains,
    constraints: Iterable[Constraint],
    *,
    banned: Assignment | None = None,
    rlimit: int = RLIMIT,
) -> Outcome:
    """Whether the constraints have a model, other than `banned` on the terms that it gives."""
    encoding = Encoding(domains)
    solver = z3.SolverFor("QF_LIA", ctx=encoding.context)
    solver.set("rlimit", rlimit)
    solver.add(*encoding.bounds())
    for constraint in constraints:
        solver.add(encoding.formula(constraint))
    if banned is not None:
        solver.add(encoding.differs(banned))
    verdict = solver.check()
    work = solver.statistics()
    return Outcome(
        answer=Answer(str(verdict)),
        model=encoding.read(solver.model()) if verdict == z3.sat else None,
        decisions=_statistic(work, "decisions"),
        propagations=_statistic(work, "propagations"),
    )


def _statistic(statistics: Any, name: str) -> int:
    return sum(int(value) for key, value in statistics if key.split()[-1] == name)


class Encoding:
    """Terms as integers, in a context of their own unless one is given."""

    def __init__(self, domains: Domains, context: Any = None) -> None:
        self.context = z3.Context() if context is None else context
        self._domains = domains
        numbers = [v for values in domains.values() for v in values if isinstance(v, int)]
        self._first_name = max(numbers, default=0) + 1
        self._false = z3.BoolVal(False, ctx=self.context)
        self._names: dict[str, int] = {}
        self._term = {
            term: z3.Int(f"t{index}", ctx=self.context) for index, term in enumerate(domains)
        }

    def bounds(self) -> list[Any]:
        """Every term takes a value of its domain: a bound on both sides, and no gap between."""
        bounds = []
        for term, values in self._domains.items():
            codes = sorted({self._code(value) for value in values})
            if not codes:
                bounds.append(self._false)
                continue
            here = self._term[term]
            bounds += [here >= codes[0], here <= codes[-1]]
            present = set(codes)
            bounds += [here != gap for gap in range(codes[0], codes[-1]) if gap not in present]
        return bounds

    def formula(self, constraint: Constraint) -> Any:
        """One constraint as a z3 expression."""
        term = self._term
        match constraint:
            case Equality(left, str() as right, _):
                return term[left] == term[right]
            case Equality(left, _, str() | int() as value):
                return self._literal(Literal(left, "=", value))
            case Inequality("!=", left, str() as right, _):
                return term[left] != term[right]
            case Inequality("<", left, str() as right, _):
                return self._numeric([left, right], term[left] < term[right])
            case Inequality(_, left, str() as right, _):
                return self._numeric([left, right], term[left] > term[right])
            case Inequality(op, left, _, str() | int() as value):
                return self._literal(Literal(left, op, value))
            case Implication(rows, _):
                implications = [z3.Implies(self._literal(p), self._literal(c)) for p, c in rows]
                return z3.And(*implications)
            case AllDifferent(terms):
                return z3.Distinct(*(term[each] for each in terms))
            case ExactlyOne(literals):
                one, none = z3.IntVal(1, ctx=self.context), z3.IntVal(0, ctx=self.context)
                return z3.Sum([z3.If(self._literal(each), one, none) for each in literals]) == one
            case Arithmetic(form, left, right, k):
                return self._arithmetic(form, left, right, k)
            case _:
                raise TypeError(f"no encoding for {constraint!r}; add one to Encoding.formula")

    def differs(self, banned: Assignment) -> Any:
        """At least one of the given terms takes another value."""
        differences = [self._literal(Literal(t, "!=", value)) for t, value in banned.items()]
        return z3.Or(*differences) if differences else self._false

    def read(self, model: Any) -> dict[str, Value]:
        """The values of a model, in the words of the domains."""
        found: dict[str, Value] = {}
        for term, values in self._domains.items():
            code = model.eval(self._term[term], model_completion=True).as_long()
            found[term] = next(value for value in values if self._code(value) == code)
        return found

    def _literal(self, literal: Literal) -> Any:
        here, value = self._term[literal.term], literal.value
        if isinstance(value, str):
            match literal.op:
                case "=":
                    return here == self._code(value)
                case "!=":
                    return here != self._code(value)
            return self._false
        match literal.op:
            case "=":
                return self._numeric([literal.term], here == value)
            case "!=":
                return z3.Not(self._numeric([literal.term], here == value))
            case "<":
                return self._numeric([literal.term], here < value)
        return self._numeric([literal.term], here > value)

    def _arithmetic(self, form: str, left: str, right: str, k: int) -> Any:
        here, there = self._term[left], self._term[right]
        match form:
            case "offset":
                equation = here == there + k
            case "sum":
                equation = here + there == k
            case _:
                equation = here - there == k
        return self._numeric([left, right], equation)

    def _numeric(self, terms: Sequence[str], formula: Any) -> Any:
        """The formula, and that none of the terms is a name: names have no order and no sum."""
        guards = [
            self._term[term] < self._first_name
            for term in terms
            if any(isinstance(value, str) for value in self._domains[term])
        ]
        return z3.And(*guards, formula) if guards else formula

    def _code(self, value: Value) -> int:
        """A scale's value as it is; a name by order of appearance, beyond every scale."""
        if isinstance(value, int):
            return value
        return self._names.setdefault(value, self._first_name + len(self._names))


def read_outcome(line: str) -> Outcome:
    """The process's answer; raises BadFormat if the line is none."""
    try:
        raw = json.loads(line)
        return Outcome(Answer(raw["answer"]), raw["model"], raw["decisions"], raw["propagations"])
    except (ValueError, KeyError, TypeError) as error:
        raise BadFormat("z3", line, "one JSON object with an answer") from error


def _answer(text: str) -> str:
    asked = read_problem(text)
    outcome = check(
        asked.domains, asked.constraints.values(), banned=asked.banned, rlimit=asked.rlimit
    )
    answer = {
        "answer": outcome.answer,
        "model": outcome.model,
        "decisions": outcome.decisions,
        "propagations": outcome.propagations,
        "version": version(),
    }
    return json.dumps(answer, ensure_ascii=False)


def main() -> int:
    """Answer the problem on standard input; the exit code."""
    try:
        sys.stdout.write(_answer(sys.stdin.read()) + "\n")
    except (BadInput, ValueError, KeyError, TypeError) as error:
        sys.stderr.write(f"z3_check: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
