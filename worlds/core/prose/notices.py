"""The papers that stand once in a record: its frame, and the dated orders."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from worlds.core.lexicon import Kind
from worlds.core.packs.model import MONTHS, Pack
from worlds.core.packs.template import capitalised, compile_template, template_of
from worlds.core.prose.extract import Closure, Meaning, Order, Scale
from worlds.core.prose.forms import Env
from worlds.core.prose.grammar import Grammar
from worlds.core.prose.lexis import Lexis
from worlds.core.prose.papers import Draft, Paper, Stationer
from worlds.core.prose.phrasing import Phraser
from worlds.core.prose.saying import say
from worlds.core.seeds import Stream

__all__ = [
    "DATE_SAID",
    "ORDER_ROLES",
    "dates_said",
    "frame_sentence",
    "order_text",
    "ordinal",
    "write_frames",
    "write_orders",
]

ORDER_ROLES = ("objective", "provisional", "policy")
DATE_SAID = re.compile(rf"the ([0-9]{{1,2}})(?:st|nd|rd|th) of ({'|'.join(MONTHS)})")
"""A date as `dates_said` says one."""

_LAST_DAY = 28
_COLOURED = 0.5


def write_frames(
    units: Sequence[tuple[str, Meaning]],
    pack: Pack,
    stream: Stream,
    phraser: Phraser,
    stationer: Stationer,
) -> list[Paper]:
    """The notices that close every domain and say which statements count, in one or two parts.

    The second part may hold a single sentence, and has small talk so as not to repeat another's.
    """
    frame = stream.choice(pack.orders.frames)
    said: dict[str, list[tuple[str, str]]] = {"closures": [], "scales": [], "testimony": []}
    for unit, meaning in units:
        slot, text = frame_sentence(meaning, pack, phraser, stream)
        said[slot].append((unit, text))
    (heading, text), *second = frame.parts
    papers = [_frame_paper(heading, text, said)]
    for heading2, text2 in second:
        cast = stationer.cast()
        before, after = (stationer.small_talk("notice", cast) for _ in range(2))
        papers.append(_frame_paper(heading2, text2, said, before, after))
    return papers


def _frame_paper(
    heading: str,
    text: str,
    said: Mapping[str, Sequence[tuple[str, str]]],
    before: str = "",
    after: str = "",
) -> Paper:
    draft = Draft()
    draft.add(f"{before} " if before else "")
    for element in compile_template(text).elements:
        if isinstance(element, str):
            draft.add(element)
            continue
        for i, (unit, sentence) in enumerate(said[element.name]):
            draft.add(" " if i else "")
            draft.add(sentence, unit)
    draft.add(f" {after}" if after else "")
    return draft.paper("notice", heading)


def frame_sentence(
    meaning: Meaning, pack: Pack, phraser: Phraser, stream: Stream
) -> tuple[str, str]:
    """The slot and the sentence of one frame unit."""
    orders, lexis = pack.orders, Lexis.of_frames(pack.lexicon)
    env: Env
    match meaning:
        case Closure(roster=roster, kinds=keys, names=names):
            kinds: dict[str, Kind] = {role.key: role for role in pack.lexicon.roles}
            env = {
                "roster": roster,
                "kinds": tuple(kinds[key] for key in stream.shuffled(keys)),
                "names": tuple(stream.shuffled(names)),
            }
            slot, wordings = "closures", orders.closures
        case Scale(measure=key, low=low, high=high):
            measure = next(m for m in pack.lexicon.measures if m.key == key)
            env = {"m": measure, "low": low, "high": high}
            slot, wordings = "scales", orders.scales
        case _:
            env = {}
            slot, wordings = "testimony", orders.testimonies
    return slot, capitalised(say(template_of(phraser.choose(wordings)), env, lexis))


def write_orders(
    units: Mapping[str, tuple[str, Meaning]],
    pack: Pack,
    grammar: Grammar,
    phraser: Phraser,
    stationer: Stationer,
    stream: Stream,
) -> list[Paper]:
    """What is asked first, the superseded order and the one in force, in order of date."""
    writer, month = stream.choice(pack.orders.writers), stationer.months[-1]
    days = sorted(stream.sample(range(1, _LAST_DAY + 1), len(ORDER_ROLES)))
    papers = []
    for role, day in zip(ORDER_ROLES, days, strict=True):
        unit, meaning = units[role]
        text = order_text(role, meaning, dates_said(days[:2], month), pack, grammar, phraser)
        papers.append(_order_paper(f"{writer}, {day} {month}", unit, text, pack, stationer, stream))
    return papers


def dates_said(days: Sequence[int], month: str) -> str:
    """`the 3rd and the 4th of March`."""
    return " and ".join(f"the {ordinal(day)}" for day in days) + f" of {month}"


def ordinal(day: int) -> str:
    """A day of the month as an ordinal: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    if day % 100 in (11, 12, 13):
        return f"{day}th"
    return f"{day}" + {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def order_text(
    role: str, meaning: Meaning, dates: str, pack: Pack, grammar: Grammar, phraser: Phraser
) -> str:
    """An order in words; `dates` are those of the orders before it."""
    orders = pack.orders
    if role == "objective":
        wording = phraser.choose(orders.objectives)
        return capitalised(grammar.render(wording, {"a": meaning}, "notice"))
    assert isinstance(meaning, Order)
    wordings = orders.provisionals if role == "provisional" else orders.policies
    return capitalised(phraser.order(wordings, meaning.rule, dates))


def _order_paper(
    heading: str, unit: str, text: str, pack: Pack, stationer: Stationer, stream: Stream
) -> Paper:
    cast, draft = stationer.cast(), Draft()
    before, after = stream.chance(_COLOURED), stream.chance(_COLOURED)
    if before and pack.orders.openings:
        draft.add(stationer.sentences("order opening", pack.orders.openings, cast) + " ")
    draft.add(text, unit)
    if after and pack.orders.closings:
        draft.add(" " + stationer.sentences("order closing", pack.orders.closings, cast))
    return draft.paper("notice", heading)
