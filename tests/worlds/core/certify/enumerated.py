"""The readings certificate once more, by trying every assignment to a small world.

Only for the domains of `small`. Every reading is said as a test on an assignment, from what the
reading means; nothing of the certificate's own rereadings takes part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from tests.worlds.core.certify.small import DOMAINS, fitting
from worlds.core.constraints import (
    Arithmetic,
    Assignment,
    Constraint,
    ExactlyOne,
    Implication,
    Inequality,
    Literal,
    Value,
)
from worlds.core.model import World
from worlds.core.policy import Rule, resolve

__all__ = ["enumerated"]

Said = Callable[[Assignment], bool]
Told = tuple[tuple[str, str], str]
_FLIPPED = {"<": ">", ">": "<", "=": "=", "!=": "!="}


def enumerated(world: World) -> dict[tuple[str, str], str]:
    """What comes of every reading, by its name and unit; the unit is empty if it is of no one."""
    return dict(_Enumerated(world).all())


def _came_of(
    world: World,
    said: Sequence[Said],
    rule: Rule | None = None,
    domains: Mapping[str, Sequence[Value]] | None = None,
    act: Said | None = None,
) -> str:
    """The same by trying every assignment; `act` is the rule's condition if no rule says it."""
    domains = {**(domains or world.term_values), **{b.id: (b.answer,) for b in world.bridges}}
    models = fitting(domains, said, 2)
    if len(models) != 1:
        return "undetermined" if models else "no_world"
    (model,) = models
    rule = rule or world.policy.rule
    met = act(model) if act else rule.applies(model)
    action = resolve(rule.then if met else rule.otherwise, model, world.mark_of)
    facts = {term: model[term] for term in world.solution}
    return "same" if facts == world.solution and action == world.action else "another"


class _Enumerated:
    """Every reading of a world, from what the readings mean and in no other way."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.clues = {unit.id: unit.constraint for unit in world.clues if unit.constraint}
        self.evidence = [constraint.holds for constraint in self.clues.values()]

    def _with(self, reread: Mapping[str, Said]) -> list[Said]:
        return [reread.get(clue, constraint.holds) for clue, constraint in self.clues.items()]

    def all(self) -> Iterator[Told]:
        yield from self._reports()
        yield from self._left_out()
        yield from self._scales()
        yield from self._domains()
        yield from self._rules()
        yield from self._clauses()

    def _reports(self) -> Iterator[Told]:
        reports = {u.id: u.hypothesis for u in self.world.distractors if u.hypothesis}
        for truth in (True, False):
            said: dict[str, Said] = {
                unit: lambda a, each=each, truth=truth: each.holds(a) == truth
                for unit, each in reports.items()
            }
            name = f"report taken as {str(truth).lower()}"
            for unit, each in said.items():
                yield (f"a {name}", unit), _came_of(self.world, [*self.evidence, each])
            if len(said) > 1:
                every = _came_of(self.world, [*self.evidence, *said.values()])
                yield (f"every {name}", ""), every

    def _left_out(self) -> Iterator[Told]:
        results = {
            _came_of(self.world, [c.holds for c in self.clues.values() if c is not left])
            for left in self.clues.values()
        }
        (result,) = results
        yield ("the clues of a channel left out", ""), result
        options = {bridge.id: bridge.options for bridge in self.world.bridges}
        if options:
            domains = {**self.world.term_values, **options}
            models = fitting(domains, self.evidence)
            facts = {tuple(model[v] for v in self.world.solution) for model in models}
            result = "undetermined" if len(facts) > 1 else "same"
            yield ("general knowledge left out", ""), result

    def _scales(self) -> Iterator[Told]:
        scales = [domain.name for domain in DOMAINS if domain.is_ordinal]
        chosen = {f"the scale {name} turned round": [name] for name in scales}
        for name, domains in {**chosen, "every scale turned round": scales}.items():
            terms = {v.id for v in self.world.variables if v.domain in domains}
            said: list[Said] = [
                lambda a, c=c, terms=terms: _upside_down(c, a, terms) for c in self.clues.values()
            ]

            def act(a: Assignment, terms: set[str] = terms) -> bool:
                return all(_flipped(x, a, terms) for x in self.world.policy.rule.condition)

            yield (name, ""), _came_of(self.world, said, act=act)

    def _domains(self) -> Iterator[Told]:
        openings: dict[str, tuple[str, Value]] = {
            "the domain crew opened by an unnamed value": ("crew", "Dan"),
            "the scale gauge opened by a step above": ("gauge", 5),
            "the scale gauge opened by a step below": ("gauge", 0),
            "the scale notch opened by a step above": ("notch", 4),
            "the scale notch opened by a step below": ("notch", 0),
        }
        for name, (domain, value) in openings.items():
            domains = {
                v.id: (*self.world.term_values[v.id], *([value] if v.domain == domain else []))
                for v in self.world.variables
            }
            yield (name, ""), _came_of(self.world, self.evidence, domains=domains)

    def _rules(self) -> Iterator[Told]:
        rule, provisional = self.world.policy.rule, self.world.policy.provisional
        literals = rule.condition
        yield ("an unproved condition taken as false", ""), "same"
        in_force = _came_of(self.world, self.evidence, provisional)
        yield ("the provisional rule in force", ""), in_force
        either = self._acting([lambda a: any(x.holds(a) for x in literals)])
        yield ("the conditions of the rule as alternatives", ""), either
        if len(literals) > 1:
            shorter = self._acting([literals[0].holds, literals[1].holds])
            yield ("a condition of the rule left out", ""), shorter
        looser = [
            [x.holds if x is not y else lambda a, y=y: _or_equal(y, a) for x in literals]
            for y in literals
            if y.op in "<>"
        ]
        if looser:
            acts = [lambda a, each=each: all(x(a) for x in each) for each in looser]
            yield ("a comparison in the rule read loosely", ""), self._acting(acts)

    def _acting(self, acts: Sequence[Said]) -> str:
        results = {_came_of(self.world, self.evidence, act=act) for act in acts}
        return "same" if results == {"same"} else "another"

    def _clauses(self) -> Iterator[Told]:
        reread: dict[str, dict[str, Said]] = {}
        for clue, constraint in self.clues.items():
            for name, said in _reread(constraint):
                reread.setdefault(name, {})[clue] = said
        for name, by_clue in reread.items():
            for clue, said in by_clue.items():
                yield (name, clue), _came_of(self.world, self._with({clue: said}))
            if len(by_clue) > 1 and name in _EVERY:
                yield (_EVERY[name], ""), _came_of(self.world, self._with(by_clue))


_IFF = "an implication as if and only if"
_CONVERSE = "an implication as its converse"
_AT_LEAST = '"exactly one" as "at least one"'
_LOOSELY = "a comparison or distance read loosely"
_STEP = "a comparison as one step"
_EVERY = {
    _IFF: "every implication as if and only if",
    _CONVERSE: "every implication as its converse",
    _AT_LEAST: f"every {_AT_LEAST}",
    _LOOSELY: "every comparison and distance read loosely",
    _STEP: "every comparison as one step",
}


def _reread(constraint: Constraint) -> Iterator[tuple[str, Said]]:
    """What else a clue may be taken to say."""
    yield "a clue as its negation", lambda a: not constraint.holds(a)
    match constraint:
        case Implication(rows):
            yield _IFF, lambda a: all(p.holds(a) == q.holds(a) for p, q in rows)
            yield _CONVERSE, lambda a: all(p.holds(a) or not q.holds(a) for p, q in rows)
        case ExactlyOne(literals):
            yield _AT_LEAST, lambda a: any(literal.holds(a) for literal in literals)
        case Inequality("<" | ">" as op, left, right, value):
            gap = 1 if op == "<" else -1

            def ahead(a: Assignment) -> int:
                """How far the other side lies in the direction that is claimed."""
                return gap * ((a[right] if right else value) - a[left])

            yield _LOOSELY, lambda a: ahead(a) >= 0
            yield _STEP, lambda a: ahead(a) == 1
        case Arithmetic("offset" | "difference", left, right, k) if k:
            yield _LOOSELY, lambda a: (a[left] - a[right]) * k > 0


def _or_equal(literal: Literal, facts: Assignment) -> bool:
    return literal.holds(facts) or facts[literal.term] == literal.value


def _flipped(literal: Literal, facts: Assignment, terms: set[str]) -> bool:
    op = _FLIPPED[literal.op] if literal.term in terms else literal.op
    return Literal(literal.term, op, literal.value).holds(facts)


def _upside_down(constraint: Constraint, facts: Assignment, terms: set[str]) -> bool:
    """Whether a constraint is true for whoever holds the scale of these terms upside down."""
    match constraint:
        case Inequality(op, left, right, value) if left in terms:
            return Inequality(_FLIPPED[op], left, right, value).holds(facts)
        case Arithmetic("offset" | "difference", left, right, _) if left in terms:
            # The two heights have changed places.
            return constraint.holds({left: facts[right], right: facts[left]})
        case Implication(rows):
            return all(not _flipped(p, facts, terms) or _flipped(q, facts, terms) for p, q in rows)
        case ExactlyOne(literals):
            return sum(_flipped(literal, facts, terms) for literal in literals) == 1
    return constraint.holds(facts)
