"""Solvers whose score is known beforehand, graded through the path of an upload.

A control turns an instance into a reply, as text; from there nothing knows that it is a control.
The exact ones must come out at counts that are known without running them, compared with `==`. If
one does not, the grader, the prose or a proof is broken, and the board is void.

The drafting hedger writes one complete answer after the other until every option of every fact has
been said, with the right ones and the right action first, and ends on one that is wrong throughout:
whatever it earns, a grader gives for drafts.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from grading.core.records import GradedRow
from worlds.core.bridges import bank
from worlds.core.constraints import Equality, Value
from worlds.core.engines import problem_of
from worlds.core.engines.dpll import Dpll
from worlds.core.instance import Instance
from worlds.core.model import World
from worlds.core.packs import pack
from worlds.core.policy import Action, resolve
from worlds.core.prose.reader import read_prompt
from worlds.core.seeds import derive

__all__ = [
    "CONTROLS",
    "EXPECTED",
    "Control",
    "ControlResult",
    "check_control",
    "majority_control",
    "reader_reply",
]

Reply = Callable[[Instance], str]


@dataclass(frozen=True, slots=True)
class Control:
    """A solver of ours; an `exact` one has expected counts in `EXPECTED`."""

    name: str
    label: str
    exact: bool
    reply: Reply


@dataclass(frozen=True, slots=True)
class ControlResult:
    """What a control's rows came to; `ok` is always true of one that is only reported."""

    name: str
    exact: bool
    ok: bool
    expected: Mapping[str, int]
    found: Mapping[str, int]


def check_control(control: Control, rows: Sequence[GradedRow]) -> ControlResult:
    """Add up a control's rows and compare the counts. No rows at all are never right."""
    found = {
        "records": len(rows),
        "answered": sum(row.status.is_scored for row in rows),
        "facts": sum(row.n for row in rows),
        "stated": sum(row.stated for row in rows),
        "right": sum(row.tp for row in rows),
        "worlds": sum(row.world_exact for row in rows),
        "actions": sum(row.action_correct for row in rows),
        "consistent": sum(row.policy_consistent is True for row in rows),
        "successes": sum(row.task_success for row in rows),
    }
    if not control.exact:
        return ControlResult(control.name, False, True, {}, found)
    wanted = EXPECTED[control.name]
    sizes = {"all": len(rows), "facts": found["facts"], "none": 0}
    expected = {count: sizes[size] for count, size in wanted.items()}
    expected["answered"] = len(rows)
    ok = bool(rows) and all(found[count] == size for count, size in expected.items())
    return ControlResult(control.name, True, ok, expected, found)


def majority_control(instances: Iterable[Instance]) -> Control:
    """Of each domain the value that is right most often in the corpus, and the commonest verb."""
    values: Counter[Value] = Counter()
    verbs: Counter[str] = Counter()
    for instance in instances:
        values.update(instance.world.solution.values())
        verbs[instance.world.action.verb] += 1

    def reply(instance: Instance) -> str:
        world = instance.world
        facts = {
            v.id: max(world.term_values[v.id], key=lambda value: values[value])
            for v in world.variables
        }
        actions = [replace(one, party=facts[party]) for one, party in _branches(world)]
        return _written(world, facts, [max(actions, key=lambda action: verbs[action.verb])])

    return Control("majority", "Majority: the commonest value and verb", False, reply)


def _written(world: World, facts: Mapping[str, Value], actions: Iterable[Action]) -> str:
    """A reply that follows the contract."""
    return _answer([*_entries(world, facts), *(_entry(action) for action in actions)])


def _answer(entries: Sequence[Sequence[object]]) -> str:
    return json.dumps({"answer": entries}, ensure_ascii=False)


def _entries(world: World, facts: Mapping[str, Value]) -> list[list[Any]]:
    return [[v.mark, "is", facts[v.id]] for v in world.variables if v.id in facts]


def _entry(action: Action) -> list[Any]:
    return [action.item, action.verb, action.party]


def _solver(instance: Instance) -> str:
    world = instance.world
    return _written(world, world.solution, [world.action])


def reader_reply(instance: Instance) -> str:
    """Solve the instance from its prompt alone; only the bridges' answers are given.

    Raises Unreadable when the prompt does not read back, which no certified instance's does.
    """
    record = read_prompt(instance.prompt, pack(instance.id.family.genre), bank())
    answers = {bridge.question: bridge.answer for bridge in instance.world.bridges}
    problem = record.problem(answers)
    engine = Dpll(problem.domains)
    for label, constraint in problem.constraints.items():
        engine.add(label, constraint)
    model = engine.solve(problem.constraints).model
    if model is None:
        return ""
    facts = [[mark, "is", model[mark]] for mark in record.marks]
    action = resolve(record.rule.live(model), model, str)
    return _answer([*facts, _entry(action)])


def _copier(instance: Instance) -> str:
    return instance.prompt


def _provisional(instance: Instance) -> str:
    world = instance.world
    branch = world.policy.provisional.live(world.truth)
    return _written(world, world.solution, [resolve(branch, world.truth, world.mark_of)])


def _lists(instance: Instance) -> str:
    """Every option as a list where one value belongs."""
    world = instance.world
    facts: list[list[Any]] = [
        [v.mark, "is", list(world.term_values[v.id])] for v in world.variables
    ]
    action = world.action
    parties = list(dict.fromkeys(option.party for option in _options(world)))
    return _answer([*facts, [action.item, action.verb, parties]])


def _alternatives(instance: Instance) -> str:
    """Every option in one text, joined by "or"."""
    world = instance.world
    facts: list[list[Any]] = [
        [v.mark, "is", " or ".join(map(str, world.term_values[v.id]))] for v in world.variables
    ]
    action = world.action
    parties = dict.fromkeys(str(option.party) for option in _options(world))
    return _answer([*facts, [action.item, action.verb, " or ".join(parties)]])


def _repeated_entries(instance: Instance) -> str:
    """Every option as an entry of its own."""
    world = instance.world
    facts = [[v.mark, "is", value] for v in world.variables for value in world.term_values[v.id]]
    return _answer([*facts, *(_entry(option) for option in _options(world))])


def _repeated_keys(instance: Instance) -> str:
    """One object that gives `answer` again and again, the right one among them."""
    members = ", ".join(text[1:-1] for text in _drafts(instance.world))
    return "{" + members + "}"


def _permutations(instance: Instance) -> str:
    """One complete answer after the other; the last is wrong throughout."""
    return "\n\n".join(_drafts(instance.world))


def _drafts(world: World) -> list[str]:
    """Answers that together say every option of every fact; the first is right, the last wrong.

    Draft number i gives each mark the option i places after its right value. The number of the
    last one is no multiple of a domain's size, so there every mark has a wrong value.
    """
    options = [option for option in _options(world) if option != world.action]
    sizes = {len(values) for v in world.variables if len(values := world.term_values[v.id]) > 1}
    count = max(sizes, default=1)
    while any(count % size == 0 for size in sizes):
        count += 1
    drafts = [_rotated(world, i) for i in range(count + 1)]
    actions = [world.action, *(options[i % len(options)] for i in range(count))]
    believed = {**drafts[-1], **world.knowledge}
    consistent = world.action_on(believed)
    actions[-1] = next(option for option in options if option != consistent)
    return [_written(world, facts, [act]) for facts, act in zip(drafts, actions, strict=True)]


def _rotated(world: World, places: int) -> dict[str, Value]:
    """Each variable's value so many places after its true one."""
    facts = {}
    for variable in world.variables:
        values = world.term_values[variable.id]
        right = values.index(world.solution[variable.id])
        facts[variable.id] = values[(right + places) % len(values)]
    return facts


def _empty(_: Instance) -> str:
    return ""


def _example(instance: Instance) -> str:
    """The format example of the contract: as it is printed, then as proper JSON."""
    entry = ["<reference mark>", "<word>", "<value>"]
    head, _, rest = instance.prompt.rpartition('{"answer": [')
    printed = '{"answer": [' + rest.partition("}")[0] + "}" if head else ""
    return f"{printed}\n{_answer([entry])}"


def _chance(instance: Instance) -> str:
    world = instance.world
    stream = derive(0, "control", "chance", str(instance.id))
    facts = {v.id: stream.choice(world.term_values[v.id]) for v in world.variables}
    return _written(world, facts, [stream.choice(_options(world))])


def _direct(instance: Instance) -> str:
    """What the record states outright, and the action if that decides it."""
    facts = {
        clue.constraint.left: clue.constraint.value
        for clue in instance.world.clues
        if isinstance(clue.constraint, Equality) and clue.constraint.value is not None
    }
    return _concluded(instance.world, facts)


def _forward(instance: Instance) -> str:
    """What unit propagation finds, without a single case split."""
    problem = problem_of(instance.world)
    engine = Dpll(problem.domains)
    for label, constraint in problem.constraints.items():
        engine.add(label, constraint)
    return _concluded(instance.world, engine.propagate(problem.constraints).facts)


def _concluded(world: World, facts: Mapping[str, Value]) -> str:
    """The facts, and the action if the rule can be applied to them."""
    rule = world.policy.rule
    actions = []
    if all(literal.term in facts for literal in rule.condition):
        branch = rule.live(facts)
        if branch.party in facts:
            actions.append(resolve(branch, facts, world.mark_of))
    return _written(world, facts, actions)


def _branches(world: World) -> list[tuple[Action, str]]:
    """The branches of both rules as actions on the true world, each with its party's variable."""
    policy = world.policy
    branches = (
        policy.rule.then,
        policy.rule.otherwise,
        policy.provisional.then,
        policy.provisional.otherwise,
    )
    return [(resolve(one, world.truth, world.mark_of), one.party) for one in branches]


def _options(world: World) -> list[Action]:
    """Every action that can be made of the rules' verbs, items and possible parties, in order."""
    branches = _branches(world)
    verbs = dict.fromkeys(action.verb for action, _ in branches)
    items = dict.fromkeys(action.item for action, _ in branches)
    parties = dict.fromkeys(value for _, party in branches for value in world.term_values[party])
    return [Action(*option) for option in product(verbs, items, parties)]


CONTROLS: tuple[Control, ...] = (
    Control("solver", "Solver: perfect information", True, _solver),
    Control("reader", "Reader: the prompt text only", True, reader_reply),
    Control("copier", "Copier: echoes the prompt", True, _copier),
    Control("provisional", "Follower of the superseded rule", True, _provisional),
    Control("hedger-lists", "Hedger: every option as a list", True, _lists),
    Control("hedger-or", "Hedger: every option joined by “or”", True, _alternatives),
    Control("hedger-entries", "Hedger: every option as an entry", True, _repeated_entries),
    Control("hedger-keys", "Hedger: one key again and again", True, _repeated_keys),
    Control("hedger-drafts", "Hedger: every option in turn", True, _permutations),
    Control("empty", "Empty reply", True, _empty),
    Control("example", "The prompt's own format example", True, _example),
    Control("chance", "Chance: random values and action", False, _chance),
    Control("direct", "Direct: only what is stated outright", False, _direct),
    Control("forward", "Forward chaining: unit propagation alone", False, _forward),
)
"""Every control that needs no more than an instance, the exact ones first."""

_PERFECT = {
    "stated": "facts",
    "right": "facts",
    "worlds": "all",
    "actions": "all",
    "consistent": "all",
    "successes": "all",
}
_NOTHING = {
    "right": "none",
    "worlds": "none",
    "actions": "none",
    "consistent": "none",
    "successes": "none",
}
EXPECTED: Mapping[str, Mapping[str, str]] = {
    "solver": _PERFECT,
    "reader": _PERFECT,
    "copier": _NOTHING,
    "provisional": {
        **_PERFECT,
        "actions": "none",
        "consistent": "none",
        "successes": "none",
    },
    "hedger-lists": _NOTHING,
    "hedger-or": _NOTHING,
    "hedger-entries": _NOTHING,
    "hedger-keys": _NOTHING,
    "hedger-drafts": _NOTHING,
    "empty": _NOTHING,
    "example": _NOTHING,
}
"""What each exact control's counts must be: `all` records, all `facts`, or `none`."""
