"""Readings: what comes of taking the record otherwise than it is meant.

A reading puts something else in the place of what the record states. What comes of it is one of::

    no_world       nothing fits, so the reader notices
    same           the same facts and the same action
    undetermined   more than one set of facts fits, so the reader notices too
    another        one other complete answer: nothing tells the reader that he went wrong

Where the text rules a reading out, the verdict is `excluded`, with `by` and `stated_in` to say what
rules it out and in which units; `solved` still says what comes of it, so that nobody has to trust
the exclusion. A reading that the text leaves open and that leads to another answer refutes the
world.

Much of this needs no search, because the world is unique and every clue is needed:

- Whoever takes the record to say *more* (a report admitted or denied, "if" as "if and only if",
  "lower" as "one step lower") keeps the one world or nothing: `same` if the reading is true of it,
  else `no_world`. This goes for any number of such readings together.
- Whoever takes it to say *less* ("exactly one" as "at least one", a distance as a comparison, a
  domain opened) keeps the one world: `same`, or `undetermined` if DPLL finds a second.
- Whoever leaves out clues, among them one that has m models without it, keeps all m. So it is with
  the clues of a channel, whatever papers a surface makes of a world; a channel without clues
  changes nothing.
- Whoever takes a clue for its negation keeps the m - 1 models in which it is false. They fit the
  converse of a plain implication too, and so does the one world if the converse is true of it.
- A condition of a rule cannot be unproved where every fact is proved.

What says neither more nor less, such as a scale turned round, is solved by DPLL and counted by the
oracle, and both must agree. Rules are resolved on the one world.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from worlds.core.certify.examination import BAN, Examination
from worlds.core.certify.rereading import (
    both_ways,
    converse,
    next_step,
    none_is,
    turned,
    turned_rule,
    weaker,
    weaker_conditions,
    with_alternatives,
    without_a_condition,
)
from worlds.core.constraints import Assignment, Constraint, ExactlyOne, Implication, Value
from worlds.core.engines import Answer, Outcome
from worlds.core.errors import NotProved
from worlds.core.model import Domain, World
from worlds.core.policy import Rule, resolve

__all__ = ["Exclusion", "excluded_by", "readings"]

_CLAIM = "readings"
_SAME, _NO_WORLD, _OPEN, _ANOTHER = "same", "no_world", "undetermined", "another"
_EVERY_SCALE = "every scale turned round"
_PROVISIONAL = "the provisional rule in force"
_RULE_AS_OR = "the conditions of the rule as alternatives"
_RULE_SHORTER = "a condition of the rule left out"
_RULE_LOOSER = "a comparison in the rule read loosely"
_NEGATED = "a clue as its negation"
_UNNAMED = "somebody unnamed"


@dataclass(frozen=True, slots=True)
class Exclusion:
    """What in the text rules a reading out, and the units that state it.

    No units: the clauses concerned do it themselves, each by its own wording.
    """

    by: str
    units: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Reading:
    """A reading, what comes of it, and what else there is to tell."""

    name: str
    result: str
    told: Mapping[str, Any] = field(default_factory=dict)


def readings(
    examination: Examination, excluded: Mapping[str, Exclusion] | None = None
) -> list[dict[str, Any]]:
    """One entry per reading and result, with the units that it is about if it is about single ones.

    Takes a world that is proved unique, with every clue needed. `excluded` says which readings the
    text rules out: what the world's own units rule out, by default. Raises NotProved for a reading
    that leads to another answer and is not ruled out, or that an engine does not decide.
    """
    ruled_out = excluded_by(examination.world) if excluded is None else excluded
    found = (
        *_reports(examination),
        *_left_out(examination),
        *_scales(examination),
        *_domains(examination),
        *_rules(examination),
        *_implications(examination),
        *_stricter_comparisons(examination),
        *_looser_clues(examination),
        *_negations(examination),
    )
    return [_entry(reading, ruled_out.get(reading.name)) for reading in found]


def excluded_by(world: World) -> dict[str, Exclusion]:
    """The readings that a world's text rules out: by closures, scales, the last order, wording.

    The frame units stand in the order of the domains. That a clause can be read in one way only is
    what the gate makes sure of, in every surface.
    """
    found = {_NEGATED: Exclusion("wording")}
    frames = [unit.id for unit in world.units if unit.role == "frame"]
    framed = dict(zip((domain.name for domain in world.domains), frames, strict=False))
    for domain in world.domains:
        if domain.name in framed:
            stated = Exclusion("scale" if _steps(domain) else "closure", (framed[domain.name],))
            found.update({name: stated for name, _ in _openings(domain)})
            found[_turned_round(domain)] = stated
    scales = [domain.name for domain in world.domains if _steps(domain)]
    if all(name in framed for name in scales):
        found[_EVERY_SCALE] = Exclusion("scale", tuple(framed[name] for name in scales))
    for unit in world.units:
        if unit.role == "policy":
            found[_PROVISIONAL] = Exclusion("supersession", (unit.id,))
            for name in (_RULE_AS_OR, _RULE_SHORTER, _RULE_LOOSER):
                found[name] = Exclusion("wording", (unit.id,))
    return found


def _entry(reading: _Reading, exclusion: Exclusion | None) -> dict[str, Any]:
    if exclusion is not None:
        return {
            "reading": reading.name,
            "verdict": "excluded",
            "by": exclusion.by,
            "stated_in": list(exclusion.units),
            "solved": reading.result,
            **reading.told,
        }
    if reading.result == _ANOTHER:
        units = f" ({', '.join(reading.told['units'])})" if "units" in reading.told else ""
        raise NotProved(_CLAIM, "refuted", f"{reading.name}{units}: another complete answer")
    return {"reading": reading.name, "verdict": reading.result, **reading.told}


def _by_result(name: str, results: Mapping[str, str]) -> Iterator[_Reading]:
    """One reading of several units, told once for each thing that comes of it."""
    for result in (_SAME, _NO_WORLD, _OPEN, _ANOTHER):
        units = [unit for unit, each in results.items() if each == result]
        if units:
            yield _Reading(name, result, {"units": units})


def _saying_more(one: str, every: str, true: Mapping[str, bool]) -> Iterator[_Reading]:
    """Readings beside the evidence, each by itself and all together; which of them are true."""
    yield from _by_result(one, {u: _SAME if each else _NO_WORLD for u, each in true.items()})
    if len(true) > 1:
        yield _Reading(every, _SAME if all(true.values()) else _NO_WORLD)


def _reports(examination: Examination) -> Iterator[_Reading]:
    """What others say, taken as true or as false."""
    true = {u: said.holds(examination.truth) for u, said in examination.hypotheses.items()}
    false = {unit: not each for unit, each in true.items()}
    yield from _saying_more("a report taken as true", "every report taken as true", true)
    yield from _saying_more("a report taken as false", "every report taken as false", false)


def _left_out(examination: Examination) -> Iterator[_Reading]:
    """Clues of one channel, or what everybody knows, not used."""
    if examination.clues:
        least = min(examination.census.without[clue] for clue in examination.clues)
        yield _Reading("the clues of a channel left out", _OPEN, {"models_at_least": least})
    if examination.bridges:
        name = "general knowledge left out"
        outcome = examination.dpll.solve([BAN], given=examination.clues, near=examination.truth)
        yield _Reading(name, _saying_less(name, outcome))


def _steps(domain: Domain) -> list[int]:
    """The steps of a scale; none if the domain is a roster."""
    return [value for value in domain.values if isinstance(value, int)]


def _turned_round(domain: Domain) -> str:
    return f"the scale {domain.name} turned round"


def _scales(examination: Examination) -> Iterator[_Reading]:
    """The low end of a scale taken for the high one, in the clues and in the rule."""
    scales = [domain for domain in examination.world.domains if _steps(domain)]
    chosen = {_turned_round(domain): {domain.name} for domain in scales}
    if len(scales) > 1:
        chosen[_EVERY_SCALE] = {domain.name for domain in scales}
    stated = {clue: examination.constraints[clue] for clue in examination.clues}
    for name, names in chosen.items():
        terms = {v.id for v in examination.world.variables if v.domain in names}
        reread = {clue: turned(constraint, terms) for clue, constraint in stated.items()}
        changed = {clue: c for clue, c in reread.items() if c != stated[clue]}
        rule = turned_rule(examination.world.policy.rule, terms)
        yield _solved(examination, name, changed, rule)


def _openings(domain: Domain) -> list[tuple[str, Value]]:
    """The ways to open a domain by one value."""
    steps = _steps(domain)
    if not steps:
        return [(f"the domain {domain.name} opened by an unnamed value", _UNNAMED)]
    return [
        (f"the scale {domain.name} opened by a step above", max(steps) + 1),
        (f"the scale {domain.name} opened by a step below", min(steps) - 1),
    ]


def _domains(examination: Examination) -> Iterator[_Reading]:
    """A domain with one value more, which the record does not name.

    One engine has all the values more, and for each of them a label that closes it off again.
    """
    world = examination.world
    domains: dict[str, tuple[Value, ...]] = dict(world.term_values)
    closures: dict[str, Constraint] = {}
    for domain in world.domains:
        terms = [v.id for v in world.variables if v.domain == domain.name]
        for name, value in _openings(domain) if terms else ():
            domains.update({term: (*domains[term], value) for term in terms})
            closures[name] = none_is(terms, value)
    engine = examination.engines.dpll(domains)
    for label, constraint in {**examination.constraints, **closures}.items():
        engine.add(label, constraint)
    engine.ban(BAN, world.solution)
    outcomes = engine.without_each(
        list(closures), [*examination.evidence, BAN], near=examination.truth
    )
    for name, outcome in outcomes.items():
        yield _Reading(name, _saying_less(name, outcome))


def _rules(examination: Examination) -> Iterator[_Reading]:
    """Another rule, or the one in force misread, on the one world."""
    rule, provisional = examination.world.policy.rule, examination.world.policy.provisional
    yield _Reading("an unproved condition taken as false", _SAME)
    misread: dict[str, Sequence[Rule]] = {
        _PROVISIONAL: (provisional,),
        _RULE_AS_OR: (with_alternatives(rule),),
        _RULE_SHORTER: without_a_condition(rule),
        _RULE_LOOSER: weaker_conditions(rule),
    }
    for name, rules in misread.items():
        alike = [_same_action(examination, each, examination.truth) for each in rules]
        if alike:
            told = {} if all(alike) else {"facts_changed": 0, "action_changed": True}
            yield _Reading(name, _ANOTHER if told else _SAME, told)


def _same_action(examination: Examination, rule: Rule, facts: Assignment) -> bool:
    world = examination.world
    return resolve(rule.live(facts), facts, world.mark_of) == world.action


def _implications(examination: Examination) -> Iterator[_Reading]:
    """Each "if" taken for "if and only if", or for "only if"."""
    truth = examination.truth
    stated = {
        clue: constraint
        for clue in examination.clues
        if isinstance(constraint := examination.constraints[clue], Implication)
    }
    yield from _saying_more(
        "an implication as if and only if",
        "every implication as if and only if",
        {clue: both_ways(implication).holds(truth) for clue, implication in stated.items()},
    )
    reread = {clue: converse(implication) for clue, implication in stated.items()}
    results = {clue: _conversely(examination, clue, each) for clue, each in reread.items()}
    yield from _by_result("an implication as its converse", results)
    if len(reread) > 1:
        yield _replaced(examination, "every implication as its converse", reread)


def _conversely(examination: Examination, clue: str, reread: Implication) -> str:
    """What comes of the converse in the place of one implication."""
    if reread.is_table:
        return _replaced(examination, f"{clue} as its converse", {clue: reread}).result
    models = examination.census.without[clue] - 1 + reread.holds(examination.truth)
    return _OPEN if models > 1 else _ANOTHER


def _stricter_comparisons(examination: Examination) -> Iterator[_Reading]:
    """A comparison taken for a distance of one step."""
    stepped = {clue: next_step(examination.constraints[clue]) for clue in examination.clues}
    yield from _saying_more(
        "a comparison as one step",
        "every comparison as one step",
        {clue: c.holds(examination.truth) for clue, c in stepped.items() if c is not None},
    )


def _looser_clues(examination: Examination) -> Iterator[_Reading]:
    """Clues read as saying less: what is left of each is in force when the clue is off."""
    values = examination.world.term_values
    left: dict[str, Constraint] = {}
    for clue in examination.clues:
        constraint = examination.constraints[clue]
        loose = weaker(constraint, values[constraint.scope[0]])
        if loose is not None:
            left[clue] = loose
    labels = [_add(examination, clue, constraint) for clue, constraint in left.items()]
    outcomes = examination.dpll.without_each(
        list(left),
        [*examination.without(*left), *labels, BAN],
        near=examination.truth,
        away={clue: constraint.scope for clue, constraint in left.items()},
    )
    ones = {c for c in left if isinstance(examination.constraints[c], ExactlyOne)}
    for one, every, clues in (
        ('"exactly one" as "at least one"', 'every "exactly one" as "at least one"', ones),
        (
            "a comparison or distance read loosely",
            "every comparison and distance read loosely",
            set(left) - ones,
        ),
    ):
        results = {c: _saying_less(one, each) for c, each in outcomes.items() if c in clues}
        yield from _by_result(one, results)
        if _OPEN in results.values() and len(results) > 1:
            yield _Reading(every, _OPEN)
        elif len(results) > 1:
            yield _replaced(examination, every, {clue: left[clue] for clue in results})


def _negations(examination: Examination) -> Iterator[_Reading]:
    """Each clue taken for the opposite of what it says."""
    without = examination.census.without
    results = {clue: _ANOTHER if without[clue] == 2 else _OPEN for clue in examination.clues}
    yield from _by_result(_NEGATED, results)


def _saying_less(name: str, outcome: Outcome) -> str:
    """What comes of a reading that keeps the one world, once another has been looked for."""
    if outcome.answer is Answer.UNKNOWN:
        raise NotProved(_CLAIM, "unknown", name)
    return _OPEN if outcome.answer is Answer.SAT else _SAME


def _replaced(examination: Examination, name: str, changed: Mapping[str, Constraint]) -> _Reading:
    """What comes of other constraints in the place of some clues."""
    if not all(constraint.holds(examination.truth) for constraint in changed.values()):
        return _solved(examination, name, changed, examination.world.policy.rule)
    labels = [_add(examination, clue, constraint) for clue, constraint in changed.items()]
    outcome = examination.dpll.solve(
        [*labels, BAN], given=examination.without(*changed), near=examination.truth
    )
    return _Reading(name, _saying_less(name, outcome))


def _solved(
    examination: Examination, name: str, changed: Mapping[str, Constraint], rule: Rule
) -> _Reading:
    """What comes of other constraints in the place of some clues, and of a rule beside them.

    DPLL looks for a world and for a second one; the oracle's count must agree both times.
    """
    dpll, rest = examination.dpll, examination.without(*changed)
    labels = [_add(examination, clue, constraint) for clue, constraint in changed.items()]
    holding = [*changed.values(), *(examination.constraints[label] for label in rest)]
    models = examination.oracle.count(holding)
    if models is None:
        raise NotProved(_CLAIM, "unknown", f"{name} cannot be counted within the budget")
    first = dpll.solve(labels, given=rest, near=examination.truth)
    if not examination.satisfiable(_CLAIM, name, first, models):
        return _Reading(name, _NO_WORLD)
    facts, differences = examination.witness(name, first, holding)
    ban = f"another world than {name}"
    if not dpll.knows(ban):
        dpll.ban(ban, {term: facts[term] for term in examination.world.solution})
    second = dpll.solve([*labels, ban], given=rest, near=examination.truth)
    if examination.satisfiable(_CLAIM, name, second, models - 1):
        return _Reading(name, _OPEN, {"models": models})
    acts_alike = _same_action(examination, rule, facts)
    if acts_alike and not differences:
        return _Reading(name, _SAME)
    told = {"facts_changed": len(differences), "action_changed": not acts_alike}
    return _Reading(name, _ANOTHER, told)


def _add(examination: Examination, clue: str, reread: Constraint) -> str:
    """Let the engine know what a clue is taken to say; the label under which it stands."""
    label = f"{clue} as: {reread.describe(str)}"
    if not examination.dpll.knows(label):
        examination.dpll.add(label, reread)
    return label
