"""Choose how a record says each of its units: form, orientation, wording, order of lists."""

from __future__ import annotations

from collections.abc import Mapping

from worlds.core.constraints import AllDifferent, Constraint, ExactlyOne, Implication, Literal
from worlds.core.errors import Unrenderable
from worlds.core.packs.model import Wording
from worlds.core.policy import Rule
from worlds.core.prose.forms import Env, conditions_of, phrasings
from worlds.core.prose.grammar import Grammar, literal_slots
from worlds.core.prose.variety import Spread
from worlds.core.seeds import Stream

__all__ = ["Phraser"]


class Phraser:
    """Puts constraints over marks into words, spreading the wordings over one record."""

    def __init__(self, grammar: Grammar, stream: Stream) -> None:
        self._grammar = grammar
        self._stream = stream
        self._spread = Spread(stream)

    def can_say(self, constraint: Constraint, channel: str, hedged: bool) -> bool:
        """Whether a channel has a wording for this constraint, under a hedge if need be."""
        return bool(self._options(constraint, channel, hedged))

    def clause(self, constraint: Constraint, channel: str, hedged: bool) -> str:
        """The constraint in words for a channel; raises Unrenderable when it has none."""
        options = self._options(self._reordered(constraint), channel, hedged)
        if not options:
            told = constraint.describe(str)
            raise Unrenderable(f"no {channel} wording says {told}")
        keys = [f"{wording.style}: {wording.text}" for wording, _ in options]
        wording, env = self._spread.choose(options, keys)
        self._fill_literals(env, channel)
        return self._grammar.render(wording, env, channel)

    def hedge(self, clause: str, channel: str, names: Mapping[str, str]) -> str:
        """A clause as something that others say."""
        options = self._grammar.pack.hedges_of(channel)
        if not options:
            raise Unrenderable(f"no hedge for {channel}")
        wording = self._spread.choose(options, [option.text for option in options])
        return self._grammar.render(wording, {**names, "clause.text": clause}, channel)

    def order(self, wordings: tuple[Wording, ...], rule: Rule, dates: str) -> str:
        """A rule as the sentences of an order."""
        fitting = [wording for wording in wordings if wording.literals == len(rule.condition)]
        if not fitting:
            raise Unrenderable(f"no order has {len(rule.condition)} conditions")
        wording = self._spread.choose(fitting, [option.text for option in fitting])
        env: Env = {
            **conditions_of(rule),
            "item": rule.then.item,
            "then": rule.then.party,
            "then.verb": rule.then.verb,
            "else": rule.otherwise.party,
            "else.verb": rule.otherwise.verb,
            "dates": dates,
        }
        self._fill_literals(env, "notice")
        return self._grammar.render(wording, env, "notice")

    def choose(self, wordings: tuple[Wording, ...]) -> Wording:
        """One of several wordings, the least used first."""
        if not wordings:
            raise Unrenderable("the pack has no wording here")
        return self._spread.choose(wordings, [wording.text for wording in wordings])

    def _options(
        self, constraint: Constraint, channel: str, hedged: bool
    ) -> list[tuple[Wording, Env]]:
        return [
            (wording, dict(env))
            for form, env in phrasings(constraint, self._grammar.plain)
            for wording in self._grammar.pack.clauses_of(form, channel)
            if wording.hedgeable or not hedged
        ]

    def _fill_literals(self, env: Env, channel: str) -> None:
        for slot in literal_slots(env):
            env[f"{slot}.text"] = self._literal(env[slot], channel)

    def _literal(self, literal: Literal, channel: str) -> str:
        options = self._grammar.literal_wordings(literal, channel)
        if not options:
            raise Unrenderable(f"no {channel} wording says {literal.describe(str)}")
        wording = self._spread.choose(options, [f"literal: {option.text}" for option in options])
        return self._grammar.render(wording, {"a": literal.term, "v": literal.value}, channel)

    def _reordered(self, constraint: Constraint) -> Constraint:
        """The same constraint with its free order shuffled."""
        match constraint:
            case AllDifferent(terms=terms):
                return AllDifferent(tuple(self._stream.shuffled(terms)))
            case ExactlyOne(literals=literals):
                return ExactlyOne(tuple(self._stream.shuffled(literals)))
            case Implication(rows=rows, is_table=True):
                return Implication(tuple(self._stream.shuffled(rows)), is_table=True)
        return constraint
