"""Which form of wording says which constraint, with which slots: both ways.

`phrasings` turns a constraint over marks into every (form, bindings) that says it, `build` turns
form and bindings back. Legend of bindings: `a`, `b` marks; `v` a name or number; `k` a positive
number of steps or a sum; `p`–`s` literals; `all` marks; `rows` pairs (option, name); `fact` a key
of the bridge bank; `then`, `else`, `item` marks of an order, `then.verb`, `else.verb` its verbs.
"""

from __future__ import annotations

from collections.abc import Mapping
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
)
from worlds.core.errors import Unrenderable
from worlds.core.lexicon import Measure
from worlds.core.policy import Branch, Rule
from worlds.core.prose.lexis import Lexis

__all__ = [
    "LITERAL_SLOTS",
    "ORDINAL_FORMS",
    "Env",
    "build",
    "build_literal",
    "build_rule",
    "conditions_of",
    "literal_form",
    "phrasings",
]

Env = dict[str, Any]
"""Bindings of slots; see the legend above."""

LITERAL_SLOTS = ("p", "q", "r", "s")

ORDINAL_FORMS = {
    "pin_ordinal",
    "same_ordinal",
    "not_ordinal",
    "differ_ordinal",
    "less_value",
    "more_value",
    "less",
    "more",
    "all_different_ordinal",
    "offset_more",
    "offset_less",
    "sum",
    "difference",
    "ordinal_is",
    "ordinal_not",
    "ordinal_less",
    "ordinal_more",
}
_TO_VALUE = {"=": "pin", "!=": "not"}
_TO_TERM = {"=": "same", "!=": "differ"}
_LITERAL_OPS = {"is": "=", "not": "!=", "less": "<", "more": ">"}
_OP_WORDS = {op: word for word, op in _LITERAL_OPS.items()}


def literal_form(literal: Literal) -> str:
    """The form of a literal: `person_is`, `ordinal_less` and so on."""
    sort = "ordinal" if isinstance(literal.value, int) else "person"
    return f"{sort}_{_OP_WORDS[literal.op]}"


def build_literal(form: str, env: Env) -> Literal:
    """The literal over marks that a literal wording says."""
    return Literal(env["a"], _LITERAL_OPS[form.rpartition("_")[2]], env["v"])


def build_rule(env: Env) -> Rule:
    """The rule over marks that a provisional or policy wording says."""
    condition = tuple(env[slot] for slot in LITERAL_SLOTS if slot in env)
    then, otherwise = (
        Branch(env[f"{side}.verb"], env["item"], env[side]) for side in ("then", "else")
    )
    return Rule(condition, then, otherwise)


def phrasings(constraint: Constraint, lexis: Lexis) -> tuple[tuple[str, Env], ...]:
    """Every form and bindings that say this constraint over marks, in a fixed order."""
    match constraint:
        case Equality(left=left, right=str() as right):
            return _either_way(_TO_TERM["="], left, right, lexis)
        case Equality(left=left, value=value):
            return ((_sorted(_TO_VALUE["="], left, lexis), {"a": left, "v": value}),)
        case Inequality():
            return _inequality(constraint, lexis)
        case Implication(rows=rows, is_table=True):
            return (_table(rows),)
        case Implication(premise=premise, conclusion=conclusion):
            return (("implication", {"p": premise, "q": conclusion}),)
        case AllDifferent(terms=terms):
            return ((_sorted("all_different", terms[0], lexis), {"all": terms, "a": terms[0]}),)
        case ExactlyOne(literals=literals) if 2 <= len(literals) <= len(LITERAL_SLOTS):
            slots = dict(zip(LITERAL_SLOTS, literals, strict=False))
            return ((f"exactly_one_{len(literals)}", slots),)
        case Arithmetic(k=k) if k:
            return _arithmetic(constraint)
    raise Unrenderable(f"no form says {constraint.describe(str)}")


def build(form: str, env: Env, lexis: Lexis) -> Constraint | None:
    """The constraint over marks that a clause says; None when its parts do not go together."""
    match form.split("_"):
        case ["pin", _]:
            return Equality(env["a"], value=env["v"])
        case ["not", _]:
            return Inequality("!=", env["a"], value=env["v"])
        case ["less" | "more" as way, "value"]:
            return Inequality(_LITERAL_OPS[way], env["a"], value=env["v"])
        case ["implication"]:
            return Implication.of(env["p"], env["q"])
        case ["table"]:
            return _build_table(env, lexis)
        case ["all", "different", _]:
            return _build_all_different(env, lexis)
        case ["exactly", "one", count]:
            return ExactlyOne(tuple(env[slot] for slot in LITERAL_SLOTS[: int(count)]))
    return _build_pair(form, env, lexis)


def _build_pair(form: str, env: Env, lexis: Lexis) -> Constraint | None:
    a, b = env["a"], env["b"]
    if not _comparable([a, b], lexis):
        return None
    match form.split("_", maxsplit=1)[0]:
        case "same":
            return Equality(a, right=b)
        case "differ":
            return Inequality("!=", a, right=b)
        case "less" | "more" as way:
            return Inequality(_LITERAL_OPS[way], a, right=b)
        case "offset":
            sign = 1 if form == "offset_more" else -1
            return Arithmetic("offset", a, b, sign * env["k"])
        case "sum" | "difference" as arithmetic:
            return Arithmetic(arithmetic, a, b, env["k"])
    raise Unrenderable(f"there is no clause form {form!r}")


def _build_all_different(env: Env, lexis: Lexis) -> Constraint | None:
    terms = env["all"]
    if env.get("count", len(terms)) != len(terms) or not _comparable(terms, lexis):
        return None
    return AllDifferent(tuple(terms))


def _build_table(env: Env, lexis: Lexis) -> Constraint | None:
    fact = next(fact for fact in lexis.facts if fact.key == env["fact"])
    options = {fact.answer, *fact.alternatives}
    rows = env["rows"]
    names = {name for _, name in rows}
    if len(names) != len(rows) or not {option for option, _ in rows} <= options:
        return None
    return Implication(
        tuple((Literal(fact.key, "=", o), Literal(env["a"], "=", name)) for o, name in rows),
        is_table=True,
    )


def _comparable(marks: list[str] | tuple[str, ...], lexis: Lexis) -> bool:
    """Whether all marks share a domain: one roster, or one scale."""
    domains = set()
    for mark in marks:
        kind = lexis.kind_of(mark)
        domains.add(kind.key if isinstance(kind, Measure) else kind.roster)
    return len(domains) == 1 and len(set(marks)) == len(marks)


def _sorted(form: str, mark: str, lexis: Lexis) -> str:
    sort = "ordinal" if isinstance(lexis.kind_of(mark), Measure) else "person"
    return f"{form}_{sort}"


def _either_way(form: str, left: str, right: str, lexis: Lexis) -> tuple[tuple[str, Env], ...]:
    name = _sorted(form, left, lexis)
    return (name, {"a": left, "b": right}), (name, {"a": right, "b": left})


def _inequality(constraint: Inequality, lexis: Lexis) -> tuple[tuple[str, Env], ...]:
    op, left, right = constraint.op, constraint.left, constraint.right
    if right is None:
        env: Env = {"a": left, "v": constraint.value}
        if op == "!=":
            return ((_sorted("not", left, lexis), env),)
        return ((f"{_OP_WORDS[op]}_value", env),)
    if op == "!=":
        return _either_way("differ", left, right, lexis)
    turned = "more" if op == "<" else "less"
    return (_OP_WORDS[op], {"a": left, "b": right}), (turned, {"a": right, "b": left})


def _arithmetic(constraint: Arithmetic) -> tuple[tuple[str, Env], ...]:
    left, right, k = constraint.left, constraint.right, constraint.k
    forward: Env = {"a": left, "b": right, "k": abs(k)}
    backward: Env = {"a": right, "b": left, "k": abs(k)}
    match constraint.form:
        case "sum":
            return ("sum", {**forward, "k": k}), ("sum", {**backward, "k": k})
        case "difference":
            return (("difference", forward if k > 0 else backward),)
    if k > 0:
        return ("offset_more", forward), ("offset_less", backward)
    return ("offset_less", forward), ("offset_more", backward)


def _table(rows: tuple[tuple[Literal, Literal], ...]) -> tuple[str, Env]:
    fact, target = rows[0][0].term, rows[0][1].term
    plain = all(
        premise.term == fact
        and conclusion.term == target
        and premise.op == conclusion.op == "="
        and isinstance(conclusion.value, str)
        for premise, conclusion in rows
    )
    if not plain:
        raise Unrenderable("a bridge table leads from one question to one marked job")
    pairs = tuple((premise.value, conclusion.value) for premise, conclusion in rows)
    return "table", {"rows": pairs, "a": target, "fact": fact}


def conditions_of(rule: Rule) -> Mapping[str, Literal]:
    """A rule's conditions by slot."""
    return dict(zip(LITERAL_SLOTS, rule.condition, strict=False))
