"""Hang stated facts on bridges: a pin becomes a table that needs a piece of general knowledge.

To a reader who knows the answer the table says just what the pin said, so the world stays unique
and every clue needed. Whoever holds a wrong answer reads another value: a pin is taken for it only
if at least half of the wrong values lead to another complete world.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from worlds.core.constraints import Constraint, Equality, Implication, Literal, Value
from worlds.core.engines import Answer
from worlds.core.engines.dpll import Dpll
from worlds.core.errors import NotProved
from worlds.core.forge.evidence import shape_of
from worlds.core.forge.sample import Draft
from worlds.core.model import Bridge
from worlds.core.seeds import Stream

__all__ = ["hang", "table"]


def hang(
    draft: Draft, clues: Mapping[str, Constraint], bridges: Sequence[Bridge], stream: Stream
) -> dict[str, Constraint]:
    """The clues with one pin replaced by a table for every essential bridge.

    Raises NotProved when too few pins can bear one.
    """
    hung = dict(clues)
    engine = Dpll(draft.values)
    for label, clue in clues.items():
        engine.add(label, clue)
    pins = iter(
        stream.shuffled([label for label, clue in clues.items() if shape_of(clue) == "pin"])
    )
    for bridge in bridges:
        if bridge.role != "essential":
            continue
        for label in pins:
            pin = clues[label]
            assert isinstance(pin, Equality)
            if draft.can_hang(pin.left, bridge):
                wrong = _wrong_values(draft, engine, list(clues), label, pin.left, stream)
                if wrong is not None:
                    others = stream.shuffled(wrong[: len(bridge.alternatives)])
                    hung[label] = table(pin.left, bridge, draft.solution[pin.left], others)
                    break
        else:
            raise NotProved("bridge", "refuted", "no stated fact can hang on a bridge")
    return hung


def table(term: str, bridge: Bridge, right: Value, wrong: Iterable[Value]) -> Implication:
    """One implication per option of the bridge, each to another value of the term.

    The right answer leads to `right`, the others to the wrong values in their order.
    """
    others = iter(wrong)
    rows = []
    for option in bridge.options:
        value = right if option == bridge.answer else next(others)
        rows.append((Literal(bridge.id, "=", option), Literal(term, "=", value)))
    return Implication(tuple(rows), is_table=True)


def _wrong_values(
    draft: Draft, engine: Dpll, labels: Sequence[str], pin: str, term: str, stream: Stream
) -> list[Value] | None:
    """The wrong values of a pinned term, those that lead to a world first; None if too few do."""
    rest = [label for label in labels if label != pin]
    fitting: list[Value] = []
    barren: list[Value] = []
    for value in draft.values[term]:
        if value == draft.solution[term]:
            continue
        label = f"{term}={value}"
        engine.add(label, Equality(term, value=value))
        outcome = engine.solve([label], given=rest, near=draft.solution)
        if outcome.answer is Answer.UNKNOWN:
            raise NotProved("bridge", "unknown", f"whether {label} leads to a world")
        (fitting if outcome.answer is Answer.SAT else barren).append(value)
    if len(fitting) < len(barren):
        return None
    return [*stream.shuffled(fitting), *stream.shuffled(barren)]
