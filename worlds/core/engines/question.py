"""One problem as a line of JSON, for an engine that runs in a process of its own.

::

    {"domains": {"V0": ["Juno", "Pryce"], …}, "constraints": {"E1": {…}, …},
     "banned": {"V0": "Juno", …} | null, "rlimit": 50000000}

The question is whether there is a model other than `banned`. Constraints have the shape of
`enigmaforge.constraint/1`; `rlimit` is z3's own unit of work, and the other engines pass over it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from worlds.core.constraints import Assignment, Constraint, Value, read_constraint, read_value
from worlds.core.errors import BadFormat

__all__ = ["RLIMIT", "Question", "problem_json", "read_problem"]

RLIMIT = 50_000_000
"""z3's own unit of work; a world of 42 variables takes well under a hundredth of it."""


@dataclass(frozen=True, slots=True)
class Question:
    """A problem that was read: labelled constraints over domains, and what no model may be."""

    domains: Mapping[str, tuple[Value, ...]]
    constraints: Mapping[str, Constraint]
    banned: Assignment | None
    rlimit: int


def problem_json(
    domains: Mapping[str, Sequence[Value]],
    constraints: Mapping[str, Constraint],
    *,
    banned: Assignment | None = None,
    rlimit: int = RLIMIT,
) -> str:
    """One problem as the line that the process reads."""
    return json.dumps(
        {
            "domains": {term: list(values) for term, values in domains.items()},
            "constraints": {label: each.payload() for label, each in constraints.items()},
            "banned": None if banned is None else dict(banned),
            "rlimit": rlimit,
        },
        ensure_ascii=False,
    )


def read_problem(text: str) -> Question:
    """The problem of a line; raises BadInput or ValueError for anything else."""
    match json.loads(text):
        case {
            "domains": dict() as domains,
            "constraints": dict() as constraints,
            "banned": (dict() | None) as banned,
            "rlimit": int() as rlimit,
        }:
            read = {
                term: tuple(read_value(value, f"domains.{term}") for value in values)
                for term, values in domains.items()
            }
            listed = {
                key: read_constraint(raw, f"constraints.{key}") for key, raw in constraints.items()
            }
            return Question(read, listed, banned, rlimit)
    raise BadFormat("problem", text, "domains, constraints, banned and rlimit")
