"""Read the formal condition back: the inverse of `formal`, line by line."""

from __future__ import annotations

import re

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
from worlds.core.errors import Unreadable
from worlds.core.policy import Branch, Rule
from worlds.core.prose.formal import SECTIONS
from worlds.core.prose.record import ReadRecord

__all__ = ["read_constraint_text", "read_formal"]

_TERM = r"[A-Z]-?[0-9]+"
_ARITHMETIC = (
    (re.compile(rf"({_TERM}) = ({_TERM}) ([+-]) ([0-9]+)"), "offset"),
    (re.compile(rf"({_TERM}) ([+-]) ({_TERM}) = (-?[0-9]+)"), "sum"),
)
_COMPARISON = re.compile(rf"({_TERM}) (=|!=|<|>) (\S.*)")
_CALL = re.compile(r"(all-different|exactly-one|table)\((.*)\)")
_BRIDGE = re.compile(r'(K[0-9]+) = "(.*)" in (.*)')
_RULE = re.compile(r"(R1, replaced by R2|R2): if (.*) then (.*) else (.*)")
_BRANCH = re.compile(rf"([a-z]+)\(({_TERM}), ({_TERM})\)")


def read_formal(text: str) -> ReadRecord:
    """The record in a formal prompt; raises Unreadable that quotes the line it cannot read."""
    rows = _sections(text)
    rules = dict(_rule(line) for line in rows["RULES"])
    bridges = [_found(_BRIDGE, line) for line in rows["KNOWLEDGE"]]
    return ReadRecord(
        domains=dict(_domain(line) for line in rows["DOMAINS"]),
        variables=dict(_pair(line, " in ") for line in rows["VARIABLES"]),
        clues=tuple(read_constraint_text(line) for line in rows["CONSTRAINTS"]),
        reports=(),
        questions={found[1]: found[2] for found in bridges},
        options={found[1]: tuple(found[3].split("; ")) for found in bridges},
        rule=rules["R2"],
        provisional=rules["R1, replaced by R2"],
    )


def _sections(text: str) -> dict[str, list[str]]:
    rows: dict[str, list[str]] = {}
    for block in text.split("\n\n"):
        head, *lines = block.split("\n")
        if head in SECTIONS:
            rows[head] = lines
    missing = [section for section in SECTIONS if section not in rows]
    if missing:
        raise Unreadable(f"the formal record has no {' and no '.join(missing)}")
    return rows


def _domain(line: str) -> tuple[str, tuple[Value, ...]]:
    name, values = _pair(line, " = ")
    low, dots, high = values.partition(" .. ")
    if dots:
        return name, tuple(range(int(low), int(high) + 1))
    return name, tuple(values.split(", "))


def read_constraint_text(line: str) -> Constraint:
    """One constraint in the notation; raises Unreadable that quotes a line it cannot read."""
    call = _CALL.fullmatch(line)
    if call:
        return _from_call(call[1], call[2])
    if " => " in line:
        return Implication.of(*_row(line))
    for pattern, form in _ARITHMETIC:
        found = pattern.fullmatch(line)
        if found:
            return _arithmetic(form, *found.groups())
    term, op, value = _found(_COMPARISON, line).groups()
    if re.fullmatch(_TERM, value):
        return Equality(term, right=value) if op == "=" else Inequality(op, term, right=value)
    said = _value(value)
    return Equality(term, value=said) if op == "=" else Inequality(op, term, value=said)


def _from_call(name: str, inside: str) -> Constraint:
    if name == "all-different":
        return AllDifferent(tuple(inside.split(", ")))
    parts = inside.split("; ")
    if name == "exactly-one":
        return ExactlyOne(tuple(_literal(part) for part in parts))
    return Implication(tuple(_row(part) for part in parts), is_table=True)


def _arithmetic(form: str, left: str, second: str, third: str, k: str) -> Arithmetic:
    if form == "offset":
        return Arithmetic("offset", left, second, int(k) if third == "+" else -int(k))
    return Arithmetic("sum" if second == "+" else "difference", left, third, int(k))


def _rule(line: str) -> tuple[str, Rule]:
    name, condition, then, otherwise = _found(_RULE, line).groups()
    literals = tuple(_literal(part) for part in condition.split(" and "))
    return name, Rule(literals, _branch(then), _branch(otherwise))


def _branch(text: str) -> Branch:
    return Branch(*_found(_BRANCH, text).groups())


def _row(text: str) -> tuple[Literal, Literal]:
    premise, conclusion = _pair(text, " => ")
    return _literal(premise), _literal(conclusion)


def _literal(text: str) -> Literal:
    term, op, value = _found(_COMPARISON, text).groups()
    return Literal(term, op, _value(value))


def _value(text: str) -> Value:
    return int(text) if text.isdecimal() else text


def _pair(line: str, between: str) -> tuple[str, str]:
    left, found, right = line.partition(between)
    if not found:
        raise Unreadable(f"the formal record has an odd line: {line!r}")
    return left, right


def _found(pattern: re.Pattern[str], line: str) -> re.Match[str]:
    found = pattern.fullmatch(line)
    if found is None:
        raise Unreadable(f"the formal record has an odd line: {line!r}")
    return found
