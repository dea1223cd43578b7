"""The formal condition: a world's evidence in a small notation, and back.

::

    DOMAINS        company = Quill, Pryce          tide = 1 .. 4
    VARIABLES      W-21 in company
    KNOWLEDGE      K0 = "Who discovered Uranus?" in Galileo; Herschel; Kepler; Messier
    CONSTRAINTS    W-21 = P-33          N-57 = N-18 + 1      N-57 + N-18 = 5     N-57 - N-18 = 1
                   W-21 != Pryce        N-95 < N-18          all-different(P-33, P-86)
                   N-57 = 3 => P-33 = Pryce                  exactly-one(N-57 = 3; P-33 = Pryce)
                   table(K0 = Herschel => L-44 = Quill; K0 = Galileo => L-44 = Pryce)
    RULES          R2: if N-57 > 1 and P-33 = Quill then hold(P-86, W-21) else release(P-86, G-68)

A branch `verb(item, V)` is done to the item in the name of the value of V. Reports of others are
no evidence, so they do not appear.
"""

from __future__ import annotations

from collections.abc import Sequence

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
from worlds.core.model import Bridge, Domain, World
from worlds.core.policy import Branch, Rule
from worlds.core.prose.normal import on_marks, renamed, renamed_rule
from worlds.core.seeds import Stream

__all__ = ["HEADLINE", "SECTIONS", "constraint_text", "write_formal"]

HEADLINE = "A record in formal notation."
SECTIONS = ("DOMAINS", "VARIABLES", "KNOWLEDGE", "CONSTRAINTS", "RULES", "FIND")
_LEGEND = (
    "All constraints hold. `=>` is material implication, `exactly-one` says that one and only one "
    "of its literals holds. K terms are general knowledge: their values are not given. A branch "
    "verb(item, V) is an action on the item in the name of the value of V."
)
_FIND = "the value of every variable; the action that R2 requires"


def write_formal(world: World, stream: Stream) -> str:
    """The whole record in notation; variables and constraints in an order drawn from the stream."""
    name = on_marks(world, str)
    clues = [unit.constraint for unit in stream.shuffled(world.clues) if unit.constraint]
    rows = {
        "DOMAINS": [_domain(domain) for domain in world.domains],
        "VARIABLES": [f"{v.mark} in {v.domain}" for v in stream.shuffled(world.variables)],
        "KNOWLEDGE": [_bridge(bridge) for bridge in world.bridges],
        "CONSTRAINTS": [constraint_text(renamed(clue, name)) for clue in clues],
        "RULES": [
            "R1, replaced by R2: " + _rule(renamed_rule(world.policy.provisional, name)),
            "R2: " + _rule(renamed_rule(world.policy.rule, name)),
        ],
        "FIND": [_FIND],
    }
    sections = ["\n".join((section, *rows[section])) for section in SECTIONS]
    return "\n\n".join((f"{HEADLINE} {_LEGEND}", *sections))


def constraint_text(constraint: Constraint) -> str:
    """One constraint in the notation, its terms as they are."""
    match constraint:
        case Equality(left=left, right=right, value=value):
            return f"{left} = {value if right is None else right}"
        case Inequality(op=op, left=left, right=right, value=value):
            return f"{left} {op} {value if right is None else right}"
        case Implication(rows=rows, is_table=True):
            return f"table({_joined([_row(p, c) for p, c in rows])})"
        case Implication(premise=premise, conclusion=conclusion):
            return _row(premise, conclusion)
        case AllDifferent(terms=terms):
            return f"all-different({', '.join(terms)})"
        case ExactlyOne(literals=literals):
            return f"exactly-one({_joined([_literal(literal) for literal in literals])})"
        case Arithmetic(form=form, left=left, right=right, k=k):
            if form == "offset":
                return f"{left} = {right} {'-' if k < 0 else '+'} {abs(k)}"
            return f"{left} {'+' if form == 'sum' else '-'} {right} = {k}"
    raise TypeError(f"a constraint of the six classes, not {constraint!r}")


def _domain(domain: Domain) -> str:
    if domain.is_ordinal:
        return f"{domain.name} = {domain.values[0]} .. {domain.values[-1]}"
    return f"{domain.name} = {', '.join(str(value) for value in domain.values)}"


def _bridge(bridge: Bridge) -> str:
    return f'{bridge.id} = "{bridge.question}" in {_joined(bridge.options)}'


def _rule(rule: Rule) -> str:
    condition = " and ".join(_literal(literal) for literal in rule.condition)
    return f"if {condition} then {_branch(rule.then)} else {_branch(rule.otherwise)}"


def _branch(branch: Branch) -> str:
    return f"{branch.verb}({branch.item}, {branch.party})"


def _row(premise: Literal, conclusion: Literal) -> str:
    return f"{_literal(premise)} => {_literal(conclusion)}"


def _literal(literal: Literal) -> str:
    return f"{literal.term} {literal.op} {literal.value}"


def _joined(parts: Sequence[str]) -> str:
    return "; ".join(parts)
