"""DPLL or the oracle as a process of its own, which its caller can kill at any time.

`python -m worlds.core.engines.native_check dpll` (or `oracle`) reads one problem from standard
input, in the form that `question` tells, and writes one line::

    out  {"answer": "sat" | "unsat" | "unknown", "decisions": 12, "propagations": 345}   dpll
         {"answer": "sat" | "unsat" | "unknown", "models": 1}                            oracle

`models` counts those of the constraints alone, `banned` among them. It exits with 0 when it wrote
an answer, also an unknown one, and with 2 and one line on standard error when engine or problem are
not of this form.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence

from worlds.core.constraints import Equality
from worlds.core.engines import Answer
from worlds.core.engines.dpll import Dpll
from worlds.core.engines.oracle import Oracle
from worlds.core.engines.question import Question, read_problem
from worlds.core.errors import BadFormat, BadInput

__all__ = ["ask_dpll", "ask_oracle", "main"]

_BAN = "another model"

Told = Mapping[str, str | int]


def ask_dpll(question: Question) -> Told:
    """Whether there is a model other than the banned one; unknown if the budget runs out."""
    engine = Dpll(question.domains)
    for label, constraint in question.constraints.items():
        engine.add(label, constraint)
    active = list(question.constraints)
    if question.banned is not None:
        engine.ban(_BAN, question.banned)
        active.append(_BAN)
    outcome = engine.solve(active)
    return {
        "answer": outcome.answer,
        "decisions": outcome.decisions,
        "propagations": outcome.propagations,
    }


def ask_oracle(question: Question) -> Told:
    """How many models there are, and whether any is left without those that `banned` describes.

    Unknown, and no count, if elimination is over its width.
    """
    oracle = Oracle(question.domains)
    constraints = list(question.constraints.values())
    models = oracle.count(constraints)
    banned: int | None = 0
    if question.banned is not None:
        pins = [Equality(term, value=value) for term, value in question.banned.items()]
        banned = oracle.count([*constraints, *pins])
    if models is None or banned is None:
        return {"answer": Answer.UNKNOWN}
    return {"answer": Answer.SAT if models > banned else Answer.UNSAT, "models": models}


_ENGINES: Mapping[str, Callable[[Question], Told]] = {"dpll": ask_dpll, "oracle": ask_oracle}


def main(arguments: Sequence[str]) -> int:
    """Answer the problem on standard input with the named engine; the exit code."""
    try:
        name = arguments[0] if len(arguments) == 1 else ""
        if name not in _ENGINES:
            raise BadFormat("engine", name, " or ".join(_ENGINES))
        told = _ENGINES[name](read_problem(sys.stdin.read()))
        sys.stdout.write(json.dumps(told) + "\n")
    except (BadInput, ValueError, KeyError, TypeError) as error:
        sys.stderr.write(f"native_check: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
