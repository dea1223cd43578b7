"""Worlds small enough to list every assignment, with statements of every class and no taste.

Unlike forged ones, they hold implications that are true for want of a premise, rules that turn on
one step, and reports of any kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

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
from worlds.core.engines.enumeration import enumerate_models
from worlds.core.model import Bridge, DistractorKind, Domain, Unit, UnitRole, Variable, World
from worlds.core.policy import Branch, Policy, Rule
from worlds.core.seeds import Stream, derive

__all__ = ["CREW", "DOMAINS", "fitting", "framed", "small_world", "world_of"]

CREW = ("Ann", "Bob", "Cid")
DOMAINS = (Domain("crew", CREW), Domain("gauge", (1, 2, 3, 4)), Domain("notch", (1, 2, 3)))
_TERMS = {"V0": "crew", "V1": "crew", "V2": "gauge", "V3": "gauge", "V4": "notch", "V5": "notch"}
_VARIABLES = tuple(
    Variable(term, f"M-{10 + i}", f"the {domain} {term}", domain)
    for i, (term, domain) in enumerate(_TERMS.items())
)
_VALUES = {term: next(d.values for d in DOMAINS if d.name == name) for term, name in _TERMS.items()}
_BRIDGE = Bridge("K0", "Who?", "Right", ("False", "Wrong"), "essential", "a book")


def world_of(
    clues: Sequence[Constraint],
    rule: Rule,
    provisional: Rule | None = None,
    *,
    reports: Sequence[Constraint] = (),
    bridges: tuple[Bridge, ...] = (),
) -> World:
    """A world over V0, V1 (crew), V2, V3 (gauge), V4, V5 (notch) without any frame or order.

    What the clues say nothing about has one value. Its solution is the one that the clues leave.
    """
    named = {term for each in clues for term in each.scope} | set(rule.scope)
    named |= {branch.item for branch in (rule.then, rule.otherwise)}
    variables = tuple(v for v in _VARIABLES if v.id in named)
    domains = {v.id: _VALUES[v.id] for v in variables}
    known = {bridge.id: (bridge.answer,) for bridge in bridges}
    (solution,) = enumerate_models({**domains, **known}, clues)
    truth = {v.id: solution[v.id] for v in variables}
    units = [Unit(f"E{i}", "clue", constraint=each) for i, each in enumerate(clues, 1)]
    for i, each in enumerate(reports, len(units) + 1):
        kind: DistractorKind = "idle" if each.holds(truth) else "false"
        units.append(Unit(f"E{i}", "distractor", hypothesis=each, kind=kind))
    policy = Policy(rule, provisional or rule)
    return World(DOMAINS, variables, bridges, tuple(units), variables[0].id, policy, truth)


def framed(world: World) -> World:
    """The world with a frame unit for every domain and one for testimony, and with its orders."""
    frames: list[UnitRole] = ["frame"] * (len(world.domains) + 1)
    orders: tuple[UnitRole, ...] = ("objective", "provisional", "policy")
    first = len(world.units) + 1
    added = (Unit(f"E{i}", role) for i, role in enumerate((*frames, *orders), first))
    return replace(world, units=(*world.units, *added))


def small_world(seed: int) -> World:
    """A unique world in which every clue is needed, drawn without regard for anything else."""
    stream = derive(seed, "small world")
    truth = {term: stream.choice(values) for term, values in _VALUES.items()}
    believed = {**truth, _BRIDGE.id: _BRIDGE.answer}
    domains = {**_VALUES, _BRIDGE.id: (_BRIDGE.answer,)}
    clues: list[Constraint] = []
    left = list(enumerate_models(domains, ()))
    while len(left) > 1:
        clue = _true(stream, believed)
        cut = [model for model in left if clue.holds(model)]
        if len(cut) < len(left):
            clues.append(clue)
            left = cut
    for clue in stream.shuffled(clues):
        others = [other for other in clues if other is not clue]
        if len(fitting(domains, [other.holds for other in others], 2)) == 1:
            clues = others
    tabled = any(_BRIDGE.id in clue.scope for clue in clues)
    return world_of(
        clues,
        _rule(stream),
        _rule(stream),
        reports=[_any(stream) for _ in range(stream.below(4))],
        bridges=(_BRIDGE,) if tabled else (),
    )


def fitting(
    domains: Mapping[str, Sequence[Value]],
    said: Sequence[Callable[[Assignment], bool]],
    most: int | None = None,
) -> list[dict[str, Value]]:
    """Every assignment of which all that is said is true, or the first few."""
    found = []
    for model in enumerate_models(domains, ()):
        if all(each(model) for each in said):
            found.append(model)
            if len(found) == most:
                break
    return found


def _rule(stream: Stream) -> Rule:
    condition = tuple(_literal(stream) for _ in range(1 + stream.below(2)))
    item = stream.choice(list(_TERMS))
    then, otherwise = (stream.choice(["V0", "V1"]) for _ in range(2))
    return Rule(condition, Branch("keep", item, then), Branch("send", item, otherwise))


def _true(stream: Stream, truth: Assignment) -> Constraint:
    while True:
        found = _table(stream, truth) if stream.chance(0.1) else _any(stream)
        if found.holds(truth):
            return found


def _table(stream: Stream, truth: Assignment) -> Constraint:
    term = stream.choice(list(_TERMS))
    wrong = stream.shuffled([value for value in _VALUES[term] if value != truth[term]])
    values = [truth[term], *wrong]
    rows = zip((_BRIDGE.answer, *_BRIDGE.alternatives), values, strict=False)
    told = ((Literal(_BRIDGE.id, "=", k), Literal(term, "=", v)) for k, v in rows)
    return Implication(tuple(told), is_table=True)


def _literal(stream: Stream) -> Literal:
    term = stream.choice(list(_TERMS))
    ops = ("=", "!=") if _TERMS[term] == "crew" else ("=", "!=", "<", ">")
    return Literal(term, stream.choice(ops), stream.choice(_VALUES[term]))


def _any(stream: Stream) -> Constraint:
    scale = stream.choice([["V2", "V3"], ["V4", "V5"]])
    pair = stream.shuffled(stream.choice([["V0", "V1"], scale]))
    match stream.below(8):
        case 0:
            return Equality(pair[0], value=stream.choice(_VALUES[pair[0]]))
        case 1:
            return Equality(*pair) if stream.chance(0.5) else AllDifferent(tuple(pair))
        case 2:
            return Inequality(stream.choice("<>"), *stream.shuffled(scale))
        case 3:
            literal = _literal(stream)
            op = "!=" if literal.op == "=" else literal.op
            return Inequality(op, literal.term, value=literal.value)
        case 4 | 5:
            return Implication.of(_literal(stream), _literal(stream))
        case 6:
            return ExactlyOne(tuple(_literal(stream) for _ in range(2 + stream.below(2))))
    form = stream.choice(["offset", "sum", "difference"])
    k = 2 + stream.below(5) if form == "sum" else stream.below(7) - 3
    return Arithmetic(form, *stream.shuffled(scale), k)
