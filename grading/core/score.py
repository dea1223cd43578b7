"""One reply against one world: integer counts, decided by exact comparison.

`grade` is the only function that grades. What a right answer is stands in an `AnswerKey`, made
once per world from its stored truth; nothing is asked of the generator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from grading.core.answers import Answer, Claim, Reading
from grading.core.normal import gold_keys, normalise, storable, value_key
from worlds.core.constraints import Value
from worlds.core.model import World
from worlds.core.policy import Action, resolve

__all__ = [
    "AnswerKey",
    "FactScore",
    "FactVerdict",
    "Grade",
    "StatedAction",
    "Verdict",
    "grade",
    "is_action",
]


class Verdict(StrEnum):
    """What a reply says about one mark, beside the truth."""

    RIGHT = "right"
    WRONG = "wrong"
    UNSTATED = "unstated"


@dataclass(frozen=True, slots=True)
class FactScore:
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class StatedAction:
    """The one action of a reply, as written."""

    verb: str
    item: str
    party: str


@dataclass(frozen=True, slots=True)
class Grade:
    """What a reply is worth.

    `action_count` counts the different actions stated; `claim` is the action when it is one.
    `policy_consistent` is None when it cannot be told: no single action, or a mark that the rule
    reads is not stated with one value of its domain.
    """

    facts: FactScore
    verdicts: tuple[FactVerdict, ...]
    unknown: tuple[str, ...]
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

    @property
    def stated_world(self) -> dict[str, Value]:
        """The values stated, by variable, as far as they are values of their domains."""
        return {v.variable: v.value for v in self.verdicts if v.value is not None}

    def payload(self) -> dict[str, Any]:
        """Its JSON shape."""
        action = self.action
        return {
            "facts": {"n": self.facts.n, "stated": self.facts.stated, "tp": self.facts.tp},
            "verdicts": [
                {
                    "variable": v.variable,
                    "mark": v.mark,
                    "verdict": v.verdict.value,
                    "stated": list(v.stated),
                }
                for v in self.verdicts
            ],
            "unknown": list(self.unknown),
            "action": action and {"verb": action.verb, "item": action.item, "party": action.party},
            "action_count": self.action_count,
            "action_correct": self.action_correct,
            "policy_consistent": self.policy_consistent,
            "readable": self.readable,
            "world_exact": self.world_exact,
            "task_success": self.task_success,
        }


@dataclass(frozen=True, eq=False)
class AnswerKey:
    """A world prepared for grading: marks and values in their compared form.

    A key is itself alone, so that what is worked out for it can be kept.

    `marks` lists each variable with its mark as printed and as compared.
    """

    world: World
    marks: tuple[tuple[str, str, str], ...]
    variable_of: Mapping[str, str]
    values_of: Mapping[str, Mapping[Value, Value]]
    ordinal: frozenset[str]
    required: Action

    @classmethod
    def of(cls, world: World) -> AnswerKey:
        """The key of a world; the marks of a world differ after normalising."""
        domains = {domain.name: gold_keys(domain.values) for domain in world.domains}
        ordinals = {domain.name for domain in world.domains if domain.is_ordinal}
        return cls(
            world=world,
            marks=tuple((v.id, v.mark, normalise(v.mark)) for v in world.variables),
            variable_of={normalise(v.mark): v.id for v in world.variables},
            values_of={v.id: domains[v.domain] for v in world.variables},
            ordinal=frozenset(v.id for v in world.variables if v.domain in ordinals),
            required=world.action,
        )


def grade(key: AnswerKey, reading: Reading) -> Grade:
    """Grade a reading against the key; an unreadable reply states nothing.

    Facts: a mark counts as stated when some entry gives it a value that is not null, however odd,
    and as right when all its values are the true one. Marks that the world does not have are
    stated and wrong. Actions: the same action twice is one, two different ones are a hedge.
    """
    if not isinstance(reading, Answer):
        return _compose(key, {}, [], readable=False)
    by_mark: dict[str, list[Claim]] = {}
    for claim in reading.facts:
        if claim.value is not None:
            by_mark.setdefault(normalise(claim.mark), []).append(claim)
    return _compose(key, by_mark, list(reading.actions), readable=True)


def is_action(claim: Claim, action: Action) -> bool:
    """Whether a stated action is this one: verb, item and party."""
    ordinal = isinstance(action.party, int)
    party = value_key(claim.value, ordinal)
    return (
        normalise(claim.word) == normalise(action.verb)
        and normalise(claim.mark) == normalise(action.item)
        and party is not None
        and party == value_key(action.party, ordinal)
    )


def _compose(
    key: AnswerKey, by_mark: Mapping[str, list[Claim]], actions: list[Claim], readable: bool
) -> Grade:
    verdicts = [
        _verdict(key, variable, mark, by_mark.get(compared, []))
        for variable, mark, compared in key.marks
    ]
    different = {_action_key(claim): claim for claim in actions}
    single = next(iter(different.values())) if len(different) == 1 else None
    tp = sum(verdict.verdict is Verdict.RIGHT for verdict in verdicts)
    return Grade(
        facts=FactScore(len(verdicts), len(by_mark), tp),
        verdicts=tuple(verdicts),
        unknown=tuple(
            storable(claims[0].mark)
            for mark, claims in by_mark.items()
            if mark not in key.variable_of
        ),
        claim=single,
        action_count=len(different),
        action_correct=single is not None and is_action(single, key.required),
        policy_consistent=None if single is None else _consistent(key, single, verdicts),
        readable=readable,
    )


def _verdict(key: AnswerKey, variable: str, mark: str, claims: list[Claim]) -> FactVerdict:
    if not claims:
        return FactVerdict(variable, mark, Verdict.UNSTATED, (), None)
    ordinal = variable in key.ordinal
    keys = {value_key(claim.value, ordinal) for claim in claims}
    agreed = keys.pop() if len(keys) == 1 else None
    value = None if agreed is None else key.values_of[variable].get(agreed)
    right = value is not None and value == key.world.solution[variable]
    told = tuple(dict.fromkeys([claim.shown for claim in claims]))
    return FactVerdict(variable, mark, Verdict.RIGHT if right else Verdict.WRONG, told, value)


def _action_key(claim: Claim) -> tuple[str, str, str]:
    """What makes two stated actions the same one.

    Without knowing the rule's branch, a party is compared as a name and, if it has one, as a
    number: `4` and `4.0` are one party.
    """
    number = value_key(claim.value, ordinal=True)
    party = value_key(claim.value, ordinal=False) if number is None else number
    shown = claim.shown if party is None else repr(party)
    return (normalise(claim.word), normalise(claim.mark), shown)


def _consistent(key: AnswerKey, claim: Claim, verdicts: Sequence[FactVerdict]) -> bool | None:
    """Whether the action follows by the rule from what the reply itself states.

    Every mark of the condition and the party of the branch that applies must be stated with one
    value of its domain.
    """
    stated = {verdict.variable: verdict.value for verdict in verdicts}
    believed = {variable: value for variable, value in stated.items() if value is not None}
    rule = key.world.policy.rule
    if any(literal.term not in believed for literal in rule.condition):
        return None
    branch = rule.live(believed)
    if branch.party not in believed:
        return None
    return is_action(claim, resolve(branch, believed, key.world.mark_of))
