"""Invented solvers and what they reply, seeded: text of the kinds that models send.

A solver has a skill, which says how often a world and a single fact come out right, and a manner:
bare JSON, JSON after prose, in a fence, after a think block, after a draft. Some replies break off,
some are refused, some hold no answer. Nobody is imitated; what matters for time is how long replies
are, how much of them is JSON and how many of them are wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from worlds.core.constraints import Value
from worlds.core.model import Variable, World
from worlds.core.policy import Action, resolve
from worlds.core.seeds import Stream, derive

__all__ = ["SOLVERS", "Solver", "reply_row"]

_LEAST_SKILL, _MOST_SKILL = 0.1, 0.95
_REFUSED, _FAILED, _TORN, _EMPTY_HANDED = 0.015, 0.01, 0.03, 0.02

_REMARKS = (
    "The note in the margin settles {mark}, I think.",
    "So {mark} cannot be {value}; the ledger and the telegram don't agree otherwise.",
    "If {mark} were {value}, the count on the receipt would be off by one.",
    "Going back to {mark}: two papers point to {value}, and one of them is only hearsay.",
    "Wait. The witness only *says* that {mark} is {value}.",
    "That leaves {value} for {mark} (see the second letter).",
)


@dataclass(frozen=True, slots=True)
class Solver:
    """One invented solver: how good it is, and how it words its replies."""

    name: str
    skill: float
    manner: Callable[[str, str, str], str]


def _bare(_: str, __: str, answer: str) -> str:
    return answer


def _after_prose(prose: str, _: str, answer: str) -> str:
    return f"{prose}\n\n{answer}"


def _fenced(prose: str, _: str, answer: str) -> str:
    return f"{prose}\n\n```json\n{answer}\n```\n"


def _after_thinking(prose: str, _: str, answer: str) -> str:
    return f"<think>\n{prose}\n</think>\n\n{answer}"


def _after_draft(prose: str, draft: str, answer: str) -> str:
    return f"{prose}\nA first version: {draft}\nOn second thoughts:\n\n{answer}"


_MANNERS = (_bare, _after_prose, _fenced, _after_thinking, _after_prose, _fenced, _after_draft)


def _solvers(count: int) -> tuple[Solver, ...]:
    step = (_MOST_SKILL - _LEAST_SKILL) / (count - 1)
    return tuple(
        Solver(f"solver-{n + 1:02}", _LEAST_SKILL + step * n, _MANNERS[n % len(_MANNERS)])
        for n in range(count)
    )


SOLVERS = _solvers(29)
"""From the worst to the best, each manner among the good and the bad."""


def reply_row(solver: Solver, sample_id: str, world: World) -> dict[str, Any]:
    """The row of a plain upload in which the solver replies; the same whenever it is asked."""
    stream = derive(0, "bench reply", solver.name, sample_id)
    row: dict[str, Any] = {"sample_id": sample_id, "model": solver.name, "stop_reason": "stop"}
    if stream.chance(_REFUSED):
        return row | {"completion": "I can't help with that.", "status": "refused"}
    if stream.chance(_FAILED):
        return row | {"completion": None, "error": {"code": "overloaded", "message": "try again"}}
    answer = _dumped(_entries(solver, world, stream))
    draft = _dumped(_entries(solver, world, stream))
    thinks = solver.manner is _after_thinking
    prose = _prose(world, stream.between(40, 120) if thinks else stream.between(3, 25), stream)
    text = solver.manner(prose, draft, answer)
    if stream.chance(_TORN):
        row["stop_reason"] = "length"
        text = text[: len(text) * 2 // 3]
    elif stream.chance(_EMPTY_HANDED):
        text = prose
    usage = {"input_tokens": stream.between(900, 4000), "output_tokens": len(text) // 4}
    return row | {"completion": text, "usage": usage}


def _entries(solver: Solver, world: World, stream: Stream) -> list[list[Value]]:
    exact = stream.chance(solver.skill)
    stated = {
        variable.id: _value(world, variable, exact or stream.chance(solver.skill), stream)
        for variable in stream.shuffled(world.variables)
        if exact or stream.chance(0.95)
    }
    marks = {variable.id: variable.mark for variable in world.variables}
    entries: list[list[Value]] = [[marks[term], "is", value] for term, value in stated.items()]
    if exact or stream.chance(0.9):
        action = _action(world, stated, exact, stream)
        entries.append([action.item, action.verb, action.party])
    return entries


def _value(world: World, variable: Variable, right: bool, stream: Stream) -> Value:
    value = world.solution[variable.id] if right else stream.choice(world.term_values[variable.id])
    return str(value) if stream.chance(0.05) else value


def _action(world: World, stated: Mapping[str, Value], exact: bool, stream: Stream) -> Action:
    """The right action, the superseded rule's, or the rule's on what the reply states."""
    if stream.chance(0.9 if exact else 0.3):
        return world.action
    believed = {**world.truth, **(stated if stream.chance(0.5) else {})}
    rule = world.policy.rule if stream.chance(0.5) else world.policy.provisional
    return resolve(rule.live(believed), believed, world.mark_of)


def _prose(world: World, sentences: int, stream: Stream) -> str:
    said = []
    for _ in range(sentences):
        variable = stream.choice(world.variables)
        value = stream.choice(world.term_values[variable.id])
        said.append(stream.choice(_REMARKS).format(mark=variable.mark, value=value))
    return " ".join(said)


def _dumped(entries: list[list[Value]]) -> str:
    return json.dumps({"answer": entries}, ensure_ascii=False)
