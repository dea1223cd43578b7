"""Whether two worlds are one up to names and order, found by trying to match them node by node.

The slow and certain way to what a fingerprint hashes: terms, names and the options of bridges are
matched by backtracking, and in the end every statement of the one world must be one of the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from worlds.core.constraints import (
    AllDifferent,
    Arithmetic,
    Constraint,
    Equality,
    ExactlyOne,
    Implication,
    Inequality,
    Literal,
    Value,
)
from worlds.core.model import World
from worlds.core.policy import Rule

__all__ = ["are_isomorphic"]

Node = tuple[str, ...]
Told = tuple[Any, ...]
"""A statement as nested tuples; a part that begins with "any order" has its rest in any order."""


def are_isomorphic(one: World, other: World) -> bool:
    """Whether renaming variables, names, bridges and options turns one world into the other."""
    here, there = list(_statements(one)), list(_statements(other))
    mine, theirs = _places(here), _places(there)
    if Counter(mine.values()) != Counter(theirs.values()):
        return False
    alike = {node: [n for n, place in theirs.items() if place == mine[node]] for node in mine}
    order = sorted(mine, key=lambda node: (len(alike[node]), node))
    return _matches(order, alike, here, Counter(_named(told, {}) for told in there))


def _matches(
    order: list[Node],
    alike: Mapping[Node, list[Node]],
    here: list[Told],
    wanted: Counter[Any],
) -> bool:
    """Match the nodes in order, going back when a statement that is matched is not wanted."""
    due: dict[Node, list[Told]] = {node: [] for node in order}
    for told in here:
        due[max(_nodes(told), key=order.index)].append(told)
    choices = [iter(alike[order[0]])]
    matched: dict[Node, Node] = {}
    while choices:
        node = order[len(choices) - 1]
        matched.pop(node, None)
        taken = set(matched.values())
        chosen = next((n for n in choices[-1] if n not in taken), None)
        if chosen is None:
            choices.pop()
            continue
        matched[node] = chosen
        if all(_named(told, matched) in wanted for told in due[node]):
            if len(choices) < len(order):
                choices.append(iter(alike[order[len(choices)]]))
            elif Counter(_named(told, matched) for told in here) == wanted:
                return True
    return False


def _statements(world: World) -> Iterator[Told]:
    for term, values in world.term_values.items():
        yield "domain", _term(term), ("any order", *(_value(term, value) for value in values))
    for unit in world.clues:
        assert unit.constraint is not None
        yield _clue(unit.constraint)
    for bridge in world.bridges:
        yield bridge.role, _term(bridge.id), _value(bridge.id, bridge.answer)
    yield "rule", *_rule(world.policy.rule)
    yield "provisional", *_rule(world.policy.provisional)


def _rule(rule: Rule) -> Told:
    branches = (_term(t) for b in (rule.then, rule.otherwise) for t in (b.item, b.party))
    return (("any order", *map(_literal, rule.condition)), *branches)


def _clue(constraint: Constraint) -> Told:
    match constraint:
        case Equality(left, None, value):
            return "is", _term(left), _value(left, value)
        case Equality(left, right):
            return "is also", ("any order", _term(left), _term(right))
        case Inequality(op, left, None, value):
            return op, _term(left), _value(left, value)
        case Inequality("!=", left, right):
            return "is not", ("any order", _term(left), _term(right))
        case Inequality(op, left, right):
            return "lower", *(
                (_term(left), _term(right)) if op == "<" else (_term(right), _term(left))
            )
        case Implication(rows):
            return "if", ("any order", *((_literal(p), _literal(c)) for p, c in rows))
        case AllDifferent(terms):
            return "differ", ("any order", *map(_term, terms))
        case ExactlyOne(literals):
            return "one", ("any order", *map(_literal, literals))
        case Arithmetic("sum", left, right, k):
            return "sum", ("any order", _term(left), _term(right)), k
        case Arithmetic(form, left, right, k):
            return form, _term(left), _term(right), k
    raise TypeError(f"no statement for {constraint!r}")


def _literal(literal: Literal) -> Told:
    return _term(literal.term), literal.op, _value(literal.term, literal.value)


def _term(term: str) -> Node:
    return "node", "term", term


def _value(term: str, value: Value | None) -> Node | int:
    """Numbers stand for themselves; a bridge's options are its own."""
    if isinstance(value, int):
        return value
    return ("node", "option", term, str(value)) if term[0] == "K" else ("node", "name", str(value))


def _nodes(told: Any) -> Iterable[Node]:
    if isinstance(told, tuple):
        if told and told[0] == "node":
            yield told
        else:
            for part in told:
                yield from _nodes(part)


def _named(told: Any, names: Mapping[Node, Node], blank: bool = False) -> Any:
    """A statement in other names, or with all nodes blank, such that equal ones compare equal."""
    if not isinstance(told, tuple):
        return told
    if told[0] == "node":
        return told[1] if blank else names.get(told, told)
    parts = [_named(part, names, blank) for part in told]
    return frozenset(Counter(parts).items()) if told[0] == "any order" else tuple(parts)


def _places(statements: list[Told]) -> dict[Node, Any]:
    """How often every node stands in which kind of statement: what a renaming cannot change."""
    places: dict[Node, Counter[Any]] = {}
    for told in statements:
        kind = _named(told, {}, blank=True)
        for node in _nodes(told):
            places.setdefault(node, Counter())[node[1], kind] += 1
    return {node: frozenset(counted.items()) for node, counted in places.items()}
