"""Strategies for small problems, built from constraints directly and not by the generator."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product

from hypothesis import strategies as st

from worlds.core.constraints import (
    OPERATORS,
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

__all__ = ["CLASSES", "Small", "models", "of_class", "random_problem", "small_problems"]

CLASSES = ("equality", "inequality", "implication", "all_different", "exactly_one", "arithmetic")
_NAMES = ("ash", "bay", "cob", "dun", "elm")


@dataclass(frozen=True)
class Small:
    """Domains and labelled constraints."""

    domains: Mapping[str, tuple[Value, ...]]
    constraints: Mapping[str, Constraint]


def models(
    domains: Mapping[str, tuple[Value, ...]], constraints: Iterable[Constraint]
) -> list[dict[str, Value]]:
    """Every assignment on which all constraints hold."""
    required = list(constraints)
    assignments = (dict(zip(domains, each, strict=True)) for each in product(*domains.values()))
    return [a for a in assignments if all(constraint.holds(a) for constraint in required)]


def random_problem(
    stream: random.Random,
    *,
    terms: tuple[int, int] = (1, 5),
    clues: tuple[int, int] = (0, 6),
    planted: bool = False,
) -> Small:
    """Domains of one to five names or numbers, and constraints of any class and any arity.

    Most such problems have no model. With one `planted`, every constraint holds on an assignment
    that was drawn before it.
    """
    domains: dict[str, tuple[Value, ...]] = {}
    for index in range(stream.randint(*terms)):
        size = stream.randint(1, 5)
        low = stream.randint(0, 2)
        named = stream.random() < 0.5
        domains[f"V{index}"] = _NAMES[:size] if named else tuple(range(low, low + size))
    count = stream.randint(*clues)
    if not planted:
        drawn = [of_class(stream.choice(CLASSES), domains, stream) for _ in range(count)]
    else:
        world = {term: stream.choice(values) for term, values in domains.items()}
        drawn = [
            _true_of_class(stream.choice(CLASSES), domains, world, stream) for _ in range(count)
        ]
    return Small(domains, {f"E{i}": constraint for i, constraint in enumerate(drawn)})


def _true_of_class(
    kind: str,
    domains: Mapping[str, tuple[Value, ...]],
    world: Mapping[str, Value],
    stream: random.Random,
) -> Constraint:
    """A constraint of a class that holds on a world; of another class where that one has none."""
    for _ in range(50):
        constraint = of_class(kind, domains, stream)
        if constraint.holds(world):
            return constraint
    term = stream.choice(list(domains))
    return Equality(term, value=world[term])


def of_class(
    kind: str, domains: Mapping[str, tuple[Value, ...]], stream: random.Random
) -> Constraint:
    """A constraint of a class on random terms, which may be one term twice."""
    terms = list(domains)
    left, right = stream.choice(terms), stream.choice(terms)
    value = _value(left, domains, stream)
    match kind:
        case "equality":
            return stream.choice([Equality(left, right=right), Equality(left, value=value)])
        case "inequality":
            op = stream.choice(["!=", "<", ">"])
            other = Inequality(op, left, value=value)
            return stream.choice([Inequality(op, left, right=right), other])
        case "implication":
            rows = stream.choice([1, 1, 2, 4])
            pairs = [(_literal(domains, stream), _literal(domains, stream)) for _ in range(rows)]
            return Implication(tuple(pairs), is_table=rows > 1)
        case "all_different":
            return AllDifferent(tuple(stream.choice(terms) for _ in range(stream.randint(2, 5))))
        case "exactly_one":
            size = stream.randint(1, 5)
            return ExactlyOne(tuple(_literal(domains, stream) for _ in range(size)))
        case _:
            form = stream.choice(["offset", "sum", "difference"])
            return Arithmetic(form, left, right, stream.randint(-2, 7))


def _literal(domains: Mapping[str, tuple[Value, ...]], stream: random.Random) -> Literal:
    term = stream.choice(list(domains))
    return Literal(term, stream.choice(OPERATORS), _value(term, domains, stream))


def _value(term: str, domains: Mapping[str, tuple[Value, ...]], stream: random.Random) -> Value:
    """Mostly a value of the term's domain, now and then one outside it."""
    return stream.choice([*domains[term], *domains[term], "nobody", 9])


small_problems = st.integers(0, 2**40).map(lambda seed: random_problem(random.Random(seed)))
"""Hypothesis finds the seed; a failing seed is kept as an `@example`."""
