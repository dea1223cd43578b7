"""A world's fingerprint: one hash for all worlds that differ only in names and in order.

Colour refinement (Weisfeiler–Leman) on the graph of terms, values and statements: every node is
rehashed with the places where it stands, until no more nodes can be told apart. Renaming variables
or names and reordering clues moves no colour; the integers of a scale keep their meaning, since
their order and sums do.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

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

__all__ = ["fingerprint"]


@dataclass(frozen=True, slots=True)
class _Node:
    """A place in a statement: a leaf names a node of the graph or a fixed word.

    The children of an unordered node may be told in any order.
    """

    children: tuple[_Node, ...] = ()
    ordered: bool = True
    leaf: str = ""


Colours = Mapping[str, str]


def fingerprint(world: World) -> str:
    """The fingerprint as 64 hex digits; a few milliseconds for 42 variables."""
    statements = _statements(world)
    colours = _initial(world)
    classes = 0
    while len(set(colours.values())) > classes:
        classes = len(set(colours.values()))
        beside = defaultdict(list)
        for statement in statements:
            for leaf, place in _places(statement, _colour(statement, colours), colours):
                beside[leaf].append(place)
        colours = {node: _hash(colour, *sorted(beside[node])) for node, colour in colours.items()}
    told = sorted(_colour(statement, colours) for statement in statements)
    return hashlib.sha256("\n".join(told).encode("ascii")).hexdigest()


def _initial(world: World) -> dict[str, str]:
    """Terms by the sort and size of their domain; names all alike."""
    colours = {}
    for term, values in world.term_values.items():
        sort = "ordinal" if isinstance(values[0], int) else "name"
        colours[term] = _hash(term[0], sort, str(len(values)))
        colours.update({_value(term, v).leaf: _hash("value") for v in values if isinstance(v, str)})
    return colours


def _statements(world: World) -> list[_Node]:
    """All that distinguishes a world: domains, clues, right answers, and the two rules."""
    told = [
        _ordered("domain", _word(term), _unordered(*(_value(term, v) for v in values)))
        for term, values in world.term_values.items()
    ]
    told += [_ordered("clue", _tree(u.constraint)) for u in world.clues if u.constraint is not None]
    told += [_ordered(b.role, _word(b.id), _value(b.id, b.answer)) for b in world.bridges]
    told.append(_ordered("rule", _rule(world.policy.rule)))
    told.append(_ordered("provisional", _rule(world.policy.provisional)))
    return told


def _rule(rule: Rule) -> _Node:
    branches = [_word(t) for b in (rule.then, rule.otherwise) for t in (b.item, b.party)]
    return _ordered(_unordered(*(_literal(literal) for literal in rule.condition)), *branches)


def _tree(constraint: Constraint) -> _Node:
    """A constraint with the order of its parts kept only where it means something."""
    match constraint:
        case Equality(left, None, value) if value is not None:
            return _ordered("is", _word(left), _value(left, value))
        case Equality(left, str() as right):
            return _ordered("same", _unordered(_word(left), _word(right)))
        case Inequality(op, left, None, value) if value is not None:
            return _ordered(op, _word(left), _value(left, value))
        case Inequality("!=", left, str() as right):
            return _ordered("differ", _unordered(_word(left), _word(right)))
        case Inequality(op, left, str() as right):
            lower, higher = (left, right) if op == "<" else (right, left)
            return _ordered("less", _word(lower), _word(higher))
        case Implication(rows):
            return _ordered(
                "if", _unordered(*(_ordered(_literal(p), _literal(c)) for p, c in rows))
            )
        case AllDifferent(terms):
            return _ordered("different", _unordered(*(_word(term) for term in terms)))
        case ExactlyOne(literals):
            return _ordered("one", _unordered(*(_literal(literal) for literal in literals)))
        case Arithmetic("sum", left, right, k):
            return _ordered("sum", _unordered(_word(left), _word(right)), str(k))
        case Arithmetic(form, left, right, k):
            return _ordered(form, _word(left), _word(right), str(k))
    raise TypeError(f"no fingerprint for {constraint!r}")


def _literal(literal: Literal) -> _Node:
    return _ordered(_word(literal.term), literal.op, _value(literal.term, literal.value))


def _value(term: str, value: Value) -> _Node:
    """A value as a leaf: integers stand for themselves, a bridge's options for that bridge."""
    if isinstance(value, int):
        return _word(str(value))
    return _word(f"{term}={value}" if term.startswith("K") else f"={value}")


def _word(leaf: str) -> _Node:
    return _Node(leaf=leaf)


def _ordered(*parts: _Node | str) -> _Node:
    return _Node(tuple(_word(part) if isinstance(part, str) else part for part in parts))


def _unordered(*parts: _Node) -> _Node:
    return _Node(parts, ordered=False)


def _colour(node: _Node, colours: Colours) -> str:
    if not node.children:
        return colours.get(node.leaf, node.leaf)
    parts: Sequence[str] = [_colour(child, colours) for child in node.children]
    return _hash("seq", *parts) if node.ordered else _hash("set", *sorted(parts))


def _places(node: _Node, context: str, colours: Colours) -> Iterator[tuple[str, str]]:
    """Every leaf that is a node of the graph, with a hash of where it stands."""
    if not node.children:
        if node.leaf in colours:
            yield node.leaf, context
        return
    for index, child in enumerate(node.children):
        place = str(index) if node.ordered else _colour(child, colours)
        yield from _places(child, _hash(context, place), colours)


def _hash(*parts: str) -> str:
    return hashlib.blake2b("\x1f".join(parts).encode("utf-8"), digest_size=12).hexdigest()
