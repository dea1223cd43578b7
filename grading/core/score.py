"""One reply against one world: integer counts, decided by exact comparison.

`grade` is the only function that grades. What a right answer is stands in an `AnswerKey`, made
once per world from its stored truth; nothing is asked of the generator.

Replies to one world say the same things again and again, so the key remembers the verdict on each
single value that was written for a mark, and what a rule requires on each set of stated facts. Both
come from the same functions whether they are remembered or not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from grading.core.answers import Answer, Claim, Reading, claim_of
from grading.core.casebook import Casebook
from grading.core.islands import Json
from grading.core.normal import gold_keys, normalise, storable, value_key
from worlds.core.constraints import Value
from worlds.core.model import World
from worlds.core.policy import Action, Rule, resolve

__all__ = [
    "AnswerKey",
    "Deed",
    "FactScore",
    "FactVerdict",
    "Grade",
    "RuleReader",
    "StatedAction",
    "Verdict",
    "grade",
]

# How much a key remembers, so that no file can fill the memory: ways to write each mark, values of
# each variable, sets of facts that a rule reads, actions; and how long a text may be.
_MOST_SPELLINGS = 8
_MOST_VALUES = 64
_MOST_READ = 1024
_MOST_DEEDS = 256
_LONGEST = 64


class Verdict(StrEnum):
    """What a reply says about one mark, beside the truth."""

    RIGHT = "right"
    WRONG = "wrong"
    UNSTATED = "unstated"


class FactScore(NamedTuple):
    """`n` facts to state, `stated` marks given a value, `tp` of them right.

    Nothing stated is precision 0, recall 0 and F1 0: an empty reply earns nothing.
    """

    n: int
    stated: int
    tp: int

    @property
    def precision(self) -> float:
        """Right among stated."""
        return self.tp / self.stated if self.stated else 0.0

    @property
    def recall(self) -> float:
        """Right among all facts."""
        return self.tp / self.n if self.n else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both, straight from the counts: one division.

        >>> FactScore(n=4, stated=5, tp=3).f1
        0.6666666666666666
        """
        return 2 * self.tp / (self.stated + self.n) if self.stated else 0.0


@dataclass(frozen=True)
class FactVerdict:
    """One variable: what was stated of it (as written; several values are wrong) and its verdict.

    `value` is the stated value in the form of the variable's domain; None if it is unstated,
    contradictory, no value, or outside the domain.
    """

    variable: str
    mark: str
    verdict: Verdict
    stated: tuple[str, ...]
    value: Value | None

    @cached_property
    def payload(self) -> dict[str, Any]:
        """Its JSON shape, made once: many grades share a verdict, so nobody may change it."""
        return {
            "variable": self.variable,
            "mark": self.mark,
            "verdict": self.verdict.value,
            "stated": list(self.stated),
        }


@dataclass(frozen=True, slots=True)
class StatedAction:
    """The one action of a reply, as written."""

    verb: str
    item: str
    party: str


class Grade(NamedTuple):
    """What a reply is worth.

    `stated_world` has the values stated, by variable, as far as they are values of their domains.
    `action_count` counts the different actions stated; `claim` is the action when it is one.
    `policy_consistent` is None when it cannot be told: no single action, or a mark that the rule
    reads is not stated with one value of its domain.
    """

    facts: FactScore
    verdicts: tuple[FactVerdict, ...]
    unknown: tuple[str, ...]
    stated_world: Mapping[str, Value]
    claim: Claim | None
    action_count: int
    action_correct: bool
    policy_consistent: bool | None
    readable: bool

    @property
    def action(self) -> StatedAction | None:
        """The one action stated, as written and storable; None for none and for a hedge."""
        if self.claim is None:
            return None
        return StatedAction(storable(self.claim.word), storable(self.claim.mark), self.claim.shown)

    @property
    def world_exact(self) -> bool:
        """Every fact right and nothing else stated."""
        return self.facts.tp == self.facts.n == self.facts.stated

    @property
    def task_success(self) -> bool:
        """The world exact and the action correct; also called an earned decision."""
        return self.world_exact and self.action_correct

    def payload(self) -> dict[str, Any]:
        """Its JSON shape."""
        action = self.action
        return {
            "facts": {"n": self.facts.n, "stated": self.facts.stated, "tp": self.facts.tp},
            "verdicts": [verdict.payload for verdict in self.verdicts],
            "unknown": list(self.unknown),
            "action": action and {"verb": action.verb, "item": action.item, "party": action.party},
            "action_count": self.action_count,
            "action_correct": self.action_correct,
            "policy_consistent": self.policy_consistent,
            "readable": self.readable,
            "world_exact": self.world_exact,
            "task_success": self.task_success,
        }


Deed: TypeAlias = tuple[str, str, Value]
"""An action in its compared form: verb, item, and the party as a name or as a number."""


class AnswerKey:
    """A world prepared for grading: marks and values in their compared form.

    A key is itself alone, so that what is worked out for it can be kept with it.

    `marks` lists each variable with its mark as printed and as compared; `rule` and `provisional`
    say what the world's two rules require.
    """

    def __init__(self, world: World) -> None:
        domains = {domain.name: gold_keys(domain.values) for domain in world.domains}
        ordinals = {domain.name for domain in world.domains if domain.is_ordinal}
        self.world = world
        self.marks = tuple((v.id, v.mark, normalise(v.mark)) for v in world.variables)
        self.variable_of = {compared: variable for variable, _, compared in self.marks}
        self.values_of = {v.id: domains[v.domain] for v in world.variables}
        self.ordinal = frozenset(v.id for v in world.variables if v.domain in ordinals)
        self.required = _deed(world.action)
        self.rule = RuleReader(world, world.policy.rule)
        self.provisional = RuleReader(world, world.policy.provisional)
        self.unstated = [_verdict(self, v, mark, ()) for v, mark, _ in self.marks]
        self._places = {compared: place for place, (_, _, compared) in enumerate(self.marks)}
        self._written: dict[str, int] = {}
        self._verdicts: list[dict[Value, FactVerdict]] = [{} for _ in self.marks]
        self._deeds: dict[Claim, tuple[Deed, ...]] = {}

    @classmethod
    def of(cls, world: World) -> AnswerKey:
        """The key of a world; the marks of a world differ after normalising."""
        return cls(world)

    @cached_property
    def casebook(self) -> Casebook:
        """What diagnoses ask of this world."""
        return Casebook(self.world)

    def plainly(self, entries: Sequence[Json]) -> tuple[list[FactVerdict], list[Claim]] | None:
        """The verdicts and actions of plain entries, which is what nearly all replies hold.

        Each is a list of three; those with `is` have a mark of this world, none twice, and a text,
        a whole number or null. Of any others nothing is said here: None.
        """
        written, remembered, unstated = self._written, self._verdicts, self.unstated
        verdicts, actions = unstated.copy(), []
        for entry in entries:
            if type(entry) is not list or len(entry) != 3:
                return None
            mark, word, value = entry
            if type(mark) is not str:
                return None
            if word != "is":
                claim = claim_of(entry)
                if claim is None or claim.is_fact:
                    return None
                actions.append(claim)
                continue
            if value is None:
                continue
            # Neither a subclass of them nor a truth value, which would be taken for 0 or 1.
            if type(value) is not str and type(value) is not int:
                return None
            place = written.get(mark)
            if place is None and (place := self._place(mark)) is None:
                return None
            if verdicts[place] is not unstated[place]:
                return None
            verdict = remembered[place].get(value)
            verdicts[place] = verdict or self._remember(place, mark, value)
        return verdicts, actions

    def deeds_of(self, claim: Claim) -> tuple[Deed, ...]:
        """What a stated action may be: its party as a number if it is one, and as a name.

        None at all if its party is no value.
        """
        value = claim.value
        if type(value) is not str and type(value) is not int:
            return _deeds(claim)
        deeds = self._deeds.get(claim)
        if deeds is None:
            deeds = _deeds(claim)
            short = all(len(str(part)) <= _LONGEST for part in claim)
            if short and len(self._deeds) < _MOST_DEEDS:
                self._deeds[claim] = deeds
        return deeds

    def _place(self, mark: str) -> int | None:
        """Which of the marks this is; None for one that the world does not have."""
        place = self._places.get(normalise(mark))
        short = len(mark) <= _LONGEST and len(self._written) < _MOST_SPELLINGS * len(self.marks)
        if place is not None and short:
            self._written[mark] = place
        return place

    def _remember(self, place: int, written: str, value: Value) -> FactVerdict:
        variable, mark, _ = self.marks[place]
        verdict = _verdict(self, variable, mark, (Claim(written, "is", value),))
        remembered = self._verdicts[place]
        if len(remembered) < _MOST_VALUES and (isinstance(value, int) or len(value) <= _LONGEST):
            remembered[value] = verdict
        return verdict


class RuleReader:
    """What a rule requires on the facts that are stated; remembered by the facts that it reads."""

    def __init__(self, world: World, rule: Rule) -> None:
        self._world = world
        self._rule = rule
        self._scope = rule.scope
        self._required: dict[tuple[Value | None, ...], Deed | None] = {}

    def required(self, stated: Mapping[str, Value]) -> Deed | None:
        """The action; None if a mark of the condition or the live branch's party is not stated."""
        read = tuple(map(stated.get, self._scope))
        if read in self._required:
            return self._required[read]
        deed = self._work_out(stated)
        if len(self._required) < _MOST_READ:
            self._required[read] = deed
        return deed

    def _work_out(self, stated: Mapping[str, Value]) -> Deed | None:
        if any(literal.term not in stated for literal in self._rule.condition):
            return None
        branch = self._rule.live(stated)
        if branch.party not in stated:
            return None
        return _deed(resolve(branch, stated, self._world.mark_of))


def grade(key: AnswerKey, reading: Reading) -> Grade:
    """Grade a reading against the key; an unreadable reply states nothing.

    Facts: a mark counts as stated when some entry gives it a value that is not null, however odd,
    and as right when all its values are the true one. Marks that the world does not have are
    stated and wrong. Actions: the same action twice is one, two different ones are a hedge.
    """
    if not isinstance(reading, Answer):
        return _compose(key, key.unstated, [], (), readable=False)
    plain = key.plainly(reading.entries)
    if plain is not None:
        verdicts, actions = plain
        return _compose(key, verdicts, [], actions)
    by_mark: dict[str, list[Claim]] = {}
    for claim in reading.facts:
        if claim.value is not None:
            by_mark.setdefault(normalise(claim.mark), []).append(claim)
    verdicts = [
        _verdict(key, variable, mark, by_mark.get(compared, ()))
        for variable, mark, compared in key.marks
    ]
    unknown = [claims[0] for mark, claims in by_mark.items() if mark not in key.variable_of]
    return _compose(key, verdicts, unknown, reading.actions)


def _compose(
    key: AnswerKey,
    verdicts: Sequence[FactVerdict],
    unknown: Sequence[Claim],
    actions: Sequence[Claim],
    *,
    readable: bool = True,
) -> Grade:
    told = [verdict.verdict for verdict in verdicts]
    facts = FactScore(
        n=len(told),
        stated=len(told) - told.count(Verdict.UNSTATED) + len(unknown),
        tp=told.count(Verdict.RIGHT),
    )
    world: Mapping[str, Value] = key.world.solution
    if facts.tp < facts.n:
        world = {v.variable: v.value for v in verdicts if v.value is not None}
    different = {_action_key(key, claim): claim for claim in actions}
    single = next(iter(different.values())) if len(different) == 1 else None
    deeds = () if single is None else key.deeds_of(single)
    return Grade(
        facts=facts,
        verdicts=tuple(verdicts),
        unknown=tuple([storable(claim.mark) for claim in unknown]),
        stated_world=world,
        claim=single,
        action_count=len(different),
        action_correct=key.required in deeds,
        policy_consistent=None if single is None else _consistent(key, deeds, world),
        readable=readable,
    )


def _verdict(key: AnswerKey, variable: str, mark: str, claims: Sequence[Claim]) -> FactVerdict:
    if not claims:
        return FactVerdict(variable, mark, Verdict.UNSTATED, (), None)
    ordinal = variable in key.ordinal
    keys = {value_key(claim.value, ordinal) for claim in claims}
    agreed = keys.pop() if len(keys) == 1 else None
    value = None if agreed is None else key.values_of[variable].get(agreed)
    right = value is not None and value == key.world.solution[variable]
    told = tuple(dict.fromkeys([claim.shown for claim in claims]))
    return FactVerdict(variable, mark, Verdict.RIGHT if right else Verdict.WRONG, told, value)


def _deed(action: Action) -> Deed:
    party = value_key(action.party, isinstance(action.party, int))
    assert party is not None
    return (normalise(action.verb), normalise(action.item), party)


def _deeds(claim: Claim) -> tuple[Deed, ...]:
    parties = (value_key(claim.value, ordinal=True), value_key(claim.value, ordinal=False))
    word, mark = normalise(claim.word), normalise(claim.mark)
    return tuple([(word, mark, party) for party in parties if party is not None])


def _action_key(key: AnswerKey, claim: Claim) -> tuple[object, ...]:
    """What makes two stated actions the same one.

    Without knowing the rule's branch, a party is compared as a number if it is one, else as a name:
    `4` and `4.0` are one party. Parties that are no values are compared as they are shown.
    """
    deeds = key.deeds_of(claim)
    if deeds:
        return deeds[0]
    return (normalise(claim.word), normalise(claim.mark), "no value", claim.shown)


def _consistent(
    key: AnswerKey, deeds: tuple[Deed, ...], stated: Mapping[str, Value]
) -> bool | None:
    """Whether the action follows by the rule from what the reply itself states.

    Every mark of the condition and the party of the branch that applies must be stated with one
    value of its domain.
    """
    required = key.rule.required(stated)
    return None if required is None else required in deeds
