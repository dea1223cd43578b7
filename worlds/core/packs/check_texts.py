"""The rules of a pack's texts: slots that are known, colour that says nothing, sound grammar."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from worlds.core.model import CHANNELS
from worlds.core.packs.check_colour import Articles, Colour, slot_findings, slots_of
from worlds.core.packs.check_voice import voice_findings
from worlds.core.packs.findings import Finding
from worlds.core.packs.model import CLAUSE_FORMS, Pack, Wording, style_of
from worlds.core.packs.vocabulary import colour_texts

__all__ = ["text_findings"]

_PERSON = {"thing", "past", "done", "mark", "noun"}
_ORDINAL = {"subject", "verb", "when", "occasion", "more", "less", "step", "steps", "mark"}
_LEARNING = re.compile(
    r"\b(?:know\w*|learn\w*|school\w*|taught|teach\w*|lessons?)\b", re.IGNORECASE
)
_ORDINAL_FORMS = re.compile(r"ordinal|value|less|more|sum|difference")
_JOBS = {
    *("pin_person", "same_person", "not_person", "differ_person", "table"),
    *("person_is", "person_not"),
}
_LITERALS = {"exactly_one_2": "pq", "exactly_one_3": "pqr", "exactly_one_4": "pqrs"}
_PLAIN_PARTS = {"forename", "bystander", "bystander2", "weekday", "month"}
_RULE_SLOTS = {
    "item.thing",
    "item.past",
    "then.verb",
    "then.past",
    "then.thing",
    "else.verb",
    "else.past",
    "else.thing",
}
_SCALE_SLOTS = {
    "subject",
    "verb",
    "step",
    "steps",
    "whole",
    "low",
    "high",
    "more",
    "less",
    "occasion",
    "occasions",
}


def text_findings(pack: Pack) -> Iterator[Finding]:
    """What is wrong with wordings, papers, orders and colour."""
    articles = Articles(pack)
    for wordings, is_literal in ((pack.literals, True), (pack.clauses, False)):
        for wording in wordings:
            where = f"clauses.toml {wording.form} {wording.text!r}"
            if not is_literal and wording.form not in CLAUSE_FORMS:
                yield Finding("forms", where, "there is no such form")
                continue
            yield from _wording_findings(articles, wording, where, is_literal=is_literal)
    yield from _same_text_findings(pack)
    for hedge in pack.hedges:
        where = f"clauses.toml hedge {hedge.text!r}"
        known = {"clause", "bystander", "bystander2", *pack.lists}
        yield from slot_findings(hedge.text, where, known, once=("clause",))
    yield from voice_findings(pack)
    yield from _paper_findings(pack)
    yield from _order_findings(pack, articles)
    yield from _colour_findings(pack)


def _wording_findings(
    articles: Articles, wording: Wording, where: str, *, is_literal: bool
) -> Iterator[Finding]:
    yield from slot_findings(wording.text, where, _clause_slots(wording), once=())
    yield from articles.findings(where, wording.text)
    missing = _needed_slots(wording) - {slot.name for slot in slots_of(wording.text)}
    if missing:
        yield Finding("slots", where, f"does not say {' and '.join(sorted(missing))}")
    if wording.form in _JOBS and wording.style == "prose":
        for name in "ab":
            if not _says_its_job(wording, name):
                yield Finding("clauses", where, f"tells the job {{{name}}} without its verb")
    marks = ",;:.?!\n" if is_literal else ".?!\n"
    stray = [mark for mark in marks if mark in wording.text]
    # Facets are written with a full stop inside their braces.
    stray = [m for m in stray if m != "." or "." in re.sub(r"\{[^{}]*\}", "", wording.text)]
    if stray:
        yield Finding("clauses", where, f"holds {' '.join(map(repr, stray))}")
    if wording.text[:1].isupper() or wording.text != wording.text.strip():
        yield Finding("clauses", where, "does not start in lower case, or has blank ends")


def _says_its_job(wording: Wording, name: str) -> bool:
    """Whether a job is told by its own verb, if it is told: no custody, no "work of"."""
    facets = {slot.facet for slot in slots_of(wording.text) if slot.name == name}
    return not facets or bool(facets & {"past", "done"})


def _clause_slots(wording: Wording) -> set[str]:
    form = wording.form
    if form == "implication":
        return {"p", "q"}
    if form in _LITERALS:
        return set(_LITERALS[form])
    if form == "table":
        return {"rows", "subject", "a.thing", "a.past", "a.done", "a.mark", "a.noun"}
    facets = _ORDINAL if _ORDINAL_FORMS.search(form) else _PERSON
    slots = {f"{name}.{facet}" for name in "ab" for facet in facets}
    if form.startswith("all_different"):
        whole = {"all.whens", "all.occasions"} if "ordinal" in form else {"all.things", "all.jobs"}
        return {*slots, *whole, "all.count"}
    if facets is _ORDINAL:
        slots |= {"v.at", "v.n", "v.step", "k.more", "k.less", "k.steps", "k.n", "k.word"}
    return {*slots, "v"}


def _needed_slots(wording: Wording) -> set[str]:
    """The slot names without which a wording would leave part of its meaning open."""
    form = wording.form
    if form in _LITERALS:
        return set(_LITERALS[form])
    fixed = {"implication": {"p", "q"}, "table": {"rows", "subject", "a"}}
    if form in fixed:
        return fixed[form]
    if form.startswith("all_different"):
        return {"all"}
    if form.startswith(("offset", "sum", "difference")):
        return {"a", "b", "k"}
    pair = form.startswith(("same", "differ")) or form in ("less", "more")
    return {"a", "b"} if pair else {"a", "v"}


def _same_text_findings(pack: Pack) -> Iterator[Finding]:
    """One text, one form: a clause text under two forms has two readings."""
    forms: dict[tuple[str, str], set[str]] = defaultdict(set)
    texts: Counter[tuple[str, str, str]] = Counter()
    for wording in pack.clauses:
        forms[wording.style, wording.text].add(wording.form)
        texts[wording.style, wording.form, wording.text] += 1
    for (style, text), found in sorted(forms.items()):
        if len(found) > 1:
            what = f"is a wording of {' and of '.join(sorted(found))}"
            yield Finding("clauses", f"clauses.toml {style} {text!r}", what)
    for (style, form, text), count in sorted(texts.items()):
        if count > 1:
            yield Finding("twice", f"clauses.toml {style} {form} {text!r}", f"stands {count} times")


def _paper_findings(pack: Pack) -> Iterator[Finding]:
    plain = {*_PLAIN_PARTS, *pack.lists}
    owners: dict[str, set[str]] = defaultdict(set)
    for i, shape in enumerate(pack.shapes):
        where = f"documents.toml document[{i}] {shape.channel}"
        owners[shape.heading].add(shape.channel)
        if shape.channel not in CHANNELS:
            yield Finding("documents", where, f"{shape.channel!r} is no channel")
        known = {*plain, "units", *pack.fillers.get(shape.channel, {})} - {"carrier", "link"}
        yield from slot_findings(shape.text, where, known, once=("units",))
        if re.search(r"\d", shape.heading):
            yield Finding("documents", where, "its heading holds a digit")
    for heading, found in owners.items():
        if len(found) > 1:
            what = f"heads papers of {' and '.join(sorted(found))}"
            yield Finding("documents", f"documents.toml heading {heading!r}", what)
    for channel, lists in pack.fillers.items():
        for key, items in lists.items():
            for item in items:
                where = f"documents.toml channel.{channel}.{key} {item!r}"
                if key == "carrier":
                    loud = style_of(channel) == "wire"
                    yield from _carrier_findings(item, where, plain, loud=loud)
                else:
                    yield from slot_findings(item, where, plain, once=())


def _carrier_findings(item: str, where: str, plain: set[str], *, loud: bool) -> Iterator[Finding]:
    yield from slot_findings(item, where, {*plain, "clause", "Clause"}, once=())
    units = [slot.name for slot in slots_of(item) if slot.name.lower() == "clause"]
    if len(units) != 1:
        yield Finding("documents", where, "holds not exactly one {clause} or {Clause}")
    elif not loud and (units[0] == "Clause") != bool(re.search(r"(?:^|[.?!…] |\n)\{", item)):
        yield Finding("documents", where, "a sentence begins with {Clause}, and only there")


def _order_findings(pack: Pack, articles: Articles) -> Iterator[Finding]:
    orders = pack.orders
    once = {"closures", "scales", "testimony"}
    for i, frame in enumerate(orders.frames):
        where = f"orders.toml frame[{i}]"
        found = Counter(str(slot)[1:-1] for _, text in frame.parts for slot in slots_of(text))
        if found != Counter(once):
            yield Finding(
                "orders", where, "does not print closures, scales and testimony once each"
            )
    expected: tuple[tuple[str, tuple[Wording, ...], set[str], set[str]], ...] = (
        ("closure", orders.closures, {"jobs", "roster", "names"}, {"jobs", "roster", "names"}),
        ("scale", orders.scales, _SCALE_SLOTS, {"subject", "low", "high"}),
        ("testimony", orders.testimonies, set(), set()),
        ("objective", orders.objectives, {"asked"}, {"asked"}),
        ("note", orders.notes, {"note"}, {"note"}),
    )
    for name, wordings, known, needed in expected:
        for wording in wordings:
            where = f"orders.toml {name} {wording.text!r}"
            yield from slot_findings(wording.text, where, known, once=tuple(sorted(needed)))
            yield from articles.findings(where, wording.text)
    for wording in orders.testimonies:
        where = f"orders.toml testimony {wording.text!r}"
        if "may be true or false" not in wording.text:
            yield Finding("orders", where, "does not say that reports may be true or false")
        if not _LEARNING.search(wording.text):
            yield Finding("orders", where, "does not license common knowledge")
    yield from _rule_findings(pack)


def _rule_findings(pack: Pack) -> Iterator[Finding]:
    for name, wordings in (
        ("provisional", pack.orders.provisionals),
        ("policy", pack.orders.policies),
    ):
        for wording in wordings:
            where = f"orders.toml {name} {wording.text!r}"
            literals = ("p", "q")[: wording.literals]
            dates = ("dates",) if name == "policy" else ()
            yield from slot_findings(
                wording.text, where, {*_RULE_SLOTS, *literals, *dates}, once=(*literals, *dates)
            )
            said = {str(slot)[1:-1] for slot in slots_of(wording.text)}
            missing = _RULE_SLOTS - {"item.past"} - said
            if missing or not literals:
                yield Finding("orders", where, f"does not say {', '.join(sorted(missing))}")
            if name == "policy" and wording.literals != 2:
                yield Finding("orders", where, "a policy has two conditions")
    told = {wording.literals for wording in pack.orders.provisionals}
    for count in sorted({1, 2} - told):
        yield Finding("orders", "orders.toml provisional", f"none has {count} conditions")


def _colour_findings(pack: Pack) -> Iterator[Finding]:
    colour = Colour(pack)
    for where, text in colour_texts(pack):
        yield from colour.findings(where, text)
