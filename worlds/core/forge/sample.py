"""Draw a world's truth: domains, variables with marks, and one value for each.

What a variable is about (its kind) comes from the genre's lexicon; an instance uses each letter
for one kind only, so that a mark says what it marks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from worlds.core.constraints import Value
from worlds.core.levels import LevelSpec
from worlds.core.lexicon import Kind, Lexicon, Measure, PersonRole, Roster
from worlds.core.model import Bridge, Domain, Variable
from worlds.core.seeds import Stream

__all__ = ["Draft", "sample_draft"]

K = TypeVar("K", PersonRole, Measure)

_MARK_NUMBERS = range(11, 100)
_LARGE_MARK_NUMBERS = range(101, 400)
_MARKS_PER_KIND = 3
_LETTERS = 23


@dataclass(frozen=True)
class Draft:
    """A truth without evidence: what the record will be about.

    The two maps are made once: growing asks for them thousands of times.
    """

    domains: tuple[Domain, ...]
    variables: tuple[Variable, ...]
    solution: Mapping[str, Value]

    @cached_property
    def values(self) -> dict[str, tuple[Value, ...]]:
        """Every variable with its domain's values."""
        by_name = {domain.name: domain.values for domain in self.domains}
        return {variable.id: by_name[variable.domain] for variable in self.variables}

    @cached_property
    def domain_names(self) -> dict[str, str]:
        """Every variable with its domain's name."""
        return {variable.id: variable.domain for variable in self.variables}

    def can_hang(self, term: str, bridge: Bridge) -> bool:
        """Whether a term is a person with a value for each option of a bridge."""
        values = self.values[term]
        return isinstance(values[0], str) and len(values) >= len(bridge.options)


def sample_draft(spec: LevelSpec, lexicon: Lexicon, stream: Stream) -> Draft:
    """Draw the truth of a world of this level in this genre."""
    rosters = stream.sample(lexicon.rosters, spec.rosters)
    names = stream.sample(lexicon.names, spec.rosters * spec.roster_size)
    ordinals = round(spec.variables * spec.ordinal_share)
    measures = _with_own_letters(stream.shuffled(lexicon.measures), spec.scales, taken=set())
    roles = _pick_roles(lexicon, rosters, spec.variables - ordinals, measures, stream)
    kinds: list[Kind] = [
        *_spread(measures, ordinals, stream),
        *_spread(roles, spec.variables - ordinals, stream),
    ]
    large = len(kinds) > len(_MARK_NUMBERS) // 2
    numbers = stream.sample(_LARGE_MARK_NUMBERS if large else _MARK_NUMBERS, len(kinds))
    variables = tuple(
        _variable(f"V{i}", kind, number)
        for i, (kind, number) in enumerate(zip(stream.shuffled(kinds), numbers, strict=True))
    )
    domains = [Domain(m.key, tuple(range(1, spec.scale_size + 1))) for m in measures]
    for i, roster in enumerate(rosters):
        members = names[i * spec.roster_size : (i + 1) * spec.roster_size]
        domains.append(Domain(roster.key, tuple(members)))
    domains.sort(key=lambda domain: domain.name)
    by_name = {domain.name: domain.values for domain in domains}
    solution = {variable.id: stream.choice(by_name[variable.domain]) for variable in variables}
    return Draft(tuple(domains), variables, solution)


def _pick_roles(
    lexicon: Lexicon,
    rosters: Sequence[Roster],
    persons: int,
    measures: Sequence[Measure],
    stream: Stream,
) -> list[PersonRole]:
    """Kinds of jobs for every roster in turn, no letter twice, about three marks to a kind.

    A large world runs out of letters and has more marks to a kind.
    """
    taken = {measure.letter for measure in measures}
    wanted = min(max(4, -(-persons // _MARKS_PER_KIND)), _LETTERS - len(taken))
    roles: list[PersonRole] = []
    for i, roster in enumerate(rosters):
        share = wanted // len(rosters) + (1 if i < wanted % len(rosters) else 0)
        offered = [role for role in lexicon.roles if role.roster == roster.key]
        roles += _with_own_letters(stream.shuffled(offered), share, taken)
    return roles


def _with_own_letters(offered: Sequence[K], count: int, taken: set[str]) -> list[K]:
    chosen: list[K] = []
    for kind in offered:
        if len(chosen) < count and kind.letter not in taken:
            taken.add(kind.letter)
            chosen.append(kind)
    return chosen


def _spread(kinds: Sequence[K], count: int, stream: Stream) -> list[K]:
    """`count` kinds, every one at least once if there is room, the rest drawn evenly."""
    turns = -(-count // len(kinds))
    rounds = [stream.shuffled(kinds) for _ in range(turns)]
    return [kind for turn in rounds for kind in turn][:count]


def _variable(term: str, kind: Kind, number: int) -> Variable:
    mark = f"{kind.letter}-{number}"
    domain = kind.roster if isinstance(kind, PersonRole) else kind.key
    return Variable(term, mark, kind.role.replace("{mark}", mark), domain)
